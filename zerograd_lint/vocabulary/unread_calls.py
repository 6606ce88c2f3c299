"""What is known of functions and methods whose body is not in view.

A name can say that a call may clear gradients. That it does not is said only of Python itself, of
well-known libraries by their qualified names, and of the methods of torch's own classes.
"""

from __future__ import annotations

from .name_set import NameSet
from .things import Thing

_PYTHON = (
    *("os.", "sys.", "time.", "math.", "random.", "copy.", "json.", "pickle.", "shutil.", "io."),
    *("collections.", "itertools.", "functools.", "contextlib.", "pathlib.", "gc.", "warnings."),
    *("argparse.", "dataclasses.", "datetime.", "typing.", "unittest.", "pytest.", "re.", "yaml."),
    *("logging.", "queue.", "multiprocessing.", "threading.", "subprocess.", "csv.", "tempfile."),
)
_BESIDE_TRAINING = (
    *("torch.utils.", "torch.multiprocessing.", "torch.cuda.", "torch.profiler.", "torchmetrics."),
    *("numpy.", "scipy.", "sklearn.", "pandas.", "matplotlib.", "PIL.", "cv2.", "tqdm.", "rich."),
    *("wandb.", "tensorboardX.", "mlflow.", "neptune.", "comet_ml.", "loguru.", "einops."),
    "pytorch_warmup.",  # it holds the optimizer, and changes its learning rate (base.py, 0.2.0)
)
# What they reset is the state of neurons: reset() of snntorch 0.9.4 (utils.py), reset_net() of
# spikingjelly 2.0.0.dev1 (activation_based/functional/net_config.py), before that clock_driven.
_RESETS_NEURONS = (
    "snntorch.utils.reset",
    *(f"spikingjelly.{old}.functional.reset_net" for old in ("activation_based", "clock_driven")),
    *(f"spikingjelly.{old}.functional.detach_net" for old in ("activation_based", "clock_driven")),
)
KNOWN_LIBRARIES = (
    *("torch.", "torchvision.", "torchaudio.", "torch_geometric.", "torch_xla.", "torch_ema."),
    *("ema_pytorch.", "transformers.", "diffusers.", "timm.", "datasets."),
    *("accelerate.", "lightning.", "pytorch_lightning.", "apex.", "horovod.", "deepspeed."),
    "fairscale.",
    *_RESETS_NEURONS,
    *_BESIDE_TRAINING,
    *_PYTHON,
)
"""Libraries, by how qualified names begin, whose functions clear no gradients of what they are
given, apart from what the vocabulary says of them."""
PASSIVE_LIBRARIES = (*_BESIDE_TRAINING, *_PYTHON)
"""Libraries whose objects leave all gradients alone, too: loggers, queues, meters, arrays."""

METHODS_OF: dict[Thing, frozenset[str]] = {
    # `virtual_step` of Opacus (to 0.15, docs of PrivacyEngine) adds the micro-batch to a sum, and
    # neither applies nor clears it; those after it are Horovod's (horovod/torch/optimizer.py,
    # 0.28.1), which exchange gradients; the last ones are those of a list or dict of optimizers.
    Thing.OPTIMIZER: frozenset(
        "state_dict load_state_dict add_param_group param_groups defaults register_state_dict_hook "
        "register_state_dict_pre_hook register_step_pre_hook register_step_post_hook "
        "virtual_step synchronize skip_synchronize set_backward_passes_per_step "
        "values items keys get append extend insert".split()
    ),
    # Schedules of the learning rate are nothing else that is known.
    Thing.OTHER: frozenset("get_last_lr get_lr print_lr state_dict load_state_dict".split()),
    Thing.MODULE: frozenset(
        "train eval to cuda cpu half float double bfloat16 type requires_grad_ share_memory apply "
        "compile parameters named_parameters modules named_modules children named_children buffers "
        "state_dict load_state_dict register_buffer register_parameter add_module forward "
        "register_forward_hook register_forward_pre_hook register_full_backward_hook no_sync "
        "gradient_checkpointing_enable gradient_checkpointing_disable save_pretrained "
        "set_is_last_backward set_requires_gradient_sync set_requires_all_reduce "
        "set_reshard_after_backward set_unshard_in_backward set_modules_to_backward_prefetch "
        "set_gradient_divide_factor set_post_optim_event register_comm_hook log log_dict "
        "toggle_optimizer untoggle_optimizer update_parameters".split()
    ),
}
"""Methods of torch's own classes that leave gradients alone, apart from hooks they register."""

OWN_OPERATION = "torch.autograd.Function"
"""The base of operations that autograd runs forward where they are called, and backward later."""
IN_PLACE = "_"
"""How the names of tensor methods end that change the tensor itself: `w.lerp_(v, 0.1)`."""
ARITHMETIC_IN_PLACE = frozenset(
    "add_ sub_ mul_ div_ copy_ lerp_ fill_ clamp_ addcmul_ addcdiv_ pow_ sqrt_ neg_ sign_".split()
)
"""Such methods of tensors alone, whatever expression they are called on."""
GIVES_NUMBERS = frozenset({"item", "tolist", "numpy", "detach"})
"""Such methods that are called for the numbers in a tensor."""

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

ENDS_RUN = frozenset(
    "exit quit sys.exit os._exit os.abort os.execv os.execvp "
    "pytest.exit pytest.fail pytest.skip pytest.xfail".split()
)
"""Nothing runs after it, by qualified names."""
ENDS_RUN_METHODS = frozenset({"exit", "abort", "quit", "fail", "skipTest"})
"""Methods of what is not read after which nothing may run: `parser.exit()`, `ctx.abort()`."""
ENDS_RUN_METHODS_OF = frozenset({"argparse.ArgumentParser.error"})
"""Such methods whose names mean other things elsewhere, by the qualified name of their class."""
ENDS_RUN_RAISED = frozenset({"SystemExit", "KeyboardInterrupt", "click.Abort", "typer.Exit"})
"""Exceptions that end the run, by qualified names."""
RUNS_TEXT = frozenset({"exec", "eval"})
"""It runs a text, which may do anything."""
RUNS_ON_PARTS = frozenset({"apply", "map"})
"""It runs its first argument on every part of a network, or of another argument."""
LOCAL_NAMESPACES = frozenset({"locals", "vars"})
"""It gives all local objects by their names."""
SETS_BY_NAME = frozenset({"setattr", "delattr"})
"""It sets the attribute of its first argument that its second one names."""
CHANGES_LISTED = NameSet(
    exact=("vector_to_parameters",), starts_and_ends=(("_foreach_", "_"), ("_amp_foreach_", "_"))
)
"""It changes all tensors of a list in place: `torch._foreach_zero_(gradients)`."""

REGISTERS_HOOK = NameSet(starts_and_ends=(("register_", "hook"),))
"""It has a function called from now on, at every step, forward or backward of its receiver."""
EXCHANGES_GRADIENTS = frozenset({"register_comm_hook"})
"""Hooks that say how gradients are exchanged between processes, not what becomes of them."""

CLOSES_WINDOW = NameSet(
    parts=(
        "sync_gradients accum update_grad",
        "should_step should_update do_step do_update is_step is_update",
    ),
    ignore_case=True,
)
"""Words in the test of an `if` which say that it holds once per accumulation window."""
