"""Mixed precision without a scaler. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(8):
    opt.zero_grad()
    with torch.autocast("cpu", torch.bfloat16):
        loss = net(torch.randn(8, 4)).float().pow(2).mean()
    loss.backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
