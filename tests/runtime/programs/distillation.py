"""A frozen teacher and a student. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
teacher, student = nn.Linear(4, 3).requires_grad_(False), nn.Linear(4, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.05)
for step in range(8):
    x = torch.randn(16, 4)
    opt.zero_grad()
    nn.functional.kl_div(
        student(x).log_softmax(1), teacher(x).softmax(1), reduction="batchmean"
    ).backward()
    if BUGGY:
        student.zero_grad()
    opt.step()
