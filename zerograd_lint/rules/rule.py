"""What every rule is: a code, a name, a question about the ledger, and its own documentation."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

from ..argument import Question
from ..events.event import Event
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect

Line = Callable[[Event], int]
"""The line of the file on which an event stands."""


class Rule(ABC):
    """The base of all rules.

    Subclasses document themselves: the docstring holds *What it does*, *Why is this bad?* and
    *Fix safety*; *Example* and *Use instead* are the fixture named by `example`.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    on_by_default: ClassVar[bool] = True
    on_dead_code: ClassVar[bool] = False
    """Whether the code that its findings stand on has no effect: editors show it faded."""
    needs: ClassVar[tuple[Effect, ...]] = ()
    """Combinations of effects, for speed: the rule runs where all effects of one combination come
    together in what one function runs. With `IRREGULAR` in it, functions that do nothing but plain
    turns are left out. A rule that names none gets every file that passes the gate whole."""
    by_configuration: ClassVar[bool] = False
    """It also looks at each value that the settings of a run may have."""
    asks: ClassVar[tuple[Question, ...]] = (Question.OPTIMIZER,)
    """The questions whose answers are the argument of its findings. It reports nothing unless
    all of them are answered yes."""
    proof: ClassVar[str]
    """What the runtime proof must show: see `runtime/compare/proof.py`."""
    example: ClassVar[str]

    @abstractmethod
    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        """What this rule reports about a file."""

    @classmethod
    def documentation(cls) -> str:
        """The rule's page, as markdown."""
        from .documentation import page

        return page(cls, inspect.cleandoc(cls.__doc__ or ""))
