"""Calls and attributes that give back an object they were given: wrapped, moved or listed."""

from __future__ import annotations

import re

from .libraries import Meaning, last_names_of

SAME_METHODS = frozenset(
    "parameters named_parameters modules children train eval to cuda cpu float half double "
    "bfloat16 requires_grad_ values items keys share_memory share_memory_ copy data_parallel "
    "unwrap_model type contiguous trainable_parameters get_parameters".split()
)
"""Methods that give back the object itself, or all of its parameters."""
SWITCHES = frozenset({"train", "eval"})
"""Those among them that are given nothing, or True or False."""
SAME_ATTRIBUTES = frozenset({"data", "module", "param_groups", "params", "_orig_mod"})
"""Attributes that stand for the object itself, or for all of its parameters."""
_PRIVATE = last_names_of(Meaning.GIVES_BACK)
GIVEN_BY_NAME = dict.fromkeys(_PRIVATE, ("module", "optimizer"))
"""Of the functions that give back a tuple, those that are given its first parts by these names."""
CHANGES_BACKWARD = frozenset({"criterion", "grad_sample_mode"})
"""What these are given to have a loss of their own, whose backward clears (Opacus' ghost mode)."""
SAME_FUNCTIONS = _PRIVATE | frozenset(
    "list tuple iter reversed sorted set compile script DataParallel DistributedDataParallel DDP "
    "FSDP FullyShardedDataParallel DataParallelWithCallback ShardedDataParallel "
    "deepcopy_to_device tqdm trange "
    "prepare setup setup_module setup_optimizers prepare_model prepare_optimizer to_device "
    "wrap_model unwrap_model fully_shard DistributedOptimizer ddp replicate initialize".split()
)
"""Functions that give back their first argument, wrapped or not."""
SAME_SECOND = frozenset({"filter", "map", "cast"})
"""Functions that give back their second argument, wrapped or not."""
COPIES = frozenset({"copy.deepcopy"})
"""Functions, by their qualified names, whose result shares nothing with what they are given."""
NEW_TENSOR = re.compile(
    r"torch\.(?!as_tensor$|asarray$)[a-z]\w*$|torch\.(?:nn\.functional|special|linalg|fft)\."
)
"""Functions, by their qualified names, whose result is a new tensor whatever they are given."""
NEW_TENSOR_METHODS = frozenset(
    "clone detach new_tensor new_zeros new_ones new_full new_empty".split()
)
"""Methods of a tensor whose result is a new one."""
SAME_EACH = frozenset({"prepare", "setup", "prepare_model"}) | _PRIVATE
"""Functions that, given several arguments, give back a tuple of all of them."""
ADDS_MEMBERS = frozenset(
    "append extend insert add update setdefault appendleft add_module register_module".split()
)
"""Methods of collections, and of networks, that put their arguments into them."""
HOLDS_ARGUMENTS = frozenset(
    "dict list tuple set OrderedDict defaultdict deque SimpleNamespace partial".split()
)
"""What holds its arguments as they are: collections, and functions that are kept for later."""
