"""The events in the life of a gradient buffer: one small class for each kind.

A name that is given another object is a `Rebind` of the program, whatever the object is; that it is
a new one is said by `Create`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..program import Function, Ref
from .site import Guard, Site


@dataclass(slots=True, eq=False, kw_only=True)
class Event:
    """Something happens to the gradients of a subject."""

    subject: Ref | None = None
    """The object whose gradients it is about; None means everything within reach."""
    site: Site = field(init=False)
    spelling: str = field(init=False)
    """The subject as the code spells it there: the receiver of a call that would clear it."""

    def beside(self, other: Event) -> bool:
        """Whether both events stand in the same loop of the same function."""
        here, there = self.site, other.site
        return here.function is there.function and here.loops == there.loops

    def reachable_in(self, function: Function) -> bool:
        """Whether the subject has the same name in another function."""
        if self.subject is None:
            return False
        scope: Function | None = function
        if self.subject.name == "self":
            return function.owner_class is not None and self.subject.scope == function.owner_class
        while scope is not None:
            if self.subject.scope == scope.scope:
                return True
            scope = scope.enclosing
        return False


@dataclass(frozen=True, slots=True)
class Unsynchronised:
    """A context such as `model.no_sync()`, as a backward sees it."""

    guard: Guard | None = None
    """The test under which it is entered, where it is not entered always."""
    backward_only: bool = False
    """The loss was computed before it."""


@dataclass(slots=True, eq=False, kw_only=True)
class Zero(Event):
    """The subject's buffers are cleared."""

    by_hand: bool = False
    """On the tensor itself, not through an optimizer or a module."""
    of_module: bool = False
    """Through a module, not through an optimizer."""
    of_window: bool = False
    """Its subject is the module whose window a launcher keeps around it."""
    needs_buffer: bool = False
    """It fails if the buffer is None."""
    leaves_none: bool = False
    """The buffer is None afterwards."""
    shorter: str = ""
    """The short call that would do the same, when there is one."""
    loop: Site | None = None
    """The loop that does it by hand."""


@dataclass(slots=True, eq=False, kw_only=True)
class Deposit(Event):
    """A backward pass adds into buffers."""

    inputs: tuple[Ref, ...] | None = None
    """The only owners reached, when the code says so."""
    scaler: Ref | None = None
    """The loss scaler it goes through."""
    replaces: bool = False
    """The gradient is put there by hand, in place of what was there."""
    loss_is_argument: bool = False
    """The loss came in as an argument, so this is a part of the caller's iteration."""
    divided: bool = False
    """The loss was divided by something, or came from unread code that may have done so."""
    divisors: frozenset[int | str] = frozenset()
    """What it was divided by: numbers, or how the code spells them."""
    sources: frozenset[Ref] = frozenset()
    """The modules and tensors the loss was computed with, as far as can be seen."""
    origins: frozenset[Ref] | None = None
    """All that the loss can have come from, parameters included, where that is known."""
    made_by: frozenset[object] = frozenset()
    """The calls, as nodes, whose values went into the loss."""
    wrapper: Site | None = None
    """The `with` statement it must not be separated from."""
    unsynchronised: Unsynchronised | None = None
    """A context around it, under which processes do not exchange gradients."""
    managed: bool = False
    """A launcher decides when its window closes and divides the loss."""


@dataclass(slots=True, eq=False, kw_only=True)
class Consume(Event):
    """The subject's gradient is applied."""

    scaler: Ref | None = None
    """The loss scaler it goes through."""
    by_hand: bool = False
    """On the tensor itself, not through an optimizer."""
    by_name: bool = False
    """What is applied is a gradient that was given a name before, and may have been kept there."""
    closure_start: Site | None = None
    """The first statement of the closure that is evaluated for it."""
    by_trainer: bool = False
    """A trainer does it behind the function it stands for, and clears then."""
    call: str = ""
    """The call as it stands in the line: `scaler.step(optimizer)`."""


@dataclass(slots=True, eq=False, kw_only=True)
class Read(Event):
    """The subject's gradient is looked at, clipped or copied."""

    needs_buffer: bool = False
    """It fails if the buffer is None."""
    through: tuple[Ref, ...] = ()
    """The modules that are clipped."""
    measures: bool = False
    """How large it is makes a difference: its norm is taken, or it is cut down."""
    only_asked: bool = False
    """It is asked whether it is finite, or what a test expects: a scale makes no difference."""


