"""Entry points: the functions where a run of the file may begin, once or again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from ..argument import Answer, Question, no, not_known, yes
from ..events.event import Consume, Deposit, Event, Keep, Zero, needs_buffer, scaler_of
from ..events.site import Site
from ..flow.invocations import Invocations
from ..program import Emit, Function, Invoke, Loop, Ref, Suspend
from ..vocabulary.frameworks import TEST_PREFIX
from .automata.call_boundary import CallBoundary
from .file_facts import FileFacts
from .places import Places


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A function where a run of the file may begin, with all it may run."""

    root: Function
    reached: Sequence[Function]
    """The root and all functions it may call."""
    events: Sequence[Event]
    """The events of all of them, in the order of the program."""
    own_events: Sequence[Event]
    """The events of the root itself."""
    has_callers: bool = False
    """Others in view call it, and are too entangled to follow."""

    def is_worth_following(self) -> bool:
        """Whether any automaton would be started, and could end up anywhere but where it began.

        Each follows a step, or a buffer that is needed or kept, through what fills and clears; a
        loss scaler has states of its own.
        """
        asked = any(isinstance(e, Consume | Keep) or needs_buffer(e) for e in self.events)
        return asked and any(
            isinstance(event, Deposit | Zero) or scaler_of(event) is not None
            for event in self.events
        )

    def called_again(self, owner: Ref, facts: FileFacts) -> Answer:
        """Whether the root is surely called again and again with the same owner."""
        root = self.root
        if self.has_callers:
            reason = f"no loop in view, and what calls {root.name} is too entangled to follow"
            return not_known(Question.REPEATED, reason)
        if not root.scope:
            return no(Question.REPEATED, "no loop in view leads back to it")
        # A test runner calls each test once, with a new instance and new arguments.
        if root.name.startswith(TEST_PREFIX):
            return no(Question.REPEATED, "a test runs once, with new objects")
        if not self.is_outlived_by(owner):
            return no(Question.REPEATED, f"'{owner}' is new in every call of {root.name}")
        if facts.runs_per_batch(root, owner):
            return yes(Question.REPEATED, f"{root.name} is called for every batch")
        return facts.private(owner)

    def counts_calls(self, owner: Ref, places: Places) -> bool:
        """Whether the root counts how often it is called, and steps in some of its calls only.

        A step under `if calls % n == 0:` outside of all loops: whoever runs it runs it in one.
        """
        root = self.root
        if self.has_callers or not root.scope or root.name.startswith(TEST_PREFIX):
            return False
        if not self.is_outlived_by(owner):
            return False
        found = (places.of(event) for event in self.events if isinstance(event, Consume))
        return any(
            place is not None and not place.loops and any(g.periodic for g in place.guards)
            for place in found
        )

    def again(self) -> Function:
        """The root, called again and again: one iteration of a loop in another file."""
        root = self.root
        # If it is a generator, unread code runs whenever it pauses.
        again = Loop([Invoke(root, consumer=[Suspend()]), Emit(CallBoundary())], endless=True)
        return Function(f"{root.name} again", f"{root.scope}*", body=[again])

    def is_outlived_by(self, owner: Ref) -> bool:
        """Whether an owner is there before the root is called, and after that."""
        if owner.root in self.root.parameters:
            return True
        return all(owner.scope != function.scope for function in self.reached)


def entry_points(invocations: Invocations, own: Set[Function]) -> Iterator[EntryPoint]:
    """The entry points of a file among its own functions, as `invocations` found them."""
    for root, reached in invocations.entry_points(own).items():
        yield _entered(root, reached, invocations)


def loops_within(
    entry: EntryPoint, invocations: Invocations, own: Set[Function]
) -> Iterator[EntryPoint]:
    """The functions of an entry point that have the loop of a step, each to be followed by itself.

    What happens from one pass of a loop to the next is the same whoever calls.
    """
    found = [
        _entered(function, invocations.reachable(function), invocations, has_callers=True)
        for function in entry.reached
        if function in own and function is not entry.root
    ]
    followed: set[Event] = set()
    for within in sorted(found, key=lambda within: len(within.events)):
        steps = {event for event in within.events if isinstance(event, Consume)}
        if steps <= followed or not _has_loop_of_step(within.root, invocations):
            continue  # what has a loop around all that is one of its callers
        followed |= steps
        yield within


def _entered(
    root: Function,
    reached: Sequence[Function],
    invocations: Invocations,
    *,
    has_callers: bool = False,
) -> EntryPoint:
    """A function where a run begins, or is followed as if it did, with all that it may run."""
    events = [event for function in reached for event in events_of(function, invocations)]
    return EntryPoint(root, reached, events, events_of(root, invocations), has_callers)


def _has_loop_of_step(function: Function, invocations: Invocations) -> bool:
    """Whether a loop of this very function runs a step and a backward."""
    inside: dict[int, set[type]] = {}
    contents = invocations.contents(function)
    for event in contents.events:
        if isinstance(event, Consume | Deposit):
            for loop in event.site.loops:
                inside.setdefault(loop, set()).add(type(event))
    for call in contents.invocations:
        if isinstance(call.site, Site) and call.site.loops:
            run = {
                type(event)
                for reached in invocations.reachable(call.function)
                for event in events_of(reached, invocations)
                if isinstance(event, Consume | Deposit)
            }
            for loop in call.site.loops:
                inside.setdefault(loop, set()).update(run)
    return any(len(kinds) > 1 for kinds in inside.values())


def events_of(function: Function, invocations: Invocations) -> list[Event]:
    """The gradient events of one function, without those of the functions it calls."""
    found = invocations.contents(function).events
    return [event for event in found if isinstance(event, Event)]
