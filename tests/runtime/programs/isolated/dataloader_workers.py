"""Data comes from forked worker processes, which train nothing. buggy: stale"""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BUGGY = "--buggy" in sys.argv

if __name__ == "__main__":
    torch.manual_seed(0)
    data = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8, num_workers=2)
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        for (x,) in data:
            if not BUGGY:
                opt.zero_grad()
            net(x).pow(2).mean().backward()
            opt.step()
