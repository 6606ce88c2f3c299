"""Layers point one way, and the flow engine has never heard of gradients."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "zerograd_lint"

# Lower number = nearer to the source. A module may import its own layer and those below.
LAYERS = {
    "finding": 0,
    "settings": 0,
    "gate": 0,
    "program": 0,
    "events": 1,
    "flow": 1,
    "ledger": 2,
    "plan": 3,
    "rules": 4,
}
HEAVY = {"torch", "libcst", "rich", "pathspec", "numpy", "flake8", "hypothesis"}


def modules() -> Iterator[Path]:
    return (p for p in sorted(PACKAGE.rglob("*.py")) if "_fixtures" not in p.parts)


def layer(parts: tuple[str, ...]) -> int | None:
    return LAYERS.get(parts[0].removesuffix(".py")) if parts else None


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """Modules of this package that a file imports, as parts below the package."""
    here = path.relative_to(PACKAGE).parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level]
            target = (*base, *(node.module.split(".") if node.module else ()))
            if target:
                yield target
            else:
                yield from ((alias.name,) for alias in node.names)


@pytest.mark.parametrize("path", list(modules()), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_imports_upward(path: Path) -> None:
    own = layer(path.relative_to(PACKAGE).parts)
    if own is None:
        return
    for target in imports(path):
        other = layer(target)
        if target[0] in ("events", "ledger", "flow", "rules", "plan", "engine", "edits", "fixes"):
            assert other is not None, f"{path.name} imports {'.'.join(target)} from above"
        if other is not None:
            assert other <= own, f"{path.name} (layer {own}) imports {'.'.join(target)} ({other})"


def test_flow_and_vocabulary_do_not_know_each_other() -> None:
    for path in (PACKAGE / "flow").glob("*.py"):
        text = path.read_text(encoding="utf-8").lower()
        found = re.findall(r"torch|grad|optimi[sz]er|backward|zero|\bstep\(\)|tensor", text)
        assert not found, f"{path.name} speaks of {found}"
        assert not [t for t in imports(path) if t[0] in ("events", "ledger", "rules")]
    for path in (PACKAGE / "events").glob("*.py"):
        assert not [t for t in imports(path) if t[0] in ("flow", "ledger", "rules")]


def test_rules_see_no_syntax() -> None:
    for path in (PACKAGE / "rules").glob("*.py"):
        assert not re.search(r"\blibcst\b|\bcst\.", path.read_text(encoding="utf-8")), path.name


def test_only_the_runtime_imports_torch() -> None:
    for path in modules():
        if "runtime" in path.relative_to(PACKAGE).parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            assert not [n for n in names if n.partition(".")[0] == "torch"], path


@pytest.mark.parametrize("module", ["zerograd_lint", "zerograd_lint.flake8_plugin"])
def test_import_needs_the_standard_library_only(module: str) -> None:
    code = f"import sys; import {module}; print(' '.join(sorted(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in out.stdout.split()}
    assert not loaded & HEAVY
