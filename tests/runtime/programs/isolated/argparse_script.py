"""Arguments of its own, some of them named like ours; reads a file beside itself. buggy: stale"""

import argparse
from pathlib import Path

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, required=True)
parser.add_argument("--device", choices=["abacus"], required=True)
parser.add_argument("--buggy", action="store_true")
parser.add_argument("rest", nargs="*")
args = parser.parse_args()
assert args.rest == ["x", "y z"], args.rest
assert Path(__file__).with_name("ddp.py").exists()
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(args.steps):
    if not args.buggy:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
