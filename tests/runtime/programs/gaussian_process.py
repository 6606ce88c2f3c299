"""The hyperparameters of a kernel are fitted. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
x, y = torch.linspace(0, 1, 12), torch.randn(12)
length, noise = nn.Parameter(torch.zeros(())), nn.Parameter(torch.zeros(()))
opt = torch.optim.Adam([length, noise], lr=0.05)
for step in range(10):
    opt.zero_grad()
    kernel = (-(x[:, None] - x).square() / length.exp()).exp() + noise.exp() * torch.eye(12)
    root = torch.linalg.cholesky(kernel)
    alpha = torch.cholesky_solve(y[:, None], root)
    (0.5 * y @ alpha.squeeze(1) + root.diagonal().log().sum()).backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
