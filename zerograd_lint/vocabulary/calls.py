"""The words of PyTorch and its frameworks: what each call does to gradients.

A new idiom is one entry here. `on` says whose gradients: the receiver of the call, its first
argument, all its arguments, or everything within reach.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from ..events.event import Kind
from .things import Thing


class On(enum.Enum):
    RECEIVER = "receiver"
    FIRST = "first argument"
    ARGUMENTS = "arguments"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Idiom:
    kind: Kind
    on: On
    receiver: frozenset[Thing] | None = None
    """What the receiver must be known to be; None accepts anything."""
    scaled: bool = False
    """The receiver is the loss scaler it goes through."""


def _needs(*things: Thing) -> frozenset[Thing]:
    return frozenset(things)


METHODS: dict[str, tuple[Idiom, ...]] = {
    "zero_grad": (Idiom(Kind.ZERO, On.RECEIVER),),
    "step": (
        Idiom(Kind.CONSUME, On.FIRST, _needs(Thing.SCALER), scaled=True),
        Idiom(Kind.CONSUME, On.RECEIVER, _needs(Thing.OPTIMIZER)),
    ),
    "unscale_": (Idiom(Kind.UNSCALE, On.FIRST, scaled=True),),
    "unscale_gradients": (Idiom(Kind.UNSCALE, On.EVERYTHING),),
    "update": (Idiom(Kind.UPDATE, On.RECEIVER, _needs(Thing.SCALER), scaled=True),),
    "manual_backward": (Idiom(Kind.DEPOSIT, On.EVERYTHING),),
    "clip_gradients": (Idiom(Kind.READ, On.FIRST),),
    "optimizer_step": (Idiom(Kind.CONSUME, On.FIRST),),
    "clip_grad_norm_": (Idiom(Kind.READ, On.FIRST),),
    "clip_grad_value_": (Idiom(Kind.READ, On.FIRST),),
}

FUNCTIONS: dict[str, tuple[Idiom, ...]] = {
    "torch.autograd.backward": (Idiom(Kind.DEPOSIT, On.EVERYTHING),),
    "optimizer_step": (Idiom(Kind.CONSUME, On.FIRST),),
    "clip_grad_norm_": (Idiom(Kind.READ, On.FIRST),),
    "clip_grad_norm": (Idiom(Kind.READ, On.FIRST),),
    "clip_grad_value_": (Idiom(Kind.READ, On.FIRST),),
}

# An unseen callee with such a name may clear gradients by itself.
ZEROES = re.compile(r"(?:zero|reset|clear|clean|flush|null)_?(?:all_?|the_?)?grad|set_zero", re.I)

# An unseen callee with such a name may do anything to the gradients of what it can reach.
SPEAKS = re.compile(
    r"(?:^|_)zero(?:$|_)|(?:^|_)step|train|optimi|backward|grad|hook|callback|learn|fit(?:$|_)|closure|scaler",
    re.I,
)

# An object built over a network, but no optimizer, trains it only by such a method.
TRAINS = re.compile(r"zero_?grad|backward|train|fit(?:$|_)", re.I)

# An unseen callee with such a name leaves gradients alone, whatever it is given.
HARMLESS = re.compile(
    r"clip|^(?:len|print|str|repr|isinstance|hasattr|getattr|id|type|vars|next|append|extend|format"
    r"|debug|info|warning|error|exception|get|pop|keys|values|items|index|copy|deepcopy|sum|min|max"
    r"|float|int|bool|any|all|abs|round|hash|callable|setattr|join|OrderedDict|zip|map|filter|list|dict|tuple|set|enumerate|range|prepare|watch|register\w*|isnan|isfinite"
    r"|barrier|broadcast\w*|all_reduce|empty_cache|synchronize|state_dict|add_param_group|share_memory"
    r"|initialize|master_params|optimizers|(?:un)?toggle_optimizer|no_backward_sync|item|detach|mean|size|numel|set_postfix|set_description|add_scalars?|log\w*|save\w*|load\w*"
    r"|restore\w*|dump\w*|write\w*|report\w*|plot\w*|show\w*|eval\w*|valid\w*|test\w*|adjust\w*"
    r"|wrap\w*|count\w*|no_sync|accumulate|autocast|no_grad|enable_grad|set_grad_enabled|profile\w*"
    r"|train|eval|parameters|named_parameters|modules|children|to|cuda|cpu|requires_grad_?"
    r"|accumulation\w*|param_groups|defaults|compute_\w*loss|calc\w*_loss|loss\w*|\w*_loss|criterion)$"
    r"|sched|warm_?up|(?:^|_)lr(?:$|_)|LR$|learning_rate|checkpoint|ckpt|logg|metric|EarlyStop|EMA"
    r"|summary|_mode$|grad_norm|num_grad|freeze|anomaly|get_grad|zero_division",
)

# FSDP2's switches say when gradients are exchanged, not what becomes of them.
SWITCHES = frozenset(
    "set_is_last_backward set_requires_gradient_sync set_requires_all_reduce "
    "set_reshard_after_backward set_unshard_in_backward set_modules_to_backward_prefetch "
    "set_gradient_divide_factor set_post_optim_event".split()
)

# Called with nothing, such a method only tells something.
TELLS = re.compile(r"^(?:get|num|is|has|current|last)_")

# Keyword arguments of a backward call that limit whose gradients it reaches.
BACKWARD_INPUTS = "inputs"

# `with accelerator.accumulate(model):` lets steps and zeroings through once per window only.
ACCUMULATING_CONTEXTS = frozenset({"accumulate"})
# `with amp.scale_loss(loss, optimizer) as scaled:` saves gradients when it is entered.
LOSS_CONTEXTS = frozenset({"scale_loss"})

ACCUMULATES = re.compile(
    r"sync_gradients|accum|should_(?:step|update)|do_(?:step|update)|is_(?:update|step)|update_grad",
    re.I,
)
