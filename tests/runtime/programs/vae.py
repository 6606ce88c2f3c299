"""An encoder and a decoder under one optimizer. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
encoder, decoder = nn.Linear(6, 4), nn.Linear(2, 6)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
for step in range(8):
    x = torch.randn(16, 6)
    mean, spread = encoder(x).chunk(2, 1)
    z = mean + torch.randn_like(mean) * spread.exp()
    loss = (decoder(z) - x).pow(2).mean() + (mean.pow(2) + spread.exp() - spread).mean()
    if not BUGGY:
        opt.zero_grad()
    loss.backward()
    opt.step()
