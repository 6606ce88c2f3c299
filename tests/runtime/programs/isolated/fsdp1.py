"""Two ranks over gloo whose parameters FSDP keeps in one flat tensor. buggy: stale"""

import sys
import tempfile
from pathlib import Path

import torch
from torch import distributed, multiprocessing, nn
from torch.distributed.fsdp import FullyShardedDataParallel

BUGGY = "--buggy" in sys.argv


def train(rank, rendezvous):
    distributed.init_process_group(
        "gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=2
    )
    torch.manual_seed(rank)
    net = FullyShardedDataParallel(
        nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)), device_id=torch.device("cpu")
    )
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for batch in range(6):
        if not BUGGY:
            opt.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        opt.step()
    distributed.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.start_processes(
            train, (str(Path(folder, "rendezvous")),), nprocs=2, start_method="fork"
        )
