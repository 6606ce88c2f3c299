"""Kills a run at random moments, and looks for a false verdict, an orphan or a changed file.

`python -m benchmarks.faults --times 200`: the victim is the program, the process that runs it, the
command's keeper or the command itself; the command audits or verifies a right or a wrong program.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = """\
import subprocess, sys, time
import torch

torch.manual_seed(0)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01)
for step in range(20):
    {zero}
    (w * w).sum().backward()
    optimizer.step()
    torch.save(w, "model.pt")
    time.sleep(0.02)
"""
_SECONDS_ALIVE = {"program": 0.8, "server": 4.0, "keeper": 4.0, "command": 6.0}
"""About so long each of them is there to be killed."""
_VICTIMS = tuple(_SECONDS_ALIVE)
_SECONDS_TO_CLEAN_UP = 15.0
_SECONDS_TO_APPEAR = 20.0


@dataclass(frozen=True)
class Fault:
    """What was killed in which command, when, and what is wrong afterwards."""

    command: str
    victim: str
    seconds: float
    hit: bool
    """Whether the victim was there to be killed."""
    wrong: str


def strike(command: str, victim: str, seconds: float, *, right: bool) -> Fault:
    """Start the command, kill the victim so long after it came up, and look at what is left."""
    root = Path(tempfile.mkdtemp(prefix="faults-"))
    try:
        folder, temporary = root / "project", root / "temporary"
        folder.mkdir()
        temporary.mkdir()
        zero = "optimizer.zero_grad()" if right else "pass"
        (folder / "train.py").write_text(_PROGRAM.format(zero=zero))
        (folder / "model.pt").write_bytes(b"a checkpoint")
        before = _contents(folder)
        options = ["--jobs", "1"] if command == "verify" else ["-q"]
        started = subprocess.Popen(
            [sys.executable, "-m", "zerograd_lint", command, *options, "train.py"],
            cwd=folder,
            env={**os.environ, "TMPDIR": str(temporary), "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        deadline = time.monotonic() + _SECONDS_TO_APPEAR
        while not _find(started.pid, victim, temporary) and started.poll() is None:
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)
        time.sleep(seconds)
        hit = _kill(started.pid, victim, temporary)
        said, _ = started.communicate(timeout=120)
        wrong = _wrong_verdict(command, victim, started.returncode, said, hit=hit, right=right)
        if command == "verify" and _contents(folder) != before:
            wrong += "; the folder has changed"
        return Fault(command, victim, seconds, hit, wrong + _left_behind(temporary))
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _kill(command: int, victim: str, temporary: Path) -> bool:
    for each in _find(command, victim, temporary)[:1]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
            return True
    return False


def _find(command: int, victim: str, temporary: Path) -> list[int]:
    """The processes of the run that are such a victim right now."""
    words = {"server": "fork_server", "keeper": "keeper.py"}
    if victim == "command":
        return [command]
    if victim == "program":
        return [each for each in _family(temporary) if _is_program(each, command)]
    return [
        each
        for each in _family(temporary)
        if words[victim] in _cmdline(each) and _parent(each) == command
    ]


def _is_program(process: int, command: int) -> bool:
    """A fork of a server, or the script that an audit runs."""
    line = _cmdline(process)
    if "fork_server" in line:
        return _parent(process) != command
    return "train.py" in line and process != command


def _family(temporary: Path) -> list[int]:
    wanted = f"TMPDIR={temporary}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def _cmdline(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def _parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _wrong_verdict(
    command: str, victim: str, status: int, said: str, *, hit: bool, right: bool
) -> str:
    """What is wrong with the exit status; a run that was not hit has to end as it should."""
    if victim == "command" and hit:
        return ""
    if right and command == "audit" and hit and victim == "program" and status == 0:
        return "clean without a whole run: " + said[-300:]
    if not right and status == 0:
        return "a bug was called clean: " + said[-300:]
    if status not in (0, 1, 2):
        return f"exit status {status}: " + said[-300:]
    return ""


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _left_behind(temporary: Path) -> str:
    deadline = time.monotonic() + _SECONDS_TO_CLEAN_UP
    while True:
        processes = _family(temporary)
        files = [path for path in temporary.iterdir() if path.name.startswith("zerograd")]
        if not processes and not files:
            return ""
        if time.monotonic() > deadline:
            lines = [_cmdline(each)[:80] for each in processes]
            return f"; left behind: {lines} {files}"
        time.sleep(0.05)


def main() -> None:
    """Strike as often as asked, and print what was hit and what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    counts: Counter[str] = Counter()
    for _ in range(args.times):
        command = chance.choice(["audit", "verify"])
        victims = _VICTIMS if command == "verify" else ("program", "keeper", "command")
        right = command == "audit" and chance.random() < 0.5
        victim = chance.choice(victims)
        fault = strike(command, victim, chance.uniform(0.0, _SECONDS_ALIVE[victim]), right=right)
        counts[f"{fault.command}, {fault.victim} {'killed' if fault.hit else 'not there'}"] += 1
        if fault.wrong:
            counts["WRONG"] += 1
            print(fault, flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:4} {name}")


if __name__ == "__main__":
    main()
