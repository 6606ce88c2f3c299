"""A rule's documentation, its examples taken from the fixtures that prove it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rule import Rule

_MARKER = re.compile(r"[ \t]*# expect: [A-Z0-9, ]+$", re.MULTILINE)
_HERE = Path(__file__).resolve().parent


def fixtures_folder() -> Path:
    """The fixtures: in an installed wheel those that the pages show, in a checkout all."""
    shipped = _HERE.parent / "_examples"
    return shipped if shipped.is_dir() else _HERE.parents[1] / "fixtures"


def folder_of(rule: type[Rule]) -> Path:
    """The folder of a rule's fixtures."""
    return fixtures_folder() / f"{rule.code}_{rule.name.replace('-', '_')}"


def is_fixable(rule: type[Rule]) -> bool:
    """Whether a fixture shows what a fix makes of it; the tests hold fixes and fixtures equal."""
    return any(folder_of(rule).glob("*.fixed.py*"))


def page(rule: type[Rule], text: str) -> str:
    """A rule's page: What it does · Why is this bad? · Example · Use instead · Fix safety."""
    folder = folder_of(rule)
    before, heading, safety = text.partition("## Fix safety")
    bad = program(_on_disk(folder / f"bad_{rule.example}.py"))
    right = _on_disk(folder / f"bad_{rule.example}.fixed.py")
    if not right.is_file():
        right = _on_disk(folder / f"ok_{rule.example}.py")
    state = (
        "on by default"
        if rule.on_by_default
        else f"off until selected (`--extend-select {rule.code}`)"
    )
    parts = [
        f"# {rule.name} ({rule.code})",
        f"{rule.summary[0].upper()}{rule.summary[1:]}. This rule is {state}.",
        before.strip(),
        f"## Example\n\n```python\n{bad}```",
        f"## Use instead\n\n```python\n{program(right)}```",
        heading + safety.rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def _on_disk(path: Path) -> Path:
    """The file as it is shipped: as text, so that no scan of an environment takes it for code."""
    shipped = path.with_name(f"{path.name}.txt")
    return shipped if shipped.is_file() else path


def program(path: Path) -> str:
    """The program itself: without its docstring, which gives the answer away, and the markers."""
    text = _MARKER.sub("", path.read_text(encoding="utf-8"))
    return re.sub(r'\A"""[^"]*"""\n+', "", text)
