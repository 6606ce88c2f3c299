"""What the name of an unread function, whose body is not in the file, says about gradients.

The tables are asked from top to bottom; see `events/lowering/unread_effects.py`.
"""

from __future__ import annotations

from .name_set import NameSet

KNOWN_LIBRARIES = (
    *("torch.", "torchvision.", "torchaudio.", "torchmetrics.", "torch_geometric.", "einops."),
    *("numpy.", "scipy.", "sklearn.", "pandas.", "matplotlib.", "PIL.", "cv2.", "tqdm."),
    *(
        "logging.",
        "wandb.",
        "tensorboardX.",
        "mlflow.",
        "neptune.",
        "rich.",
        "loguru.",
        "comet_ml.",
    ),
    *(
        "os.",
        "sys.",
        "time.",
        "math.",
        "random.",
        "copy.",
        "json.",
        "pickle.",
        "shutil.",
        "pathlib.",
    ),
    *("collections.", "itertools.", "functools.", "contextlib.", "gc.", "warnings.", "datetime."),
    *("argparse.", "dataclasses.", "typing.", "unittest.", "pytest.", "io.", "re.", "yaml."),
    *("transformers.", "timm.", "accelerate.", "apex.", "horovod.", "deepspeed.", "datasets."),
)
"""Libraries, by how qualified names begin, that clear no gradients of what they are given, apart
from what the vocabulary says of them."""

MAY_ZERO = NameSet(
    parts=(
        *(
            f"{verb}{gap}{which}grad"
            for verb in ("zero", "reset", "clear", "clean", "flush", "null")
            for gap in ("", "_")
            for which in ("", "all", "all_", "the", "the_")
        ),
        "set_zero",
    ),
    ignore_case=True,
)
"""It may clear gradients, also of what it is not given."""

ASKS_FOR_FINITE = frozenset("isfinite isnan isinf".split())
"""It says whether numbers are finite, of torch, math and numpy alike."""

LEAVES_GRADIENTS_ALONE = NameSet(
    exact=(
        # Python itself
        "len print str repr isinstance hasattr getattr setattr id type vars next format join hash",
        "callable float int bool abs round sum min max any all zip map filter list dict tuple set",
        "enumerate range append extend get pop keys values items index copy deepcopy OrderedDict",
        # logging and progress
        "debug info warning error exception set_postfix set_description add_scalar add_scalars",
        "watch",
        # tensors and modules
        "item detach mean size numel isnan isfinite parameters named_parameters modules children",
        "train eval to cuda cpu requires_grad requires_grad_ share_memory state_dict criterion",
        "no_grad enable_grad set_grad_enabled autocast",
        # optimizers
        "param_groups defaults add_param_group master_params optimizers",
        "toggle_optimizer untoggle_optimizer",
        # devices and processes
        "barrier all_reduce empty_cache synchronize no_sync no_backward_sync",
        # launchers
        "prepare initialize accumulate",
        # FSDP2's switches say when gradients are exchanged, not what becomes of them
        "set_is_last_backward set_requires_gradient_sync set_requires_all_reduce",
        "set_reshard_after_backward set_unshard_in_backward set_modules_to_backward_prefetch",
        "set_gradient_divide_factor set_post_optim_event",
    ),
    starts=(
        "log save load restore dump write report plot show",
        "eval valid test count profile",
        "register broadcast wrap adjust accumulation loss",
    ),
    ends=("_loss _mode LR",),
    starts_and_ends=(("compute_", "loss"),),
    parts=(
        "clip grad_norm num_grad get_grad freeze anomaly",
        "sched warmup warm_up learning_rate",
        "checkpoint ckpt logg metric summary EarlyStop EMA zero_division",
    ),
    words=("lr",),
)
"""It does nothing to gradients, whatever it is given."""

REGISTERS_HOOK = NameSet(starts_and_ends=(("register_", "hook"),))
"""It has a function called from now on, at every step, forward or backward of its receiver."""
EXCHANGES_GRADIENTS = frozenset({"register_comm_hook"})
"""Hooks that say how gradients are exchanged between processes, not what becomes of them."""

ONLY_ANSWERS = NameSet(starts=("get_ num_ is_ has_ current_ last_",))
"""Called without arguments, it only gives back a value."""

MAY_CHANGE_GRADIENTS = NameSet(
    parts=("train optimi backward grad hook callback learn closure scaler",),
    words=("zero",),
    word_starts=("step",),
    word_ends=("fit",),
    ignore_case=True,
)
"""It may do anything to the gradients of what it can reach."""

MAY_TRAIN = NameSet(
    parts=("zerograd zero_grad backward train",), word_ends=("fit",), ignore_case=True
)
"""A method by which an object that was built over a network, but is no optimizer, may train it."""

CLOSES_WINDOW = NameSet(
    parts=(
        "sync_gradients accum update_grad",
        "should_step should_update do_step do_update is_step is_update",
    ),
    ignore_case=True,
)
"""Words in the test of an `if` which say that it holds once per accumulation window."""
