"""The fork server: imports torch once and runs each program in a fork of its own.

Reads one job per line from standard input and answers each with one line when it has ended.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import signal
import sys
import threading
import time
import traceback
from dataclasses import asdict, dataclass
from types import ModuleType

from .agent import Agent, prepare
from .audit_request import AuditRequest

_SECONDS_TO_END = 1.0


@dataclass(frozen=True, slots=True)
class Job:
    """One program to run, as it travels over standard input."""

    script: str
    arguments: list[str]
    request: AuditRequest
    output: str
    timeout: float

    def to_line(self) -> str:
        """The job as one line of JSON."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def from_line(cls, line: str) -> Job:
        """The job that a line of JSON describes."""
        data = json.loads(line)
        return cls(**{**data, "request": AuditRequest(**data["request"])})


def serve() -> None:
    """Run one job after another until standard input ends."""
    # Everything heavy that programs share is loaded before the first fork.
    import torch

    from ..hooks import recorder, torch_hooks  # noqa: F401

    torch.set_num_threads(1)
    # The first optimizer loads the compiler, which takes longer than torch itself.
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1).zero_grad()
    # What is there now will live as long as this process: sparing the forks a look at it keeps
    # their memory shared.
    gc.collect()
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    # Programs inherit descriptor 1; only this process may write answers.
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(_run(Job.from_line(line))) + "\n")


def _run(job: Job) -> dict[str, object]:
    process = os.fork()
    if process == 0:
        _become(job)
    deadline = time.monotonic() + job.timeout
    pause = 0.002
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > deadline:
            _end(process)
            return {"returncode": None}
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)  # whatever the program left running
    return {"returncode": os.waitstatus_to_exitcode(status)}


def _end(process: int) -> None:
    """Ask first, so that the program can report how far it came."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGTERM)
        deadline = time.monotonic() + _SECONDS_TO_END
        while time.monotonic() < deadline:
            if os.waitpid(process, os.WNOHANG)[0]:
                os.killpg(process, signal.SIGKILL)
                return
            time.sleep(0.01)
        os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _become(job: Job) -> None:
    """Turn this fork into the program; never returns."""
    code = 1
    try:
        os.setpgid(0, 0)
        output = os.open(job.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        environment = dict(os.environ)
        job.request.to_environment(environment)
        os.environ.update(environment)
        agent = Agent(job.request)
        agent.attach()
        prepare(agent)
        code = _execute(job, agent)
        threading._shutdown()  # type: ignore[attr-defined]
        from multiprocessing import util

        util._exit_function()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.settrace(None)
        agent.report(finished=True)
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _execute(job: Job, agent: Agent) -> int:
    main = ModuleType("__main__")
    main.__file__ = job.script
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    sys.argv = [job.script, *job.arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(job.script)))  # noqa: PTH100, PTH120
    text = job.request.replaced.get(job.script)
    try:
        if text is None:
            with open(job.script, "rb") as file:  # noqa: PTH123
                source: str | bytes = file.read()
        else:
            source = text
        exec(compile(source, job.script, "exec"), main.__dict__)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        agent.crashed(error)
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve()
