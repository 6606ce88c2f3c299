"""Calls and attributes that give back the object they were given: wrapped, moved or listed."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import last_name

SAME_METHODS = frozenset(
    "parameters named_parameters modules children train eval to cuda cpu float half double "
    "bfloat16 requires_grad_ values items keys share_memory share_memory_ copy data_parallel "
    "unwrap_model type contiguous trainable_parameters get_parameters".split()
)
"""Methods that give back the object itself, or all of its parameters."""
SAME_ATTRIBUTES = frozenset({"data", "module", "param_groups", "params", "_orig_mod"})
SAME_FUNCTIONS = frozenset(
    "list tuple iter reversed sorted set compile script DataParallel DistributedDataParallel DDP "
    "FSDP FullyShardedDataParallel DataParallelWithCallback deepcopy_to_device tqdm trange "
    "prepare setup setup_module setup_optimizers prepare_model prepare_optimizer to_device "
    "wrap_model unwrap_model fully_shard DistributedOptimizer ddp replicate initialize".split()
)
"""Functions that give back their first argument, wrapped or not."""
SAME_SECOND = frozenset({"filter", "map", "cast"})


def wrapped(node: cst.Call) -> cst.BaseExpression | None:
    """The object a call merely wraps, moves or lists: `DDP(net)`, `net.to(device)`."""
    match node.func:
        case cst.Attribute(value=base, attr=cst.Name(value=name)) if name in SAME_METHODS:
            return base
    name = last_name(node.func)
    positional = [a.value for a in node.args if a.keyword is None and a.star == ""]
    if name in SAME_SECOND and len(positional) > 1:
        return positional[1]
    if name in SAME_FUNCTIONS and len(positional) >= 1:
        if name in ("prepare", "setup", "prepare_model") and len(positional) > 1:
            return None
        return positional[0]
    return None
