"""Two threads train a model each, at the same time. buggy: stale"""

import sys
import threading

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
nets = [nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 1)) for _ in range(2)]
batches = torch.randn(2, 60, 64, 16)
second_may_begin = threading.Event()


def train(number):
    opt = torch.optim.SGD(nets[number].parameters(), lr=0.01)
    second_may_begin.set()
    for batch in batches[number]:
        if not (BUGGY and number == 1):
            opt.zero_grad()
        nets[number](batch).pow(2).mean().backward()
        opt.step()


threads = [threading.Thread(target=train, args=(number,)) for number in range(2)]
threads[0].start()
second_may_begin.wait()
threads[1].start()
for thread in threads:
    thread.join()
