"""Gives the processes of a run a port of their own to find each other, whatever they ask for."""

from __future__ import annotations

import functools
import os
import re
from typing import Any


def use(port: int) -> None:
    """Let `init_process_group` use this port: runs side by side must not meet."""
    from torch import distributed

    if not distributed.is_available() or "TORCHELASTIC_RUN_ID" in os.environ:
        return  # torchrun has chosen one
    from torch.distributed import distributed_c10d

    original = distributed.init_process_group

    @functools.wraps(original)
    def initialise(backend: Any = None, init_method: Any = None, *args: Any, **options: Any) -> Any:
        os.environ["MASTER_PORT"] = str(port)
        if isinstance(init_method, str):
            init_method = re.sub(r"^(tcp://[^/]*):\d+", rf"\g<1>:{port}", init_method)
        return original(backend, init_method, *args, **options)

    distributed.init_process_group = distributed_c10d.init_process_group = initialise
