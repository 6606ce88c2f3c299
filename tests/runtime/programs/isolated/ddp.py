"""Two ranks over gloo, accumulating under no_sync. buggy: stale"""

import contextlib
import sys
import tempfile
from pathlib import Path

import torch
from torch import distributed, multiprocessing, nn
from torch.nn.parallel import DistributedDataParallel

BUGGY = "--buggy" in sys.argv
BUCKET_VIEW = "--bucket-view" in sys.argv


def train(rank, rendezvous):
    distributed.init_process_group(
        "gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=2
    )
    torch.manual_seed(rank)
    net = DistributedDataParallel(
        nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)),
        gradient_as_bucket_view=BUCKET_VIEW,
    )
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for batch in range(12):
        sync = batch % 2 == 1
        with contextlib.nullcontext() if sync else net.no_sync():
            net(torch.randn(8, 4)).pow(2).mean().backward()
        if sync:
            opt.step()
            if not BUGGY:
                opt.zero_grad(set_to_none=batch % 4 == 1)
    distributed.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        method = "fork" if BUCKET_VIEW else "spawn"
        multiprocessing.start_processes(
            train, (str(Path(folder, "rendezvous")),), nprocs=2, start_method=method
        )
