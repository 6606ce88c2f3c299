"""Several epochs over one batch of experience. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for update in range(3):
    x, actions, gain = torch.randn(32, 4), torch.randint(0, 2, (32, 1)), torch.randn(32)
    with torch.no_grad():
        old = torch.log_softmax(net(x), 1).gather(1, actions).squeeze(1)
    for epoch in range(4):
        for part in torch.randperm(32).split(8):
            new = torch.log_softmax(net(x[part]), 1).gather(1, actions[part]).squeeze(1)
            ratio = (new - old[part]).exp()
            bound = ratio.clamp(0.8, 1.2)
            if not BUGGY:
                opt.zero_grad()
            (-torch.min(ratio * gain[part], bound * gain[part]).mean()).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
