"""Layers point one way, for every module, and the flow engine has never heard of gradients."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "zerograd_lint"
ROOT = "zerograd_lint"
"""The package itself: its version, and the public functions that load the rest when called."""

BASE = "finding argument config.settings vocabulary"
ANALYSIS = f"{BASE} files prefilter syntax project program events flow ledger fixing.plan rules"
SHELL = f"{ANALYSIS} config fixing check"
RUNTIME = "runtime.requirement runtime.call_sites runtime.wording runtime.observation runtime.books"
MAY_IMPORT = {
    # from bytes to findings
    "finding": "",
    "argument": "",
    "config.settings": "",
    "vocabulary": "",
    "files": "finding",
    "prefilter": f"{BASE} files",
    "syntax": "finding prefilter.excerpt",
    "project": f"{BASE} files prefilter",
    "program": "",
    "events": "",
    "events.site": "program",
    "events.event": "program events.site",
    "events.scopes": "vocabulary program syntax",
    "events.objects": f"{BASE} program syntax events.scopes",
    "events.lowering": f"{BASE} program syntax events",
    "flow": "program",
    "ledger": "argument vocabulary program events.event events.site flow",
    "fixing.plan": "events.event events.site",
    "rules": f"{BASE} program events.event events.site ledger fixing.plan",
    # from findings to people
    "config": f"{BASE} files rules {ROOT}",
    "fixing": "finding files prefilter.excerpt syntax events.site fixing.plan",
    "check": f"{ANALYSIS} config fixing",
    "report": f"{SHELL} {ROOT}",
    # running programs
    "runtime.requirement": "",
    "runtime.call_sites": "",
    "runtime.wording": "",
    "runtime.observation": RUNTIME,
    "runtime.books": RUNTIME,
    "runtime.judging": RUNTIME,
    "runtime.hooks": f"{RUNTIME} runtime.judging",
    "runtime.child": f"{RUNTIME} runtime.judging runtime.hooks files finding",
    "runtime.running": f"{RUNTIME} runtime.child files",
    "runtime.compare": f"{RUNTIME} runtime.running runtime.child rules fixing finding",
    "runtime.html": f"{RUNTIME} runtime.running runtime.compare {ROOT}",
    "runtime.commands": f"{SHELL} cli.option_values runtime",
    "runtime.checks": RUNTIME,
    "runtime": f"{RUNTIME} runtime.hooks",
    # the ways in
    "cli": f"{SHELL} report {ROOT}",
    "server": f"{SHELL} report {ROOT}",
    "flake8_plugin": f"finding config check {ROOT}",
    "pytest_plugin": "runtime",
    "testing": "runtime",
    "callbacks": "runtime",
    "__main__": "cli",
    ROOT: "finding config.settings check runtime",
}
"""By layer, a package or a module: the layers it may import beside itself."""
SYNTAX = re.compile(r"\blibcst\b|\bcst\.|\bast\b")


def modules() -> Iterator[tuple[str, Path]]:
    """Every module with its dotted name below the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or ROOT, path


MODULES = dict(modules())


def layer(module: str) -> str:
    """The longest entry of the table that a module belongs to."""
    found = [name for name in MAY_IMPORT if module == name or module.startswith(f"{name}.")]
    assert found, f"{module} has no layer: put it into the table above"
    return max(found, key=len)


def imported(path: Path, *, at_once: bool = False) -> Iterator[str]:
    """Modules of this package that a file imports; `at_once` leaves out what waits for a call."""
    here = path.relative_to(PACKAGE).parts
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if at_once else ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            parts = node.module.split(".") if node.module else []
            if node.level:
                parts = [*here[: len(here) - node.level], *parts]
            elif parts[0] == ROOT:
                del parts[0]
            else:
                continue
            for alias in node.names:
                inner = ".".join([*parts, alias.name])
                yield inner if inner in MODULES else ".".join(parts) or ROOT


@pytest.mark.parametrize("module", MODULES)
def test_every_module_imports_only_what_its_layer_may(module: str) -> None:
    own = layer(module)
    allowed = MAY_IMPORT[own].split()
    for target in imported(MODULES[module]):
        other = layer(target)
        assert other == own or any(
            target == name or target.startswith(f"{name}.") for name in allowed
        ), f"{module} ({own}) imports {target} ({other})"


def test_the_table_names_no_layer_that_is_gone() -> None:
    layers = {layer(module) for module in MODULES}
    assert layers == MAY_IMPORT.keys()
    named = {name for names in MAY_IMPORT.values() for name in names.split()}
    assert all(any(m == name or m.startswith(f"{name}.") for m in MODULES) for name in named)


def test_no_import_comes_round() -> None:
    """Modules that load each other have no order in which a reader could read them."""
    graph = {name: set(imported(path, at_once=True)) - {name} for name, path in MODULES.items()}
    graphlib.TopologicalSorter(graph).prepare()


def test_the_flow_engine_has_no_word_of_pytorch() -> None:
    for module, path in MODULES.items():
        if layer(module) in ("flow", "program"):
            text = path.read_text(encoding="utf-8").lower()
            found = re.findall(r"torch|grad|optimi[sz]er|backward|zero|\bstep\(\)|tensor", text)
            assert not found, f"{module} speaks of {found}"


@pytest.mark.parametrize("package", ["rules", "ledger", "flow", "program", "vocabulary"])
def test_syntax_ends_with_the_events(package: str) -> None:
    """What comes after the events, or before any file is read, knows no syntax tree."""
    for module, path in MODULES.items():
        if layer(module) == package:
            assert not SYNTAX.search(path.read_text(encoding="utf-8")), module


def foreign_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize(
    ("library", "layers"),
    [
        ("torch", ("runtime",)),
        ("libcst", ("syntax", "events", "fixing")),
        ("pygls", ("server",)),
        ("lsprotocol", ("server",)),
    ],
)
def test_a_library_is_imported_in_its_place_only(library: str, layers: tuple[str, ...]) -> None:
    users = {m for m, path in MODULES.items() if library in foreign_imports(path)}
    assert users, f"nothing imports {library}"
    assert not [module for module in users if module.partition(".")[0] not in layers]


@pytest.mark.parametrize("module", ["zerograd_lint", "zerograd_lint.flake8_plugin"])
def test_import_needs_the_standard_library_only(module: str) -> None:
    code = f"import sys; import {module}; print(' '.join(sorted(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in out.stdout.split()}
    assert not loaded - sys.stdlib_module_names - {ROOT, "sitecustomize"} - startup_modules()


def startup_modules() -> set[str]:
    """What an interpreter of this environment loads by itself."""
    code = "import sys; print(' '.join(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in out.stdout.split()}


def test_one_name_means_one_thing() -> None:
    """No two classes and no two modules of one name."""
    classes: dict[str, list[str]] = {}
    stems: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        if path.stem != "__init__":
            stems.setdefault(path.stem, []).append(module)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(module)
    assert {name: users for name, users in classes.items() if len(users) > 1} == {}
    assert {name: users for name, users in stems.items() if len(users) > 1} == {}
