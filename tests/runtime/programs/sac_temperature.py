"""The temperature is a number with an optimizer of its own. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
actor = nn.Linear(3, 2)
log_alpha = torch.zeros(1, requires_grad=True)
opt = torch.optim.Adam(actor.parameters(), lr=0.01)
opt_alpha = torch.optim.Adam([log_alpha], lr=0.01)
for step in range(12):
    log_prob = torch.log_softmax(actor(torch.randn(8, 3)), 1)
    opt.zero_grad()
    (log_alpha.exp().detach() * log_prob).mean().backward()
    opt.step()
    if not BUGGY:
        opt_alpha.zero_grad()
    (-log_alpha * (log_prob.detach() + 1.0)).mean().backward()
    opt_alpha.step()
