"""Where events stand: in the file that is checked, or in a module of its project that it runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from ..events.event import Event
from ..events.lowering.module import LoweredModule
from ..events.site import Site
from ..finding import Related, Span
from ..flow.invocations import Invocations
from ..program import Function
from ..syntax.positions import Positions


class LineNumber(int):
    """The number of a line; one of another file says so when it is printed."""

    file: str = ""

    def __str__(self) -> str:
        number = int.__repr__(self)
        return f"{number} of {self.file}" if self.file else number


class ModulePlaces(NamedTuple):
    """The positions in one module, and what it is called."""

    path: str
    positions: Positions


class SourcePlaces:
    """Finds the places of events and, for those of other modules, the way that leads there."""

    def __init__(self, modules: Mapping[str, ModulePlaces], lowered: LoweredModule) -> None:
        self._modules = modules
        self._lowered = lowered
        self._invocations = Invocations(lowered.functions)
        self._lines: dict[Event, LineNumber] = {}

    def line(self, event: Event) -> LineNumber:
        """The line of an event, with the name of its file if that is another one."""
        number = self._lines.get(event)
        if number is None:
            number = self._lines[event] = LineNumber(self._span(event.site).start.line)
            number.file = self._file(event.site)
        return number

    def _span(self, site: Site) -> Span:
        return self._modules[site.function.module].positions.span(site.node)

    def _file(self, site: Site) -> str:
        return site.function.module.rpartition("/")[2]

    def span(self, site: Site, along: Iterable[Event] = ()) -> Span:
        """Where a finding about a place, and the events along with it, stands in the file."""
        if not site.function.module:
            return self._span(site)
        main = self._modules[""].positions
        call = self._leading_call(site.function, {event.site.function for event in along})
        if call is not None:
            return main.span(call.node)
        owner = next(
            definition.scope.within
            for definition in self._lowered.resolver.index.definitions
            if definition.scope.within is not None and definition.function in self._lowered.own
            if site.function in self._invocations.reachable(definition.function)
        )
        return main.span(owner.node.name)

    def origin(self, site: Site) -> tuple[str, Span] | None:
        """The path and the span of a place in another module."""
        if not site.function.module:
            return None
        module = self._modules[site.function.module]
        return module.path, module.positions.span(site.node)

    def named(self, site: Site) -> str:
        """`engine.py:41`."""
        return f"{self._file(site)}:{self._span(site).start.line}"

    def related(self, event: Event, message: str) -> Related:
        """A line that takes part in a finding."""
        origin = self.origin(event.site)
        if origin is None:
            return Related(self._span(event.site), message)
        return Related(origin[1], message, origin[0])

    def _leading_call(self, target: Function, along: Set[Function]) -> Site | None:
        """The call in this file by which a function of another module comes to run.

        Of several, the first in a function that runs all that a finding is about, if one does.
        """
        first = None
        for function in self._lowered.functions:
            if function in self._lowered.own and not function.module:
                for invoke in self._invocations.contents(function).invocations:
                    if isinstance(invoke.site, Site) and invoke.function.module:
                        if target in self._invocations.reachable(invoke.function):
                            first = first or invoke.site
                            if along <= set(self._invocations.reachable(function)):
                                return invoke.site
        return first
