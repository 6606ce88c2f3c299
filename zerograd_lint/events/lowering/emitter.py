"""Where in the source the lowering stands, and how an event is written down there."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import libcst as cst

from ...program import Block, Branch, Condition, Constant, Emit, Function, Invoke, Ref
from ...syntax.names import code_of, dotted, short_call
from ...syntax.unused_values import unused_values
from ..event import Clip, Consume, Deposit, Event, Unsynchronised, Zero
from ..scopes.scope import Definition, Scope
from ..site import Guard, Site
from .condition_visitor import LAST_OF_WINDOW

Binding = tuple[tuple[Ref, Ref], ...]
"""Parameters, each with what it stands for."""


@dataclass(slots=True)
class Frame:
    """A place in the source."""

    scope: Scope
    function: Function
    statement: cst.CSTNode
    block: int = 0
    loops: tuple[int, ...] = ()
    guards: tuple[Guard, ...] = ()
    branches: tuple[Site, ...] = ()
    own_line: bool = True
    only: bool = False
    conditional: bool = False
    """A test around it, also one outside its loop, decides whether it is reached."""
    caught: bool = False
    """Errors that are foreseen are handled around it."""
    fails: bool = False
    """What stands here is there to fail."""
    launcher: str = ""
    """What decides here which of the steps and zeroings really happen, as the code spells it."""
    accumulated: frozenset[Ref] = frozenset()
    """The modules whose window that launcher keeps."""
    wrapper: Site | None = None
    """The `with` statement that the backward must not be separated from."""
    unsynchronised: Unsynchronised | None = None
    """The context in which processes do not exchange gradients."""


class Emitter:
    """Keeps the present place and turns events into statements of the program."""

    frame: Frame

    def __init__(self) -> None:
        self._numbers = 0
        self.deferred_zeros: list[Zero] = []
        """Zeroings handed around as values, which run at an unknown time."""
        self.invoked: list[Definition] = []
        """The functions that are run, in the order in which they first are found to be."""

    @property
    def scope(self) -> Scope:
        """The scope names are looked up in at the present place."""
        return self.frame.scope

    def number(self) -> int:
        """A number for a new block, loop or place, larger than all before."""
        self._numbers += 1
        return self._numbers

    @contextmanager
    def within(self, frame: Frame) -> Iterator[None]:
        """Stand somewhere else for a while."""
        outer, self.frame = self.frame, frame
        try:
            yield
        finally:
            self.frame = outer

    @contextmanager
    def conditional(self, test: Condition) -> Iterator[None]:
        """Stand where one answer to a test leads."""
        frame = self.frame
        with self.within(replace(frame, conditional=frame.conditional or may_fail(test))):
            yield

    def site(self, node: cst.CSTNode) -> Site:
        """The present place, for a node in the present statement."""
        frame = self.frame
        return Site(
            node,
            frame.statement,
            frame.function,
            frame.block,
            frame.loops,
            frame.guards,
            frame.branches,
            frame.own_line,
            frame.only,
            self.number(),
            frame.conditional,
            frame.caught,
            frame.fails,
        )

    def is_statement(self, node: cst.CSTNode) -> bool:
        """Whether a call stands on a line of its own, so that it is there for what it does."""
        return any(line is node for line in self._lines())

    def is_unused(self, node: cst.CSTNode) -> bool:
        """Whether nothing uses the value of an expression."""
        return any(value is node for line in self._lines() for value in unused_values(line))

    def _lines(self) -> Iterator[cst.BaseExpression]:
        """The expressions of the present statement that stand on a line of their own."""
        statement = self.frame.statement
        if isinstance(statement, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            yield from (small.value for small in statement.body if isinstance(small, cst.Expr))

    def emit(
        self,
        event: Event,
        subjects: Iterable[Ref | None],
        node: cst.CSTNode,
        spelt: cst.BaseExpression,
    ) -> Block:
        """Let an event happen at a node, once for each subject; `spelt` is how it names them."""
        frame = self.frame
        if frame.launcher and _waits_for_launcher(event):
            guards = (*frame.guards, Guard.of(LAST_OF_WINDOW, True))
            with self.within(replace(frame, launcher="", guards=guards)):
                happens = self.emit(event, subjects, node, spelt)
            return [Branch(LAST_OF_WINDOW, happens, [])] if happens else []
        if isinstance(event, Deposit):
            event.wrapper, event.managed = frame.wrapper, bool(frame.launcher)
            event.unsynchronised = frame.unsynchronised
        if isinstance(event, Clip):
            event.launcher, event.movable = frame.launcher, self.is_statement(node)
        found: Block = []
        for subject in dict.fromkeys(subjects):
            one = copy.copy(event) if found else event
            if not found:
                one.site, one.spelling = self.site(node), dotted(spelt) or code_of(spelt)
                if isinstance(one, Consume):
                    one.call = short_call(node)
            one.subject = subject
            if isinstance(one, Zero):
                one.of_window = subject in frame.accumulated
            found.append(Emit(one))
        return found

    def invoke(
        self,
        definition: Definition,
        binding: Binding,
        node: cst.CSTNode,
        tests: tuple[tuple[Ref, Condition], ...] = (),
    ) -> Invoke:
        """Run a function at a node; `binding` says what its parameters stand for."""
        self.invoked.append(definition)
        return Invoke(definition.function, binding, site=self.site(node), tests=tests)

    def defer_zero(
        self, subjects: Iterable[Ref | None], node: cst.CSTNode, spelt: cst.BaseExpression
    ) -> None:
        """A zeroing that may happen at any time."""
        for statement in self.emit(Zero(), subjects, node, spelt):
            if isinstance(statement, Emit) and isinstance(statement.event, Zero):
                self.deferred_zeros.append(statement.event)


def may_fail(test: Condition) -> bool:
    """Whether a test has another answer at times: `if __name__ == "__main__":` has not."""
    return not isinstance(test, Constant) or test.assumed


def _waits_for_launcher(event: Event) -> bool:
    """Whether a launcher lets it happen at the end of a window only, as it does of optimizers."""
    match event:
        case Zero():
            return not (event.by_hand or event.of_module)
        case Consume():
            return not event.by_hand
    return False
