"""Only one expert is fed per batch; buffers are filled with zeros. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
router, experts = nn.Linear(4, 3), nn.ModuleList(nn.Linear(4, 1) for _ in range(3))
opt = torch.optim.SGD([*router.parameters(), *experts.parameters()], lr=0.05)
for step in range(15):
    if not BUGGY:
        opt.zero_grad(set_to_none=False)
    x = torch.randn(8, 4)
    weight, best = router(x.mean(0)).softmax(0).max(0)
    (weight * experts[int(best)](x)).pow(2).mean().backward()
    opt.step()
