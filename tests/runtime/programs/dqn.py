"""A target network follows the online one. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 2)
target = copy.deepcopy(net)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(12):
    state, following, reward = torch.randn(8, 4), torch.randn(8, 4), torch.randn(8)
    with torch.no_grad():
        wanted = reward + 0.9 * target(following).max(1).values
    loss = nn.functional.smooth_l1_loss(net(state).max(1).values, wanted)
    if not BUGGY:
        opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 4 == 3:
        target.load_state_dict(net.state_dict())