@dataclass(slots=True, eq=False, kw_only=True)
class Clip(Read):
    """The gradients of modules are cut down where they are too large."""

    movable: bool = False
    """The call is a statement by itself, so nothing else needs its result."""
    launcher: str = ""
    """The launcher that decides here when a window closes, as the code spells it."""


@dataclass(slots=True, eq=False, kw_only=True)
class Share(Event):
    """The subject's buffer is given to another owner as well: `p.grad = q.grad`."""

    receiver: Ref | None = None
    """The owner that it is given to."""


@dataclass(slots=True, eq=False, kw_only=True)
class Keep(Share):
    """What the subject's buffer holds is kept: put into a list or table, or added to a sum."""


@dataclass(slots=True, eq=False, kw_only=True)
class Unscale(Event):
    """A loss scaler divides its scale out of the subject's gradient."""

    scaler: Ref | None = None


@dataclass(slots=True, eq=False, kw_only=True)
class Update(Event):
    """A loss scaler ends its step and chooses the next scale."""

    scaler: Ref | None = None


@dataclass(slots=True, eq=False, kw_only=True)
class Escape(Event):
    """The subject is handed to unread code that may do anything to its gradients."""


@dataclass(slots=True, eq=False, kw_only=True)
class HandOver(Event):
    """The subject is handed to unread code that could at most start a backward from it."""


@dataclass(slots=True, eq=False, kw_only=True)
class AskScale(Event):
    """The subject, a loss scaler, is asked for its scale, which is then reckoned with by hand."""


@dataclass(slots=True, eq=False, kw_only=True)
class Forward(Event):
    """A network is run: something is computed that a backward could start from."""


@dataclass(slots=True, eq=False, kw_only=True)
class Create(Event):
    """The subject is a new tensor or module: a backward has not filled its buffers yet."""


@dataclass(slots=True, eq=False, kw_only=True)
class Ask(Event):
    """The code asks whether there is a gradient: from then on it knows more than is seen here."""


@dataclass(slots=True, eq=False, kw_only=True)
class UnreadCall(Event):
    """A call of which nothing is known; a backward may run in it."""

    for_effect: bool = False
    """It is a statement by itself: it is there for what it does."""
    may_hold: bool = False
    """What is called is no function of a module, so it may hold networks it is not given."""
    given_nothing: bool = False
    """It has no arguments, so what is called holds all that it works on, if it does anything."""

    @property
    def works_by_itself(self) -> bool:
        """It is there for what it does, as `step()` is, or for all it has: `loss = closure()`."""
        return self.for_effect or (self.may_hold and self.given_nothing)


@dataclass(slots=True, eq=False, kw_only=True)
class Advance(Event):
    """The schedule of a learning rate moves on."""


@dataclass(slots=True, eq=False, kw_only=True)
class NewPart(Event):
    """The subject, a module or a part of one, is made anew, with parameters of its own."""


@dataclass(slots=True, eq=False, kw_only=True)
class Extend(Event):
    """The subject, an optimizer, is given more parameters."""


@dataclass(slots=True, eq=False, kw_only=True)
class Spoil(Event):
    """Gradients turn out not to be finite: the branch of a test that has found this."""

    finite: bool = False
    """They are merely too large: their norm is above a limit."""
    asks_more: bool = False
    """The test asks something else as well, maybe whether a loss scaler is at work."""


@dataclass(slots=True, eq=False, kw_only=True)
class Uncalled(Event):
    """A zeroing is named but not called: `optimizer.zero_grad`."""


def scaler_of(event: Event) -> Ref | None:
    """The loss scaler an event goes through, if there is one."""
    return event.scaler if isinstance(event, Deposit | Consume | Unscale | Update) else None


def needs_buffer(event: Event) -> bool:
    """Whether the event fails where the buffer is None."""
    return isinstance(event, Zero | Read) and event.needs_buffer


def is_by_hand(event: Event) -> bool:
    """Whether the event works on the tensor itself."""
    return isinstance(event, Zero | Consume) and event.by_hand
