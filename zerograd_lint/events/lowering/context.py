"""Where in the source the front end stands, and how it writes down what happens there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import libcst as cst

from ...config.settings import Settings
from ...program import Block, Branch, Condition, Emit, Function, Ref
from ...syntax.names import code_of, dotted
from ..event import Event, Guard, Kind, Site
from ..objects.inventory import Inventory
from ..objects.provenance import Provenance
from ..objects.resolve import Objects
from ..scopes.index import Index, Scope
from .conditions import LAST_OF_WINDOW, Tests, periodic


@dataclass(frozen=True, slots=True)
class Frame:
    """Where in the source the lowering stands."""

    scope: Scope
    function: Function
    statement: cst.CSTNode
    block: int = 0
    loops: tuple[int, ...] = ()
    guards: tuple[Guard, ...] = ()
    branches: tuple[Site, ...] = ()
    alone: bool = True
    only: bool = False
    managed: bool = False
    """A launcher decides here which of the steps and zeroings really happen."""
    wrapper: Site | None = None


class Context:
    """What all parts of the front end share while they lower one file."""

    frame: Frame

    def __init__(self, index: Index, settings: Settings) -> None:
        self.index = index
        self.settings = settings
        self.objects = Objects(index)
        self.inventory = Inventory(self.objects, settings)
        self.provenance = Provenance(self.objects, self.inventory)
        self.tests = Tests()
        self._numbers = 0

    @property
    def scope(self) -> Scope:
        return self.frame.scope

    def site(self, node: cst.CSTNode) -> Site:
        frame = self.frame
        return Site(
            node,
            frame.statement,
            frame.function,
            frame.block,
            frame.loops,
            frame.guards,
            frame.branches,
            frame.alone,
            frame.only,
        )

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    @contextmanager
    def within(self, frame: Frame) -> Iterator[None]:
        outer, self.frame = self.frame, frame
        try:
            yield
        finally:
            self.frame = outer

    def subjects(self, node: cst.BaseExpression, scope: Scope | None = None) -> tuple[Ref, ...]:
        """The objects whose gradients an expression means; imported names have none."""
        refs = self.objects.resolve(node, scope or self.scope)
        return tuple(ref for ref in refs if ref.scope != "import")

    def emit(
        self,
        kind: Kind,
        subjects: Iterable[Ref | None],
        node: cst.CSTNode,
        spelt: cst.BaseExpression,
        **details: object,
    ) -> Block:
        spelling = dotted(spelt) or code_of(spelt)
        frame = self.frame
        if frame.managed and kind in (Kind.ZERO, Kind.CONSUME):
            guards = (*frame.guards, guard(LAST_OF_WINDOW, True))
            with self.within(replace(frame, managed=False, guards=guards)):
                happens = self.emit(kind, subjects, node, spelt, **details)
            return [Branch(LAST_OF_WINDOW, happens, [])] if happens else []
        if kind is Kind.DEPOSIT:
            details["wrapper"] = frame.wrapper
            details["managed"] = frame.managed
        return [
            Emit(Event(kind, subject, self.site(node), spelling, **details))  # type: ignore[arg-type]
            for subject in dict.fromkeys(subjects)
        ]


def guard(test: Condition, taken: bool) -> Guard:
    return Guard(test, taken, *periodic(test, taken))
