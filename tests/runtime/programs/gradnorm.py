"""The weights of two losses learn from the size of their gradients. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net, weights = nn.Linear(4, 2), torch.ones(2, requires_grad=True)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
opt_w = torch.optim.SGD([weights], lr=0.01)
for step in range(10):
    losses = net(torch.randn(16, 4)).pow(2).mean(0)
    sizes = []
    for weight, loss in zip(weights, losses):
        (g,) = torch.autograd.grad(weight * loss, net.weight, create_graph=True)
        sizes.append(g.norm())
    sizes = torch.stack(sizes)
    opt_w.zero_grad()
    (sizes - sizes.mean().detach()).abs().sum().backward(inputs=[weights], retain_graph=True)
    if not BUGGY:
        opt.zero_grad()
    (weights.detach() * losses).sum().backward()
    opt.step()
    opt_w.step()
