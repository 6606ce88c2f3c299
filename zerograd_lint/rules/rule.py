"""What every rule is: a code, a name, a question about the ledger, and its own documentation."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

from ..events.event import Event
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect

Line = Callable[[Event], int]


class Rule(ABC):
    """Subclasses document themselves: the docstring holds *What it does*, *Why is this bad?* and
    *Fix safety*; *Example* and *Use instead* are the fixture named by `example`."""

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    on_by_default: ClassVar[bool] = True
    needs: ClassVar[tuple[Effect, ...]] = ()
    """Combinations of effects, for speed: the rule runs where all effects of one combination come
    together in what one function runs. A rule that names none gets the whole of every file that
    trains."""
    proof: ClassVar[str]
    """What the runtime proof must see: see `zerograd_lint.runtime`."""
    example: ClassVar[str]

    @abstractmethod
    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        """Everything in the file this rule has something to say about."""

    @classmethod
    def documentation(cls) -> str:
        """The rule's page, as markdown."""
        from .documentation import page

        return page(cls, inspect.cleandoc(cls.__doc__ or ""))
