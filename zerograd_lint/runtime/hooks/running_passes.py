"""The backward passes that are running right now: at most one in each thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from threading import get_ident

from ..books.account_book import AccountBook
from ..books.backward_pass import BackwardPass
from ..books.buffer_account import BufferAccount
from ..judging.autograd_graph import leaves
from .failure_guard import NotJudgeable


@dataclass(slots=True, eq=False)
class RunningPass:
    """A backward pass between its beginning and its end."""

    roots: Sequence[object]
    backward_pass: BackwardPass
    scope: list[BufferAccount] | None
    """The accounts it adds to, by its graph; None stands for all, while one thread trains."""
    depth: int = 1
    """Passes within the pass, as reentrant checkpointing makes them, belong to it."""


class RunningPasses:
    """Finds the pass of this thread, and separates it from those of other threads.

    A pass is credited with the buffers that changed meanwhile. Where several threads train, that
    would credit it with the work of the others, so the graph says which buffers it can reach.
    """

    def __init__(self, book: AccountBook) -> None:
        self._book = book
        self._by_thread: dict[int, RunningPass] = {}
        self._threads: set[int] = set()
        """Those that have trained, or made an optimizer."""
        self._only_thread: int | None = None
        """The one thread, as long as there are no others."""

    def current(self) -> RunningPass | None:
        """The pass in which this thread is."""
        return self._by_thread.get(self._thread()) if self._by_thread else None

    def notice_thread(self) -> None:
        """This thread trains, too: from its second on, none may look at the gradients of all.

        Reading a gradient while another thread clears it or adds to it can crash the process.
        """
        if get_ident() == self._only_thread:
            return
        thread = self._thread()
        if thread in self._threads:
            return
        self._threads.add(thread)
        self._only_thread = thread if len(self._threads) == 1 else None
        if len(self._threads) > 1:
            for running in self._by_thread.values():
                if running.scope is None:
                    running.scope = self._accounts(running.roots)

    def others_may_train(self) -> bool:
        """Whether a pass is running, or another thread that has trained has not ended."""
        others = self._threads - {get_ident()}
        return bool(self._by_thread) or any(each.ident in others for each in threading.enumerate())

    def scope_of(self, roots: Sequence[object]) -> list[BufferAccount] | None:
        """The accounts that a pass from these roots may touch; None for all of them."""
        self.notice_thread()
        if self._only_thread is not None:
            return None
        scope = self._accounts(roots)
        own = set(map(id, scope))
        for other in self._by_thread.values():
            if not own.isdisjoint(map(id, other.scope or ())):
                raise NotJudgeable(
                    "two threads ran backward passes into the same parameters at the same time, "
                    "and their gradients cannot be told apart"
                )
        return scope

    def begin(self, running: RunningPass) -> None:
        """This pass begins in this thread, which `scope_of` has noticed."""
        self._by_thread[get_ident()] = running

    def end(self) -> RunningPass | None:
        """The innermost pass of this thread ends; returns the outermost once it has ended."""
        thread = self._thread()
        running = self._by_thread.get(thread)
        if running is None:
            return None
        running.depth -= 1
        return None if running.depth else self._by_thread.pop(thread)

    def _accounts(self, roots: Sequence[object]) -> list[BufferAccount]:
        return [self._book.account_of(leaf) for leaf in leaves(roots)]

    def _thread(self) -> int:
        """This thread, or the one that waits for it while autograd runs hooks in its own."""
        thread = get_ident()
        if thread in self._threads or len(self._by_thread) != 1 or _is_pythons(thread):
            return thread
        return next(iter(self._by_thread))


def _is_pythons(thread: int) -> bool:
    """Whether Python started the thread; those of autograd's devices are started by torch."""
    return any(
        each.ident == thread and type(each).__name__ != "_DummyThread"
        for each in threading.enumerate()
    )
