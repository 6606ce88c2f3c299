"""Stops making progress after three steps, with helpers that ignore being asked to end."""

import os
import signal
import subprocess
import sys
import time

import torch
from torch import nn

signal.signal(signal.SIGTERM, signal.SIG_IGN)
stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", stubborn])
subprocess.Popen([sys.executable, "-c", stubborn], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
time.sleep(600)
