"""Models and optimizers are made here, and trained in three threads at once. buggy: wiped"""

import sys
import threading

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
nets = [nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1)) for _ in range(3)]
batches = torch.randn(3, 50, 32, 8)
optimizers = [torch.optim.Adam(net.parameters(), lr=0.01) for net in nets]


def train(number):
    for step in range(50):
        optimizers[number].zero_grad()
        nets[number](batches[number, step]).pow(2).mean().backward()
        if BUGGY and number == 2:
            optimizers[number].zero_grad()
        optimizers[number].step()


threads = [threading.Thread(target=train, args=(number,)) for number in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
