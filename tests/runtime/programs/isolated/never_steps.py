"""Computes a gradient and leaves it at that."""

import torch
from torch import nn

net = nn.Linear(4, 1)
net(torch.randn(8, 4)).sum().backward()
