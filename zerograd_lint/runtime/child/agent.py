"""The agent inside an audited process: attach when torch is imported, report when it ends."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import executed_lines, last_report, own_files, own_port, replaced_source
from .audit_request import AUTO, AuditRequest
from .repeatable import make_repeatable

if TYPE_CHECKING:
    from ..books.gradient_trace import GradientTrace
    from ..hooks.recorder import Recorder

_SECONDS_BETWEEN_REPORTS = 1.0
_PATIENCE = 20_000
"""So many steps are taken at most until awaited lines are executed."""


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
        self._next_report = 0.0
        self._waited = 0
        """The step at which some awaited line had not been executed yet."""
        self._inherited_backwards = 0
        self._started = time.monotonic_ns()
        """Tells apart two programs in one process, of which one replaced the other."""

    def attach(self) -> None:
        """Torch has been imported: install the hooks."""
        from ..books.gradient_trace import GradientTrace
        from ..hooks.recorder import Recorder
        from ..hooks.torch_hooks import installed

        if self.request.device != AUTO:
            self._impose(self.request.device)
        if self.request.trace:
            self._trace = GradientTrace()
            make_repeatable()
        if self.request.copies:
            own_files.guard_saving(_own_folders(self.request))
        if self.request.port is not None:
            own_port.use(self.request.port)
        self.recorder = Recorder(
            trace=self._trace, enforce=self.request.enforce, after_step=self._after_step
        )
        self._hooks.enter_context(installed(self.recorder))
        last_report.report_when_a_worker_ends(self)

    def _impose(self, device: str) -> None:
        from .imposed_device import impose, why_missing

        self._problem = why_missing(device)
        if self._problem is not None:
            os._exit(2)
        impose(device)

    def _after_step(self, steps: int) -> None:
        if self._is_enough(steps):
            if self._stopping:
                # The program caught our exit and trains on: leave without asking again.
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
            self._stopping = True
            raise EnoughSteps(0)
        # The first step is reported at once: a process that is killed after it must be missed.
        if time.monotonic() >= self._next_report:
            self.report(finished=False)
            self._next_report = time.monotonic() + _SECONDS_BETWEEN_REPORTS

    def _is_enough(self, steps: int) -> bool:
        limit = self.request.steps
        if limit is None or steps < limit + self._waited:
            return False
        if steps < _PATIENCE and executed_lines.any_missing(self.request.awaited):
            self._waited = steps
            return False
        return True

    def crashed(self, error: BaseException) -> None:
        """The program ended with this exception."""
        if self.recorder is not None:
            self.recorder.crashed(error)

    def forked(self) -> None:
        """In a forked process only what happens from now on is its own."""
        self._next_report = 0.0
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
        path = Path(self.request.folder) / f"{os.getpid()}-{self._started}.json"
        with contextlib.suppress(OSError):  # the parent may have given up and cleaned away
            if finished and self._trace is not None:
                self._trace.save(path.with_suffix(".npz"))
            unfinished = path.with_suffix(".part")
            unfinished.write_text(json.dumps(document))
            unfinished.replace(path)


def start() -> None:
    """Start the audit; called once per interpreter, before the program."""
    request = AuditRequest.from_environment()
    if request is None:
        return
    agent = Agent(request)
    prepare(agent)
    _watch_for_torch(agent.attach)
    last_report.report_at_the_end(agent)


def prepare(agent: Agent) -> None:
    """Install what has to be in place before the program's first line."""
    replaced_source.install(agent.request.replaced)
    if agent.request.copies:
        own_files.guard(_own_folders(agent.request))
    if agent.request.watched_files:
        executed_lines.watch(agent.request.watched_files)
    os.register_at_fork(after_in_child=agent.forked)
    last_report.report_at_a_sudden_end(agent)


def _own_folders(request: AuditRequest) -> own_files.OwnFolders:
    return own_files.OwnFolders(request.copies, str(Path(request.folder).parent))


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
