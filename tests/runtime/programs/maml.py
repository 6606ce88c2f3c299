"""Inner updates by autograd.grad, one outer backward per task. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    for task in range(3):
        x = torch.randn(8, 3)
        weight, bias = net.weight, net.bias
        inner = nn.functional.linear(x, weight, bias).pow(2).mean()
        grads = torch.autograd.grad(inner, (weight, bias), create_graph=True)
        weight, bias = weight - 0.1 * grads[0], bias - 0.1 * grads[1]
        (nn.functional.linear(x, weight, bias) - task).pow(2).mean().backward()
    opt.step()
