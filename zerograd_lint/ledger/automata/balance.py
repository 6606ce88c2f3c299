"""The state of one owner's gradient buffers along one path.

         deposit              consume
CLEAN ───────────▶ FRESH ───────────────▶ USED
  ▲                  │ zero                 │ deposit
  │                  ▼                      ▼
  │                WIPED ── consume ✗       STALE ── consume ✗
  └──────────── zero (from USED, CLEAN)       │ zero
                                              ▼ WIPED
"""

from __future__ import annotations

import enum
from typing import NamedTuple

from ...events.event import Consume, Deposit, Spoil, Zero
from .loop_depth import deeper, shallower


class Status(enum.Enum):
    """What an owner's buffers hold, as in the diagram above."""

    CLEAN = "clean"
    FRESH = "fresh"
    USED = "used"
    STALE = "stale"
    WIPED = "wiped"
    SHARED = "shared"
    """Another optimizer has applied them, and may have been meant to: not yet wrong."""
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # states are looked up all the time


_NOTHING: frozenset[Deposit] = frozenset()
_APPLICABLE = frozenset({Status.FRESH, Status.USED, Status.STALE, Status.SHARED})
"""What buffers may hold for a step to apply something."""
_AFTER_DEPOSIT = {
    Status.CLEAN: Status.FRESH,
    Status.FRESH: Status.FRESH,
    Status.WIPED: Status.FRESH,
    Status.USED: Status.STALE,
    Status.STALE: Status.STALE,
    Status.SHARED: Status.STALE,
    Status.UNKNOWN: Status.UNKNOWN,
}
_AFTER_ZERO = {
    Status.CLEAN: Status.CLEAN,
    Status.FRESH: Status.WIPED,
    Status.WIPED: Status.WIPED,
    Status.USED: Status.CLEAN,
    Status.STALE: Status.WIPED,
    Status.SHARED: Status.CLEAN,
    Status.UNKNOWN: Status.CLEAN,
}


