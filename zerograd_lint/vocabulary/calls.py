"""What each method and function of PyTorch and its frameworks does to gradients.

A new idiom is one entry in `METHODS` or `FUNCTIONS`: the gate, the prefilter and the events all
read these tables.
"""

from __future__ import annotations

import enum

from .libraries import Meaning, last_names_of
from .things import Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


class Effect(enum.Flag):
    """What code does to gradients; several at once when it is a whole function."""

    NOTHING = 0
    DEPOSIT = enum.auto()
    """A backward pass adds into gradients."""
    CONSUME = enum.auto()
    """Gradients are applied: a step."""
    ZERO = enum.auto()
    """Gradients are cleared."""
    READ = enum.auto()
    """A `.grad` is used."""
    CLIP = enum.auto()
    """The gradients of parameters are clipped."""
    UNSCALE = enum.auto()
    """A loss scaler divides its scale out of gradients."""
    UPDATE = enum.auto()
    """A loss scaler ends its step and chooses the next scale."""
    SCALED = enum.auto()
    """A step or an unscaling is given what to act on, as those of a loss scaler are."""
    UNCALLED = enum.auto()
    """A zeroing is named as a statement, but not called."""
    EMPTIED = enum.auto()
    """Gradients are cleared in a way that may leave None behind."""
    IN_PLACE = enum.auto()
    """A `.grad` is cleared where it stands, which fails if it is None, and no `if` asks."""
    NEEDED = enum.auto()
    """A `.grad` is used in another way that fails if it is None, and no `if` asks."""
    SHARED = enum.auto()
    """A `.grad` is given to another owner as well, put into a list or table, or added to a sum."""
    IRREGULAR = enum.auto()
    """More is done than plain turns, which clear, fill and apply gradients one after the other."""


class On(enum.Enum):
    """Whose gradients a call acts on."""

    RECEIVER = "receiver"
    FIRST = "first argument"
    LOSS = "loss"
    """All that a loss was computed from. The receiver is that loss, or a launcher or an optimizer
    that is given it; what other receivers do with a loss is not known."""
    EVERYTHING = "everything"
    """All that is within reach, whatever the receiver is."""


class Idiom:
    """One meaning of a method or function."""

    __slots__ = ("closure", "effect", "on", "receiver", "scaled")

    def __init__(
        self,
        effect: Effect,
        on: On,
        receiver: Thing | None = None,
        *,
        scaled: bool = False,
        closure: bool = False,
    ) -> None:
        self.effect = effect
        self.on = on
        self.receiver = receiver
        """What the receiver must be known to be; None accepts anything."""
        self.scaled = scaled
        """The receiver is the loss scaler it goes through."""
        self.closure = closure
        """It needs an argument: a closure that is run before."""


METHODS: dict[str, tuple[Idiom, ...]] = {
    "backward": (Idiom(Effect.DEPOSIT, On.LOSS),),
    "manual_backward": (Idiom(Effect.DEPOSIT, On.EVERYTHING),),
    "zero_grad": (Idiom(Effect.ZERO, On.RECEIVER),),
    "step": (
        Idiom(Effect.CONSUME, On.RECEIVER, Thing.OPTIMIZER, closure=True),
        Idiom(Effect.CONSUME, On.FIRST, Thing.SCALER, scaled=True),
        Idiom(Effect.CONSUME, On.RECEIVER, Thing.OPTIMIZER),
    ),
    "optimizer_step": (Idiom(Effect.CONSUME, On.FIRST),),
    "unscale_": (Idiom(Effect.UNSCALE, On.FIRST, scaled=True),),
    "unscale_gradients": (Idiom(Effect.UNSCALE, On.EVERYTHING),),
    "update": (Idiom(Effect.UPDATE, On.RECEIVER, Thing.SCALER, scaled=True),),
    "clip_gradients": (Idiom(Effect.CLIP, On.FIRST),),
    "clip_grad_norm_": (Idiom(Effect.CLIP, On.FIRST),),
    "clip_grad_value_": (Idiom(Effect.CLIP, On.FIRST),),
}
"""By name. Of several meanings the first one counts that fits: see `method_idiom`."""

