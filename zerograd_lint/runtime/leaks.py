"""Does an optimizer apply the gradients of a loss that was meant for another one?

Two losses may well feed one network on purpose. They leak when the network has a loss of its own,
and the second one merely passes through it on the way to another optimizer's network, as a
generator's loss passes through the discriminator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .graph import leads_through
from .ledger import BackwardPass, Ledger
from .owners import Owners

_Chain = tuple[tuple[str, int], ...]


class Leaks:
    """Remembers which pairs of networks a loss runs through; asks the graph once per loss line."""

    def __init__(self, owners: Owners) -> None:
        self._owners = owners
        self._asked: dict[_Chain, set[tuple[int, int]]] = {}
        self._leaking: dict[_Chain, int] = {}
        self._answers: dict[tuple[_Chain, int, int], bool] = {}

    def inspect(self, chain: _Chain, roots: Sequence[object]) -> None:
        """Answer the open questions about this loss while its graph exists."""
        if not self._asked:
            return
        for near_key, far_key in self._asked.pop(chain, ()):
            near, far = self._owners.by_key(near_key), self._owners.by_key(far_key)
            if near is None or far is None:
                continue
            self._answers[chain, near_key, far_key] = leads_through(
                roots, _identities(near.known_ledgers()), _identities(far.known_ledgers())
            )

    def soiled_by(self, chain: _Chain) -> list[Ledger]:
        """The ledgers that this loss was seen to leak into."""
        if not self._leaking:
            return []
        near = self._owners.by_key(self._leaking.get(chain, -1))
        return near.known_ledgers() if near is not None else []

    def find(self, key: int, passes: Iterable[BackwardPass]) -> BackwardPass | None:
        """The foreign pass among those that the optimizer is about to apply."""
        passes = list(passes)
        for foreign in passes:
            others = {other for owners in foreign.reached for other in owners} - {key}
            for other in others:
                has_own_loss = any(
                    own.call.chain != foreign.call.chain
                    and not any(other in owners for owners in own.reached)
                    for own in passes
                )
                if has_own_loss and self._runs_through(foreign.call.chain, key, other):
                    self._leaking[foreign.call.chain] = key
                    return foreign
        return None

    def _runs_through(self, chain: _Chain, near: int, far: int) -> bool:
        answer = self._answers.get((chain, near, far))
        if answer is None:
            self._asked.setdefault(chain, set()).add((near, far))
            return False
        return answer


def _identities(ledgers: Iterable[Ledger]) -> set[int]:
    return {id(each) for ledger in ledgers if (each := ledger.parameter()) is not None}
