"""A program that trains, and ends in a way that runs no exit handlers: `sudden_ends.py HOW`."""

import os
import signal
import sys
import time

import torch
from torch import nn

how = sys.argv[1]


def train(steps: int, *, buggy: bool = False) -> None:
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        if not buggy:
            optimizer.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


if how == "killed_child":
    child = os.fork()
    if child == 0:
        train(3)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    train(1)
elif how == "exec":
    train(3, buggy=True)
    os.execv(sys.executable, [sys.executable, __file__, "nothing"])
elif how == "stopped_child":
    ready, trained = os.pipe()
    child = os.fork()
    if child == 0:
        train(3)
        os.write(trained, b"x")
        time.sleep(600)
    os.read(ready, 1)
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
elif how != "nothing":
    train(3, buggy=how == "exit_buggy")
    os._exit(0)