FUNCTIONS: dict[str, Idiom] = {
    "torch.autograd.backward": Idiom(Effect.DEPOSIT, On.EVERYTHING),
    "optimizer_step": Idiom(Effect.CONSUME, On.FIRST),
    "clip_grad_norm_": Idiom(Effect.CLIP, On.FIRST),
    "clip_grad_norm": Idiom(Effect.CLIP, On.FIRST),
    "clip_grad_value_": Idiom(Effect.CLIP, On.FIRST),
    "timm.utils.adaptive_clip_grad": Idiom(Effect.CLIP, On.FIRST),
    "timm.utils.agc.adaptive_clip_grad": Idiom(Effect.CLIP, On.FIRST),
    "timm.utils.dispatch_clip_grad": Idiom(Effect.CLIP, On.FIRST),
}
"""By qualified name; a name without a dot means that function of whatever module."""

CLIP_LIMITS = frozenset({"max_norm", "clip_value"})
"""The keyword arguments of clipping functions that say how large gradients may be."""
INFINITE = frozenset({"inf", "infinity", "Inf"})
"""How a limit is spelt that clips nothing."""
CLIPS_NOTHING = 1e5
"""A limit that no norm of a network in training reaches: it is there for the norm alone."""
SCALES_LOSS = "scale"
"""The method of a loss scaler that gives the loss to go backward from."""
TOLD_TO_CLEAR = "zero_grad"
"""The argument that tells the steps of sharpness-aware optimizers to clear gradients."""
BACKWARD_INPUTS = "inputs"
"""The keyword argument of a backward that says whose gradients it reaches."""


def method_idiom(name: str, receiver: Collection[Thing | None], *, given: bool) -> Idiom | None:
    """The first meaning of a method that fits its receiver, and whether it is given arguments."""
    for idiom in METHODS.get(name, ()):
        if idiom.receiver is not None and idiom.receiver not in receiver:
            continue
        if given or not idiom.closure:
            return idiom
    return None


def function_idiom(qualified_name: str) -> Idiom | None:
    """The meaning of a function: by its qualified name first, then by the last part of it."""
    found = FUNCTIONS.get(qualified_name)
    return found if found is not None else FUNCTIONS.get(last_part(qualified_name))


def last_part(qualified_name: str) -> str:
    """The last part of a dotted name: `step` of `torch.optim.SGD.step`."""
    return qualified_name.rpartition(".")[2]


_STEPS_OF_LIBRARIES = last_names_of(Meaning.CLEARS_IF_TOLD)


def _effects() -> dict[str, Effect]:
    found: dict[str, Effect] = {}
    for name, idioms in (*METHODS.items(), *((n, (idiom,)) for n, idiom in FUNCTIONS.items())):
        for idiom in idioms:
            word = last_part(name)
            found[word] = found.get(word, idiom.effect) | idiom.effect
    found.update(dict.fromkeys(_STEPS_OF_LIBRARIES, Effect.CONSUME | Effect.ZERO))
    return found


EFFECTS: dict[str, Effect] = _effects()
"""By the last part of a name: all that a call of it may do, whatever it is called on."""
FUNCTION_NAMES = frozenset(last_part(name) for name in FUNCTIONS)
"""The last parts of function names: an import can give them another name."""
ON_RECEIVER_ONLY = frozenset(
    name
    for name, idioms in METHODS.items()
    if name not in FUNCTION_NAMES and all(idiom.receiver is not None for idiom in idioms)
).union(_STEPS_OF_LIBRARIES)
"""Common words, such as `step`, that mean something only as methods of the right receiver."""
SCALER_METHODS = frozenset(
    name
    for name, idioms in METHODS.items()
    if any(idiom.scaled and idiom.on is On.FIRST for idiom in idioms)
)
"""Methods by which a loss scaler acts on what it is given."""
ZEROING_METHODS = frozenset(
    name
    for name, idioms in METHODS.items()
    if any(idiom.effect is Effect.ZERO and idiom.on is On.RECEIVER for idiom in idioms)
)
"""Methods that clear the gradients of their receiver."""
BACKWARD_METHODS = frozenset(
    name for name, idioms in METHODS.items() if any(i.effect is Effect.DEPOSIT for i in idioms)
)
"""Methods that run a backward."""


def names_with(effect: Effect) -> tuple[str, ...]:
    """The words, in order, by which a call may have this effect."""
    return tuple(sorted(name for name, effects in EFFECTS.items() if effects & effect))
