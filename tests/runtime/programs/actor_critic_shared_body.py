"""Policy and value losses run through one body, backward one by one. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, policy, value = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 1)
params = [*body.parameters(), *policy.parameters(), *value.parameters()]
opt = torch.optim.RMSprop(params, lr=0.01)
for step in range(10):
    features = torch.tanh(body(torch.randn(8, 4)))
    if not BUGGY:
        opt.zero_grad()
    policy(features).logsumexp(1).mean().backward(retain_graph=True)
    value(features).pow(2).mean().backward()
    opt.step()
