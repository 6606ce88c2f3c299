"""One thread computes the gradients, another one applies them. buggy: stale"""

import sys
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def compute():
    loss.backward()


def apply():
    opt.step()


with ThreadPoolExecutor(1) as computing, ThreadPoolExecutor(1) as applying:
    for step in range(12):
        loss = net(torch.randn(8, 4)).pow(2).mean()
        computing.submit(compute).result()
        applying.submit(apply).result()
        if not BUGGY:
            opt.zero_grad()
