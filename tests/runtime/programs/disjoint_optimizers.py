"""Two networks, one loss, two optimizers. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
encoder, decoder = nn.Linear(4, 3), nn.Linear(3, 4)
opt_e = torch.optim.SGD(encoder.parameters(), lr=0.01)
opt_d = torch.optim.Adam(decoder.parameters(), lr=0.01)
for step in range(8):
    opt_e.zero_grad()
    if not BUGGY:
        opt_d.zero_grad()
    x = torch.randn(8, 4)
    code = encoder(x)
    (decoder(code) - x).pow(2).mean().backward(retain_graph=True)
    code.pow(2).mean().backward()
    opt_e.step()
    opt_d.step()
