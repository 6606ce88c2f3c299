"""Every step runs in whichever thread of a pool is free. buggy: stale"""

import sys
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def one_step():
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()


with ThreadPoolExecutor(3) as pool:
    for step in range(12):
        pool.submit(one_step).result()
