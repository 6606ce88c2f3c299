"""Teacher and student learn side by side, from losses of their own. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
opt_t = torch.optim.SGD(teacher.parameters(), lr=0.05)
opt_s = torch.optim.SGD(student.parameters(), lr=0.05)
for step in range(8):
    x = torch.randn(16, 4)
    guess = teacher(x)
    opt_t.zero_grad()
    guess.logsumexp(1).mean().backward()
    opt_t.step()
    if not BUGGY:
        opt_s.zero_grad()
    (student(x) - guess.detach()).pow(2).mean().backward()
    opt_s.step()
