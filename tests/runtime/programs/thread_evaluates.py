"""A second thread evaluates a copy while the first one trains. buggy: stale"""

import copy
import sys
import threading

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def evaluate(model, batch):
    with torch.no_grad():
        for _ in range(20):
            model(batch)


for step in range(10):
    if not BUGGY:
        opt.zero_grad()
    thread = threading.Thread(target=evaluate, args=(copy.deepcopy(net), torch.randn(64, 4)))
    thread.start()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
    thread.join()
