"""Finds leaks: an optimizer that applies gradients of a loss meant for another optimizer.

Two losses may well feed one network on purpose. One leaks when it merely passes through the network
on the way to another optimizer's, as a generator's loss passes through the discriminator; when that
other optimizer has applied it and is done with it; and only then the network's own loss is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..books.backward_pass import BackwardPass
from ..books.buffer_account import BufferAccount
from ..books.optimizers import OptimizerRecords
from ..call_sites import CallLines
from .autograd_graph import leads_through


class Leaks:
    """Remembers which networks each loss runs through; the graph is read once per loss line."""

    def __init__(self, optimizers: OptimizerRecords) -> None:
        self.in_question = False
        """Some pass may have leaked; until then there is nothing to inspect or to copy."""
        self._optimizers = optimizers
        self._asked: dict[CallLines, set[tuple[int, int]]] = {}
        self._leaking: dict[CallLines, int] = {}
        self._answers: dict[tuple[CallLines, int, int], bool] = {}

    def inspect(self, lines: CallLines, roots: Sequence[object]) -> None:
        """Answer the open questions about this loss while its graph exists."""
        for near_key, far_key in self._asked.pop(lines, ()):
            near, far = self._optimizers.by_key(near_key), self._optimizers.by_key(far_key)
            if near is None or far is None:
                continue
            self._answers[lines, near_key, far_key] = leads_through(
                roots, _identities(near.known_accounts()), _identities(far.known_accounts())
            )

    def leaked_into(self, lines: CallLines) -> list[BufferAccount]:
        """The accounts of which this is the own loss, and into which another one leaked before."""
        near = self._optimizers.by_key(self._leaking.get(lines, -1))
        return near.known_accounts() if near is not None else []

    def find(self, key: int, passes: Iterable[BackwardPass]) -> BackwardPass | None:
        """The foreign pass among those that the optimizer is about to apply."""
        passes = list(passes)
        for foreign in passes:
            others = {other for optimizers in foreign.reached for other in optimizers} - {key}
            for other in others & foreign.applied_at.keys():
                own = _own_pass(passes, foreign, other)
                if own is not None and self._runs_through(foreign.call.lines, key, other):
                    self._leaking[own.call.lines] = key
                    return foreign
        return None

    def _runs_through(self, lines: CallLines, near: int, far: int) -> bool:
        answer = self._answers.get((lines, near, far))
        if answer is None:
            self.in_question = True
            self._asked.setdefault(lines, set()).add((near, far))
            return False
        return answer


def _own_pass(
    passes: Iterable[BackwardPass], foreign: BackwardPass, other: int
) -> BackwardPass | None:
    """A later pass that does not concern the other optimizer, which has stepped in between."""
    for own in passes:
        if (
            own.call.lines != foreign.call.lines
            and own.number > foreign.applied_at[other]
            and not any(other in optimizers for optimizers in own.reached)
        ):
            return own
    return None


def _identities(accounts: Iterable[BufferAccount]) -> set[int]:
    return {id(each) for account in accounts if (each := account.parameter()) is not None}
