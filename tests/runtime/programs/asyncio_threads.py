"""Training steps run by asyncio in threads, one after the other. buggy: wiped"""

import asyncio
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def one_step():
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()


async def train():
    for step in range(10):
        await asyncio.to_thread(one_step)


asyncio.run(train())