class Balance(NamedTuple):
    """The state of one owner on one path since its last consume."""

    status: Status = Status.CLEAN
    since: Consume | None = None
    """The consume this path started from."""
    from_empty: bool = False
    """That consume had nothing to apply."""
    fresh: frozenset[Deposit] = _NOTHING
    """The deposits now in the buffer, apart from used ones."""
    doubtful: frozenset[Deposit] = _NOTHING
    """Deposits that unread code has had access to; a zeroing loses what is left of them."""
    lost: frozenset[Deposit] = _NOTHING
    """The deposits that were last cleared before any step could apply them."""
    cleared: Zero | None = None
    """The zeroing that lost them."""
    depth: int = 0
    """Loops entered minus loops left since `since`."""
    lowest: int = 0
    """The least that `depth` has been."""
    came_round: bool = False
    """A loop has gone round since the last deposit that was not applied."""
    carried: bool = False
    """A loop was left with fresh deposits in the buffer."""
    piled_up: bool = False
    """One and the same backward has run more than once since the last step or zeroing."""
    across_calls: bool = False
    """The path leads out of the function and into its next call."""
    by_the_way: bool = False
    """Unread code has had access that most passes of the loop around `since` do not run."""
    spoilt: Spoil | None = None
    """Where what is in the buffers was found not to be finite."""
    kept_spoilt: bool = False
    """A loop has gone round with that in the buffers."""
    applied_by: Consume | None = None
    """The step of another optimizer that has applied what is still in the buffers."""

    @property
    def level(self) -> int:
        """How many of the loops around `since` this path has left."""
        return -self.lowest

    @property
    def is_plain(self) -> bool:
        """One backward since the last step is all there is to say, or nothing is known."""
        if self.status not in (Status.FRESH, Status.UNKNOWN) or len(self.fresh) > 1:
            return False
        return not (self.lost or self.carried or self.piled_up or self.spoilt)

    def after_deposit(self, event: Deposit) -> Balance:
        """The balance after a backward has added to the buffers, or replaced what they held."""
        if event.replaces:
            return self._replace(
                status=Status.FRESH,
                fresh=frozenset({event}),
                doubtful=_NOTHING,
                came_round=False,
            )
        return self._replace(
            status=_AFTER_DEPOSIT[self.status],
            fresh=self.fresh | {event},
            doubtful=_NOTHING,
            came_round=False,
            piled_up=self.piled_up or event in self.fresh,
        )

    def after_spoil(self, event: Spoil) -> Balance:
        """The balance where the buffers are found to hold what is not finite."""
        return self._replace(spoilt=event) if self.fresh else self

    def after_change(self) -> Balance:
        """The balance after what the buffers hold was looked at, and maybe mended."""
        return self._replace(spoilt=None, kept_spoilt=False) if self.spoilt is not None else self

    def gone_round(self) -> Balance:
        """The balance where a loop goes round."""
        held = bool(self.fresh or self.doubtful) or self.status is Status.WIPED
        return self._replace(came_round=held, kept_spoilt=self.spoilt is not None)

    def after_zero(self, event: Zero) -> Balance:
        """The balance after the buffers were surely cleared."""
        # Whatever came before it, a deposit that has been seen is lost now.
        wiped = bool(self.fresh or self.doubtful)
        return self._replace(
            status=Status.WIPED if wiped else _AFTER_ZERO[self.status],
            fresh=_NOTHING,
            lost=self.fresh if wiped else self.lost,
            cleared=event if wiped else self.cleared,
            carried=False,
            piled_up=False,
            spoilt=None,
            kept_spoilt=False,
            applied_by=None,
        )

    def after_possible_zero(self) -> Balance:
        """The balance after the buffers may have been cleared."""
        if self.status in (Status.CLEAN, Status.WIPED):
            return self  # there is nothing to clear
        # What is left of a deposit, if anything, can still be lost.
        return self._replace(status=Status.UNKNOWN, spoilt=None, kept_spoilt=False)

    def after_consume(self, event: Consume) -> Balance:
        """The balance after a step of this owner: a new path starts from it."""
        # Cleared buffers hold nothing that a later step could apply a second time.
        empty = self.status in (Status.CLEAN, Status.WIPED)
        return Balance(Status.CLEAN if empty else Status.USED, event, empty)

    def after_consume_by_another(self, event: Consume) -> Balance:
        """The balance after a step of another optimizer over the same parameters."""
        # Gradients that another optimizer has applied are neither lost nor left over: not before
        # a backward adds to them. What is done by hand may want the sum of both: an attack.
        applied = self.since is not None and self.status in _APPLICABLE
        if not applied or event.by_hand:
            return self._replace(status=Status.UNKNOWN, fresh=_NOTHING, doubtful=_NOTHING)
        return self._replace(
            status=Status.SHARED, fresh=_NOTHING, doubtful=_NOTHING, applied_by=event
        )

    def of_a_new_optimizer(self) -> Balance:
        """The balance where an optimizer is made: gradients from before are not meant for it."""
        # It may apply them, but clearing them is a beginning, and loses nothing of its own.
        status = Status.UNKNOWN if self.status is Status.FRESH else self.status
        return self._replace(status=status, fresh=_NOTHING, doubtful=_NOTHING)

    def after_unread_code(self, *, by_the_way: bool = False) -> Balance:
        """The balance after unread code may have done anything to the buffers."""
        # What was lost or piled up before says nothing about what is there now.
        return self.after_change()._replace(
            status=Status.UNKNOWN,
            fresh=_NOTHING,
            doubtful=self.doubtful | self.fresh,
            lost=_NOTHING,
            cleared=None,
            carried=False,
            piled_up=False,
            by_the_way=self.by_the_way or by_the_way,
        )

    def in_loop(self) -> Balance:
        """The balance where a loop begins."""
        if self.since is None:
            return self  # how deep it is counts from a step on
        return self._replace(depth=deeper(self.depth))

    def out_of_loop(self) -> Balance:
        """The balance where a loop has been left."""
        depth = shallower(self.depth) if self.since is not None else 0
        return self._replace(
            depth=depth,
            lowest=min(self.lowest, depth),
            carried=self.carried or bool(self.fresh),
        )
