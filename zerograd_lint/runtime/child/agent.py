"""The agent inside an audited process: attach when torch is imported, report when it ends."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from . import executed_lines, replaced_source
from .audit_request import AUTO, AuditRequest

if TYPE_CHECKING:
    from ..books.gradient_trace import GradientTrace
    from ..hooks.recorder import Recorder

_SECONDS_BETWEEN_REPORTS = 1.0


class EnoughSteps(SystemExit):
    """Ends the program after the wanted number of steps; `except Exception` does not catch it."""


class Agent:
    """Audits the process that it runs in, as the request says."""

    def __init__(self, request: AuditRequest) -> None:
        self.request = request
        self.recorder: Recorder | None = None
        self._trace: GradientTrace | None = None
        self._hooks = contextlib.ExitStack()
        self._stopping = False
        self._problem: str | None = None
        self._next_report = time.monotonic() + _SECONDS_BETWEEN_REPORTS
        self._inherited_backwards = 0

    def attach(self) -> None:
        """Torch has been imported: install the hooks."""
        from ..books.gradient_trace import GradientTrace
        from ..hooks.recorder import Recorder
        from ..hooks.torch_hooks import installed

        if self.request.device != AUTO:
            self._impose(self.request.device)
        if self.request.trace:
            self._trace = GradientTrace()
            _make_repeatable()
        self.recorder = Recorder(
            trace=self._trace, enforce=self.request.enforce, after_step=self._after_step
        )
        self._hooks.enter_context(installed(self.recorder))
        _report_when_a_worker_ends(self)

    def _impose(self, device: str) -> None:
        from .imposed_device import impose, why_missing

        self._problem = why_missing(device)
        if self._problem is not None:
            self.report(finished=True)
            os._exit(2)
        impose(device)

    def _after_step(self, steps: int) -> None:
        limit = self.request.steps
        if limit is not None and steps >= limit:
            if self._stopping:
                # The program caught our exit and trains on: leave without asking again.
                self.report(finished=True)
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
            self._stopping = True
            raise EnoughSteps(0)
        if time.monotonic() >= self._next_report:
            self.report(finished=False)
            self._next_report = time.monotonic() + _SECONDS_BETWEEN_REPORTS

    def crashed(self, error: BaseException) -> None:
        """The program ended with this exception."""
        if self.recorder is not None:
            self.recorder.crashed(error)

    def forked(self) -> None:
        """In a forked process only what happens from now on is its own."""
        if self.recorder is not None:
            self._inherited_backwards = self.recorder.clock.backwards

    def report(self, *, finished: bool) -> None:
        """Write the report into the request's folder, in one move so that it is never read half."""
        recorder = self.recorder
        if recorder is not None and recorder.clock.backwards == self._inherited_backwards > 0:
            return
        seen = recorder.report(stopped_early=self._stopping) if recorder is not None else None
        document = {
            "rank": int(os.environ.get("RANK", "0") or 0),
            "finished": finished,
            "problem": self._problem,
            "report": seen.to_json() if seen is not None else None,
            "executed": sorted(executed_lines.seen()),
        }
        folder = Path(self.request.folder)
        with contextlib.suppress(OSError):  # the parent may have given up and cleaned away
            if finished and self._trace is not None:
                self._trace.save(folder / f"{os.getpid()}.npz")
            unfinished = folder / f"{os.getpid()}.json.part"
            unfinished.write_text(json.dumps(document))
            unfinished.replace(folder / f"{os.getpid()}.json")


def start() -> None:
    """Start the audit; called once per interpreter, before the program."""
    request = AuditRequest.from_environment()
    if request is None:
        return
    agent = Agent(request)
    prepare(agent)
    _watch_for_torch(agent.attach)
    previous = sys.excepthook

    def excepthook(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        agent.crashed(error)
        previous(kind, error, traceback)

    sys.excepthook = excepthook
    atexit.register(agent.report, finished=True)


def prepare(agent: Agent) -> None:
    """Install what has to be in place before the program's first line."""
    replaced_source.install(agent.request.replaced)
    if agent.request.watched_file is not None:
        executed_lines.watch(agent.request.watched_file)
    os.register_at_fork(after_in_child=agent.forked)
    _report_when_asked_to_end(agent)


def _watch_for_torch(attach: Callable[[], None]) -> None:
    class TorchWatcher(MetaPathFinder):
        def find_spec(
            self, fullname: str, path: Any, target: ModuleType | None = None
        ) -> ModuleSpec | None:
            if fullname != "torch":
                return None
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec("torch")
            if spec is None or spec.loader is None:
                return spec
            execute = spec.loader.exec_module

            def execute_and_attach(module: ModuleType) -> None:
                execute(module)
                attach()

            spec.loader.exec_module = execute_and_attach  # type: ignore[method-assign]
            return spec

    sys.meta_path.insert(0, TorchWatcher())


def _report_when_a_worker_ends(agent: Agent) -> None:
    # Processes of multiprocessing skip `atexit` but run their own finalizers, which they forget
    # at their start: so the finalizer is registered by what runs right after that.
    from multiprocessing import util

    def register(agent: Agent) -> None:
        util.Finalize(agent, agent.report, kwargs={"finished": True}, exitpriority=100)

    util.register_after_fork(agent, register)


def _report_when_asked_to_end(agent: Agent) -> None:
    """Report how far the program got when SIGTERM ends it, as at the time limit."""

    def on_terminate(number: int, frame: object) -> None:
        agent.report(finished=True)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, on_terminate)


def _make_repeatable() -> None:
    import random

    import numpy
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    numpy.random.seed(0)
