"""Take out of a program what no path can notice, so that following the paths stays cheap.

A training file is mostly data handling and logging: names rebound that nobody tracks, branches
and loops without events, functions that do neither. What remains is a small skeleton.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable

from ..program import (
    Block,
    Branch,
    Choice,
    Emit,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
    Ref,
    Statement,
    Suspend,
    Try,
    atoms,
    walk,
)

_WITHIN_LOOP = (JumpKind.BREAK, JumpKind.CONTINUE)
_EVERYTHING = "*"


class Tracked:
    """The objects whose rebinding can change what a path knows."""

    def __init__(self, refs: Iterable[Ref]) -> None:
        self._parts: set[tuple[str, str, str]] = set()
        for ref in refs:
            self.add(ref)

    def add(self, ref: Ref) -> None:
        self._parts.add((ref.scope, ref.name, ""))
        if ref.path:
            self._parts.add((ref.scope, ref.name, _first(ref)))

    def add_whole(self, ref: Ref) -> None:
        """Whatever becomes of any part of this matters."""
        self._parts.add((ref.scope, ref.name, ""))
        self._parts.add((ref.scope, ref.name, _EVERYTHING))

    def __contains__(self, ref: Ref) -> bool:
        first = _first(ref) if ref.path else ""
        return (ref.scope, ref.name, first) in self._parts or (
            bool(first) and (ref.scope, ref.name, _EVERYTHING) in self._parts
        )


def _first(ref: Ref) -> str:
    # Any element of a collection may be the one that is meant.
    return "[" if ref.path[0].startswith("[") else ref.path[0]


def trim(functions: list[Function], tracked: Iterable[Ref], idle: Callable[[object], bool]) -> None:
    """Shorten the bodies of all functions of a program in place; `idle` events go as well."""
    refs = list(tracked)
    # What goes in the first round may be what kept a test or a call worth following.
    for _ in range(2):
        # What the parameters of a function stand for matters only if events can happen in it.
        eventful = _noisy(functions, Tracked(()), idle)
        wanted = _wanted(functions, refs, eventful)
        noisy = _noisy(functions, wanted, idle)
        trimmer = _Trimmer(wanted, noisy, idle)
        for function in functions:
            function.body = trimmer.block(function.body)


def _wanted(functions: list[Function], refs: list[Ref], eventful: set[Function]) -> Tracked:
    tracked = Tracked(refs)
    asked: Counter[Hashable] = Counter()
    read: dict[Hashable, set[Ref]] = {}
    for function in functions:
        for statement in walk(function.body):
            match statement:
                case Branch(test):
                    for atom in atoms(test):
                        asked[atom.key] += 1
                        read.setdefault(atom.key, set()).update(atom.reads)
                case Loop(each=each):
                    for ref in each:
                        tracked.add(ref)
                case Invoke(callee, binding) if callee in eventful:
                    for parameter, argument in binding:
                        tracked.add_whole(parameter)
                        tracked.add_whole(argument)
    for key, times in asked.items():
        if times > 1 and key is not None:
            for ref in read[key]:
                tracked.add(ref)
    return tracked


def _noisy(
    functions: list[Function], wanted: Tracked, idle: Callable[[object], bool]
) -> set[Function]:
    """The functions whose call can be noticed, by what they do or by what they call."""
    callers: dict[Function, list[Function]] = {}
    noisy: set[Function] = set()
    for function in functions:
        for statement in walk(function.body):
            if isinstance(statement, Invoke):
                callers.setdefault(statement.function, []).append(function)
                if statement.consumer is not None:
                    noisy.add(function)
            elif _is_noticed(statement, wanted, idle):
                noisy.add(function)
    pending = list(noisy)
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in noisy:
                noisy.add(caller)
                pending.append(caller)
    return noisy


def _is_noticed(statement: Statement, wanted: Tracked, idle: Callable[[object], bool]) -> bool:
    match statement:
        case Emit(event):
            return not idle(event)
        case Suspend() | Jump(JumpKind.RAISE):
            return True
        case Rebind(refs):
            return any(ref in wanted for ref in refs)
        case Loop(endless=endless):
            return endless
    return False


class _Trimmer:
    def __init__(
        self, wanted: Tracked, noisy: set[Function], idle: Callable[[object], bool]
    ) -> None:
        self._wanted = wanted
        self._noisy = noisy
        self._idle = idle

    def block(self, block: Block) -> Block:
        kept: Block = []
        for statement in block:
            if self._keeps(statement):
                kept.append(statement)
                if isinstance(statement, Jump):
                    break
        return kept

    def _keeps(self, statement: Statement) -> bool:
        """Whether a statement stays; what is inside it is trimmed on the way."""
        match statement:
            case Emit(event):
                return not self._idle(event)
            case Rebind(refs):
                return any(ref in self._wanted for ref in refs)
            case Branch():
                statement.then = self.block(statement.then)
                statement.orelse = self.block(statement.orelse)
                return bool(statement.then or statement.orelse)
            case Choice():
                statement.arms = tuple(self.block(arm) for arm in statement.arms)
                return any(statement.arms)
            case Loop():
                statement.body = self.block(statement.body)
                statement.orelse = self.block(statement.orelse)
                return (
                    statement.endless or bool(statement.orelse) or not _only_goes_on(statement.body)
                )
            case Try():
                statement.body = self.block(statement.body)
                statement.handlers = tuple(self.block(part) for part in statement.handlers)
                statement.orelse = self.block(statement.orelse)
                statement.final = self.block(statement.final)
                return bool(
                    statement.body or any(statement.handlers) or statement.orelse or statement.final
                )
            case Invoke():
                if statement.consumer is not None:
                    statement.consumer = self.block(statement.consumer)
                    return True
                return statement.function in self._noisy
        return True


def _only_goes_on(body: Block) -> bool:
    """Nothing in the body of a loop happens but the choice to stop it."""
    return all(
        isinstance(statement, Branch | Choice)
        or (isinstance(statement, Jump) and statement.kind in _WITHIN_LOOP)
        for statement in walk(body)
    )
