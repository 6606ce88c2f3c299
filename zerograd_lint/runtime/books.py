"""All ledgers, kept up to date by looking at the buffers between events.

Nothing is hooked per parameter. A buffer that a backward pass touched has another version, another
identity or a first value afterwards; a buffer that changed while no backward ran was cleared,
rescaled or rewritten. Looking costs well under a microsecond per parameter.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from .content import are_zero, dense, sample, tempered
from .ledger import BackwardPass, Ledger
from .wrongness import inner_products

_MEASURED_SIZE = 4_000_000
"""Parameters beyond this size are not copied to measure how wrong their gradient was."""

_MOST_COPIES = 20_000
"""So many gradients are copied for measuring, over all parameters."""

_FIRST_LOOKS = 32
_LOOK_EVERY = 16

_generations = itertools.count(1)


class Books:
    """The ledgers of every parameter seen so far."""

    def __init__(self) -> None:
        # The mark survives as long as the gradient tensor itself, unlike `id`, which is reused.
        self._mark_name = f"_zerograd_lint_{next(_generations)}"
        self._ledgers: dict[int, Ledger] = {}
        self._all: list[Ledger] | None = None
        self._unowned: list[Ledger] = []
        self._looks = 0
        self._copies = 0
        self.in_doubt = False
        """A buffer was found full of zeros, and nobody looked what it held before."""
        self.watching = False
        """Something looked odd: from now on remember contents, so as to tell odd from wrong."""
        self.measuring = False
        """Leftovers were applied: from now on copy them, so as to say how much they matter."""
        self.enforcing = False
        """Clear what was applied before a backward adds to it; a right program does not notice."""

    def ledger_of(self, parameter: Tensor) -> Ledger:
        key = id(parameter)
        ledger = self._ledgers.get(key)
        if ledger is None or ledger.parameter() is not parameter:
            ledger = self._ledgers[key] = Ledger(parameter)
            # The last report is written at exit, when these must still be known.
            weakref.finalize(parameter, self._forget, key, ledger).atexit = False
            self._all = None
        return ledger

    def ledgers(self) -> list[Ledger]:
        if self._all is None:
            self._all = list(self._ledgers.values())
            self._unowned = [ledger for ledger in self._all if not ledger.owners]
        return self._all

    def unowned(self) -> list[Ledger]:
        """The ledgers of parameters that no optimizer holds."""
        self.ledgers()
        return self._unowned

    def owned_by(self, ledgers: Iterable[Ledger], owners: frozenset[int]) -> None:
        for ledger in ledgers:
            ledger.owners |= owners
        self._all = None

    def _forget(self, key: int, ledger: Ledger) -> None:
        if self._ledgers.get(key) is ledger:
            del self._ledgers[key]
            self._all = None

    # -- between backward passes ------------------------------------------------------------

    def settle(self, ledgers: Iterable[Ledger], *, before_backward: bool = False) -> None:
        """Take note of what happened to buffers while no backward pass was running.

        Before a step the question is only whether everything is gone, so the first buffer found
        full answers for the rest; before a backward each buffer is looked into.
        """
        if not before_backward and not self.watching and self._all_intact(ledgers):
            return
        name = self._mark_name
        doubtful: list[tuple[Ledger, Tensor, bool]] = []
        for ledger in ledgers:
            parameter = ledger.parameter()
            if parameter is None:
                continue
            gradient = parameter.grad
            if gradient is None:
                if ledger.fresh:
                    self._clear(ledger, parameter, held_something=True)
                elif ledger.applied or ledger.rewritten:
                    ledger.emptied()
                continue
            if getattr(gradient, name, None) != ledger.mark:
                doubtful.append((ledger, gradient, True))
            elif ledger.fresh or ledger.applied or ledger.rewritten:
                doubtful.append((ledger, gradient, False))
            elif gradient._version != ledger.version:
                # An empty buffer that somebody wrote to.
                doubtful.append((ledger, gradient, True))
        if not doubtful:
            return
        if not before_backward and not self.watching:
            doubtful = self._without_obviously_full(doubtful)
            if not doubtful:
                return
        self._settle_by_content(doubtful)
        if before_backward and self.enforcing:
            self._clear_applied(doubtful)
        elif before_backward and self.measuring:
            self._copy_leftovers(doubtful)

    def _clear_applied(self, doubtful: Sequence[tuple[Ledger, Tensor, bool]]) -> None:
        for ledger, gradient, _ in doubtful:
            if ledger.applied and not ledger.fresh:
                gradient.detach().zero_()
                ledger.cleared(certainly_held_something=True)
                self._remember_identity(ledger, gradient)

    def _all_intact(self, ledgers: Iterable[Ledger]) -> bool:
        """The usual case: what backward left is there, and nobody has written to it.

        Writing through `.data` would not show, but is not done now and then only: the first steps
        and every so many after them are looked at more closely.
        """
        self._looks += 1
        if self._looks <= _FIRST_LOOKS or self._looks % _LOOK_EVERY == 0:
            return False
        name = self._mark_name
        for ledger in ledgers:
            parameter = ledger.parameter()
            if parameter is None:
                continue
            gradient = parameter.grad
            if gradient is None:
                if ledger.fresh or ledger.applied or ledger.rewritten:
                    return False
            elif (
                gradient._version != ledger.version
                or not ledger.fresh
                or getattr(gradient, name, None) != ledger.mark
            ):
                return False
        return True

    def _without_obviously_full(
        self, doubtful: list[tuple[Ledger, Tensor, bool]]
    ) -> list[tuple[Ledger, Tensor, bool]]:
        new = [entry for entry in doubtful if entry[2]]
        if len(new) == len(doubtful):
            return doubtful
        probe = next(gradient for _, gradient, is_new in doubtful if not is_new)
        if not bool(sample(probe).any()) and are_zero([probe])[0]:
            return doubtful
        for ledger, gradient, is_new in doubtful:
            if not is_new:
                self._remember_identity(ledger, gradient)
        return new

    def _settle_by_content(self, doubtful: Sequence[tuple[Ledger, Tensor, bool]]) -> None:
        zeros = are_zero([gradient for _, gradient, _ in doubtful])
        # Whoever replaces one gradient replaces them all, though some may look merely scaled.
        rewritten = any(self._was_rewritten(ledger, gradient) for ledger, gradient, _ in doubtful)
        for (ledger, gradient, is_new), is_zero in zip(doubtful, zeros, strict=True):
            parameter = ledger.parameter()
            if is_zero and parameter is not None:
                # Content that was zero when it arrived has not been cleared away.
                self._clear(ledger, parameter, held_something=is_new or ledger.nonzero is True)
            elif is_new or (rewritten and gradient._version != ledger.version):
                ledger.assigned()
            self._remember_identity(ledger, gradient)

    def _clear(self, ledger: Ledger, parameter: Tensor, *, held_something: bool) -> None:
        if ledger.fresh and ledger.before is not None and moved(ledger, parameter):
            ledger.fresh = ()  # used by hand before it was cleared, as SAM's first step does
        ledger.cleared(certainly_held_something=held_something)
        self.in_doubt |= ledger.vanished

    def _was_rewritten(self, ledger: Ledger, gradient: Tensor) -> bool:
        if ledger.remembered is None or gradient._version == ledger.version:
            return False
        now = sample(gradient)
        return now.shape == ledger.remembered.shape and not tempered(ledger.remembered, now)

    def _copy_leftovers(self, doubtful: Sequence[tuple[Ledger, Tensor, bool]]) -> None:
        for ledger, gradient, _ in doubtful:
            if ledger.applied and ledger.leftover is None and self._may_copy(gradient):
                ledger.leftover = gradient.detach().clone()

    def copy_own(self, ledgers: Iterable[Ledger]) -> None:
        """A foreign loss is about to add to these: keep what is there, to tell them apart."""
        for ledger in ledgers:
            parameter = ledger.parameter()
            gradient = parameter.grad if parameter is not None else None
            if gradient is not None and ledger.fresh and self._may_copy(gradient):
                ledger.own = gradient.detach().clone()

    def _may_copy(self, gradient: Tensor | None = None) -> bool:
        """Measuring is for the first occurrences: a long run must not pay for it to its end."""
        if gradient is not None and (gradient.is_sparse or gradient.numel() > _MEASURED_SIZE):
            return False
        self._copies += 1
        return self._copies <= _MOST_COPIES

    # -- after (or inside) a backward pass --------------------------------------------------

    def absorb(self, ledgers: Iterable[Ledger], backward_pass: BackwardPass) -> None:
        """Credit the backward pass with every buffer that changed since `settle`."""
        name = self._mark_name
        alone = (backward_pass,)
        reached = backward_pass.reached
        fed: list[tuple[Ledger, Tensor, Tensor]] = []
        for ledger in ledgers:
            parameter = ledger.parameter()
            if parameter is None:
                continue
            gradient = parameter.grad
            if gradient is None:
                # Cleared by a hook while the pass was still running.
                if ledger.fresh or ledger.applied or ledger.rewritten:
                    ledger.cleared(certainly_held_something=True)
                continue
            version = gradient._version
            if version != ledger.version or getattr(gradient, name, None) != ledger.mark:
                if ledger.fresh:
                    ledger.deposit(backward_pass)
                else:
                    ledger.fresh = alone
                    ledger.vanished = False
                ledger.touched = False
                reached.add(ledger.owners)
                setattr(gradient, name, ledger.mark)
                ledger.version = version
                if (
                    self.watching
                    or not ledger.owners
                    or ledger.leftover is not None
                    or ledger.own is not None
                ):
                    fed.append((ledger, gradient, parameter))
                elif ledger.before is not None:
                    ledger.before = ledger.remembered = ledger.nonzero = None
        if fed:
            self._remember(fed)

    def _remember(self, fed: Sequence[tuple[Ledger, Tensor, Tensor]]) -> None:
        zeros = are_zero([gradient for _, gradient, _ in fed])
        for (ledger, gradient, parameter), is_zero in zip(fed, zeros, strict=True):
            ledger.nonzero = not is_zero
            ledger.before = (parameter._version, parameter.data_ptr(), sample(parameter).clone())
            ledger.remembered = sample(gradient).clone()
            if gradient.is_sparse or gradient.numel() > _MEASURED_SIZE:
                continue
            if ledger.leftover is not None:
                fresh = gradient.detach() - ledger.leftover
                ledger.wrong_products = inner_products(ledger.leftover, fresh)
            elif ledger.own is not None:
                foreign = gradient.detach() - ledger.own
                ledger.wrong_products = inner_products(foreign, ledger.own)
            if self.watching and self._may_copy():
                ledger.kept_gradient = gradient.detach().clone()

    def _remember_identity(self, ledger: Ledger, gradient: Tensor) -> None:
        setattr(gradient, self._mark_name, ledger.mark)
        ledger.touched |= gradient._version != ledger.version
        ledger.version = gradient._version

    def has_moved(self, ledger: Ledger) -> bool:
        """Whether the parameter is another one than when its gradient arrived."""
        parameter = ledger.parameter()
        return parameter is not None and moved(ledger, parameter)


def moved(ledger: Ledger, parameter: Tensor) -> bool:
    """Whether it holds other values than when its gradient arrived."""
    if ledger.before is None:
        return False
    now = sample(parameter)
    return not torch.equal(now, ledger.before[2].to(now))


def gradients(ledgers: Iterable[Ledger]) -> list[Tensor]:
    """The dense gradients present right now."""
    present = []
    for ledger in ledgers:
        parameter = ledger.parameter()
        if parameter is not None and parameter.grad is not None:
            present.append(dense(parameter.grad))
    return present
