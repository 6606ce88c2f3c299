"""Gradients of several tasks are collected one by one and written back combined. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
trunk = nn.Linear(4, 4)
heads = [nn.Linear(4, 1), nn.Linear(4, 1), nn.Linear(4, 1)]
opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
for step in range(10):
    features = trunk(torch.randn(8, 4))
    collected = []
    for head in heads:
        opt.zero_grad()
        head(features).pow(2).mean().backward(retain_graph=True)
        collected.append([p.grad.clone() for p in trunk.parameters()])
    if not BUGGY:
        for p, *grads in zip(trunk.parameters(), *collected):
            combined = sum(grads) - 0.3 * grads[0].roll(1)
            if step % 2:
                p.grad = combined
            else:
                p.grad.copy_(combined)
    opt.step()
