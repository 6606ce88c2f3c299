"""How to install and ask each tool; what it says is reduced to file names and line numbers."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import naive

_PLACE = re.compile(r"^(?P<file>.*?\.py):(?P<line>\d+):", re.MULTILINE)
_AT_ONCE = 40
Alarms = set[tuple[str, int]]


class PeerMissing(Exception):
    """This tool cannot be had here, and why."""


@dataclass(frozen=True, slots=True)
class Peer:
    name: str
    ask: Callable[[list[Path], Path], Alarms]
    """From files and the cache folder to the places the tool complains about."""


def _naive(files: list[Path], cache: Path) -> Alarms:
    return naive.alarms(files)


def _ruff(files: list[Path], cache: Path) -> Alarms:
    bin_folder = _environment(cache, "ruff", [["ruff==0.12.0"]])
    command = [bin_folder / "ruff", "check", "--isolated", "--no-cache", "--select", "B018"]
    return _run([*map(str, command), "--output-format", "concise"], files)


def _torchfix(files: list[Path], cache: Path) -> Alarms:
    bin_folder = _environment(cache, "torchfix", [["torchfix==0.7.0"]])
    return _run([str(bin_folder / "flake8"), "--isolated", "--select", "TOR"], files)


def _dslinter(files: list[Path], cache: Path) -> Alarms:
    """Its pins no longer build on current interpreters, so the parts are installed one by one."""
    parts = [
        "dslinter==2.0.9",
        "pylint==2.12.2",
        "astroid==2.9.3",
        "mccabe==0.6.1",
        "isort==5.13.2",
    ]
    support = ["toml", "platformdirs", "lazy-object-proxy", "wrapt", "setuptools<70", "mypy"]
    bin_folder = _environment(cache, "dslinter", [["--no-deps", *parts], support])
    command = [str(bin_folder / "pylint"), "--load-plugins=dslinter", "--disable=all"]
    template = "--msg-template={path}:{line}:{msg_id}"
    return _run([*command, "--enable=W5517", template], files)


PEERS = (
    Peer("naive rule", _naive),
    Peer("ruff B018", _ruff),
    Peer("TorchFix", _torchfix),
    Peer("dslinter", _dslinter),
)


def _environment(cache: Path, name: str, installs: Sequence[Sequence[str]]) -> Path:
    """The `bin` folder of an environment that holds the tool, made on first use."""
    home = cache / "peers" / name
    bin_folder = home / ("Scripts" if sys.platform == "win32" else "bin")
    if not (home / "ready").exists():
        venv.create(home, with_pip=True, clear=True)
        for packages in installs:
            pip = [str(bin_folder / "python"), "-m", "pip", "install", "--quiet", *packages]
            done = subprocess.run(pip, capture_output=True, text=True, check=False)
            if done.returncode:
                said = done.stderr.strip().splitlines()
                raise PeerMissing(f"{name} could not be installed: {said[-1] if said else '?'}")
        (home / "ready").touch()
    return bin_folder


def _run(command: list[str], files: list[Path]) -> Alarms:
    """Ask about some files at a time, so that one crash does not silence the tool."""
    found: Alarms = set()
    for start in range(0, len(files), _AT_ONCE):
        chunk = [str(path) for path in files[start : start + _AT_ONCE]]
        asked = subprocess.run([*command, *chunk], capture_output=True, text=True, check=False)
        found |= {(Path(m["file"]).name, int(m["line"])) for m in _PLACE.finditer(asked.stdout)}
    return found
