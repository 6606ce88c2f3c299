"""The fork server: imports torch once and runs each program in a fork of its own.

Reads one job per line from standard input and answers each with one line when it has ended.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import runpy
import signal
import sys
import tempfile
import threading
import time
import traceback
import weakref
from dataclasses import asdict, dataclass
from types import ModuleType

from .agent import Agent, prepare
from .audit_request import AuditRequest
from .own_files import copy_of

_SECONDS_TO_END = 1.0


@dataclass(frozen=True, slots=True)
class Job:
    """One program to run, as it travels over standard input."""

    script: str | None
    module: str | None
    arguments: list[str]
    request: AuditRequest
    folder: str
    """The folder that it works in."""
    temporary: str
    """The folder for its temporary files."""
    stdin: str
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

    del sys.path[0]  # the folder this was started in, where no program looks for its modules
    torch.set_num_threads(1)
    # The first optimizer loads the compiler, which takes longer than torch itself.
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1).zero_grad()
    # What is there now will live as long as this process: sparing the forks a look at it keeps
    # their memory shared, and taking torch's operators apart at the end is a third of a short run.
    gc.collect()
    gc.freeze()
    for each in list(weakref.finalize._registry):  # type: ignore[attr-defined]
        each.atexit = False
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    # Programs inherit descriptor 1; only this process may write answers.
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(_run(Job.from_line(line), answers.fileno())) + "\n")


def _run(job: Job, answers: int) -> dict[str, object]:
    process = os.fork()
    if process == 0:
        os.close(answers)
        _become(job)
    with contextlib.suppress(OSError):
        os.setpgid(process, process)  # here as well, so that it is done before it is needed
    deadline = time.monotonic() + job.timeout
    pause = 0.002
    command = os.getppid()
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            break
        if os.getppid() != command:  # it was killed, and the program must not outlive it
            _kill(process)
            os._exit(1)
        if time.monotonic() > deadline:
            _end(process)
            return {"returncode": None}
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)
    _kill(process)  # whatever the program left running
    return {"returncode": os.waitstatus_to_exitcode(status)}


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


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
        os.dup2(os.open(job.stdin, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        environment = {**os.environ, "TMPDIR": job.temporary}
        job.request.to_environment(environment)
        os.environ.update(environment)
        tempfile.tempdir = None  # found anew, at the place given
        os.chdir(job.folder)
        sys.path[:] = [_own_entry(entry, job.request) for entry in sys.path]
        agent = Agent(job.request)
        prepare(agent)
        agent.attach()
        code = _execute(job, agent)
        threading._shutdown()  # type: ignore[attr-defined]
        from multiprocessing import util

        util._exit_function()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.settrace(None)
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _own_entry(entry: str, request: AuditRequest) -> str:
    """Where to import from instead, unless packages are installed there."""
    return entry if entry.startswith(sys.prefix) else copy_of(entry, request.copies)


def _execute(job: Job, agent: Agent) -> int:
    try:
        _run_main(job)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        agent.crashed(error)
        _print_as_python_does(error)
        return 1
    return 0


def _print_as_python_does(error: BaseException) -> None:
    """Print the traceback from the program's own first line on."""
    place = error.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename == __file__:
        place = place.tb_next
    traceback.print_exception(type(error), error, place)


def _run_main(job: Job) -> None:
    if job.module is not None:
        sys.argv = [job.module, *job.arguments]
        sys.path.insert(0, job.folder)
        runpy.run_module(job.module, run_name="__main__", alter_sys=True)
        return
    script = job.script or ""
    main = ModuleType("__main__")
    main.__file__ = script
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    sys.argv = [script, *job.arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))  # noqa: PTH100, PTH120
    with open(script, "rb") as file:  # noqa: PTH123
        source = file.read()
    exec(compile(source, script, "exec"), main.__dict__)


if __name__ == "__main__":
    serve()
