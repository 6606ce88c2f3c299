"""Parameters are shares of distributed tensors. buggy: stale"""

import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

BUGGY = "--buggy" in sys.argv

torch.manual_seed(0)
with tempfile.TemporaryDirectory() as folder:
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=0, world_size=1)
    mesh = init_device_mesh("cpu", (1,))
    net = parallelize_module(nn.Sequential(nn.Linear(4, 4)), mesh, {"0": ColwiseParallel()})
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(6):
        if not BUGGY:
            optimizer.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
    dist.destroy_process_group()
