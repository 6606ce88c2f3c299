"""Findings that need several files: the same however files are checked, and asked again in time."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixture_files import copied_projects
from zerograd_lint.check.engine import check_with_dependencies
from zerograd_lint.config.settings import DEFAULT
from zerograd_lint.files.digest import digest_of_file

ENGINE = """\
def train_step(model, optimizer, inputs):
    model(inputs).square().mean().backward()
    optimizer.step()
"""
MAIN = """\
import torch
from {module} import train_step

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(8):
    train_step(model, optimizer, torch.randn(16, 4))
"""
LAST_LINE = 7

Found = list[tuple[str, int, str]]


def check(folder: Path, *arguments: str) -> Found:
    """Name, line and code of every finding, as the command reports them in a folder."""
    command = [sys.executable, "-m", "zerograd_lint", "check", "--output-format", "json"]
    done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return sorted(
        (Path(each["filename"]).name, each["location"]["row"], each["code"])
        for each in json.loads(done.stdout)
    )


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_projects(tmp_path_factory.mktemp("projects"))


@pytest.fixture(scope="module")
def together(projects: Path) -> Found:
    return check(projects, "--isolated", "--no-cache", "-j", "1", ".")


def test_several_processes_say_the_same(projects: Path, together: Found) -> None:
    assert together
    assert check(projects, "--isolated", "--no-cache", "-j", "2", ".") == together


def test_files_in_any_order_say_the_same(projects: Path, together: Found) -> None:
    files = [str(path) for path in projects.rglob("*.py")]
    random.Random(7).shuffle(files)
    assert check(projects, "--isolated", "--no-cache", "-j", "1", *files) == together


def test_files_alone_say_the_same(projects: Path, together: Found) -> None:
    """flake8 and pre-commit hand over single files."""
    files = random.Random(11).sample(sorted(projects.rglob("*.py")), 8)
    for path in files:
        expected = [found for found in together if found[0] == path.name]
        assert check(projects, "--isolated", "--no-cache", str(path)) == expected


def test_the_cache_says_the_same(projects: Path, together: Found, tmp_path: Path) -> None:
    options = ("--isolated", "--cache-dir", str(tmp_path), "-j", "1", ".")
    assert check(projects, *options) == together
    assert check(projects, *options) == together


def test_the_cache_asks_again_when_another_file_changes_appears_or_vanishes(
    tmp_path: Path,
) -> None:
    project, cache = tmp_path / "project", str(tmp_path / "cache")
    wrong = [("main.py", LAST_LINE, "ZG001")]
    right = ENGINE.replace("    model(inputs)", "    optimizer.zero_grad()\n    model(inputs)")
    write(project, {"main.py": MAIN.format(module="engine")})
    for content, expected in ((None, []), (ENGINE, wrong), (right, []), (ENGINE, wrong)):
        if content is not None:
            (project / "engine.py").write_text(content)
        assert check(project, "--cache-dir", cache, "main.py") == expected
    (project / "engine.py").unlink()
    assert check(project, "--cache-dir", cache, "main.py") == []


LAYOUTS = {
    "beside the script": {"main.py": "engine", "engine.py": ENGINE},
    "from the root": {
        "pyproject.toml": "",
        "scripts/main.py": "lib.engine",
        "lib/engine.py": ENGINE,
    },
    "src": {
        "pyproject.toml": "",
        "scripts/main.py": "pkg.engine",
        "src/pkg/__init__.py": "",
        "src/pkg/engine.py": ENGINE,
    },
    "relative, in a package": {
        "pkg/__init__.py": "",
        "pkg/main.py": ".parts.engine",
        "pkg/parts/__init__.py": "",
        "pkg/parts/engine.py": ENGINE,
    },
    "given out by a package": {
        "main.py": "pkg",
        "pkg/__init__.py": "from .engine import train_step\n",
        "pkg/engine.py": ENGINE,
    },
    "in a circle": {
        "main.py": "engine",
        "engine.py": "from helpers import name\n" + ENGINE,
        "helpers.py": "from engine import train_step\nname = 1\n",
    },
    "beside a module that does not parse": {
        "main.py": "engine",
        "engine.py": "from broken import name\n" + ENGINE,
        "broken.py": "def name(:\n",
    },
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_modules_are_found_where_python_finds_them(layout: str, tmp_path: Path) -> None:
    files = {
        name: MAIN.format(module=text) if name.endswith("main.py") else text
        for name, text in LAYOUTS[layout].items()
    }
    write(tmp_path, files)
    main = next(name for name in files if name.endswith("main.py"))
    assert check(tmp_path, "--no-cache", main) == [("main.py", LAST_LINE, "ZG001")]
    assert check(tmp_path, "--no-cache", "--no-project", main) == []


def test_configured_folders_are_searched(tmp_path: Path) -> None:
    table = "[tool.zerograd-lint]\nsrc = ['code/python']\n"
    write(tmp_path, {"pyproject.toml": table, "main.py": MAIN.format(module="pkg.engine")})
    write(tmp_path, {"code/python/pkg/engine.py": ENGINE})
    assert check(tmp_path, "--no-cache", "main.py") == [("main.py", LAST_LINE, "ZG001")]


def test_nothing_outside_the_project_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"engine.py": ENGINE, "project/pyproject.toml": ""})
    write(tmp_path, {"project/main.py": MAIN.format(module="engine")})
    (tmp_path / "project" / "linked.py").symlink_to(tmp_path / "engine.py")
    write(tmp_path, {"project/other.py": MAIN.format(module="linked")})
    assert check(tmp_path / "project", "--no-cache", "main.py", "other.py") == []


def test_two_ways_to_import_one_name_are_not_known(tmp_path: Path) -> None:
    right = ENGINE.replace("    model(inputs)", "    optimizer.zero_grad()\n    model(inputs)")
    fast, slow = (f"    from {module} import train_step\n" for module in ("fast", "engine"))
    either = f"try:\n{fast}except ImportError:\n{slow}"
    main = MAIN.replace("from {module} import train_step\n", either)
    write(tmp_path, {"main.py": main, "engine.py": ENGINE, "fast.py": right})
    assert check(tmp_path, "--no-cache", "main.py") == []


def test_a_large_project_is_survived(tmp_path: Path) -> None:
    """Thousands of modules that import each other, a deep line of bases, a module of megabytes."""
    modules = {
        f"m{n}.py": f"from m{(n * 7 + 1) % 2000} import *\nfrom m{(n + 1) % 2000} import f{n + 1}\n"
        f"def f{n}(optimizer):\n    f{n + 1}(optimizer)\n    optimizer.zero_grad()\n"
        for n in range(2000)
    }
    bases = {
        f"base{n}.py": f"from base{n + 1} import Base{n + 1}\n"
        f"class Base{n}(Base{n + 1}):\n    pass\n"
        for n in range(300)
    }
    write(tmp_path, modules | bases)
    (tmp_path / "large.py").write_text("x = 1\n" * 4_000_000)
    head = "from m0 import f0\nfrom base0 import Base0\nfrom large import x\n"
    main = head + MAIN.format(module="engine").replace("optimizer, ", "Base0(optimizer, x), ")
    write(tmp_path, {"main.py": main + "    f0(optimizer)\n", "engine.py": ENGINE})
    assert check(tmp_path, "--no-cache", "--file-timeout", "20", "main.py") == []


def test_explain_project_names_what_is_read_and_what_is_not_there(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "main.py": "import missing\nfrom names import NAME\n" + MAIN.format(module="engine"),
            "engine.py": ENGINE,
            "names.py": "NAME = 1\n",
        },
    )
    command = [sys.executable, "-m", "zerograd_lint", "check", "--explain-project", "main.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "main.py: 3 lines of engine.py are read with it",
        "main.py: not in the project: missing, torch",
    ]


def test_the_cache_holds_where_an_imported_module_is_not_needed(tmp_path: Path) -> None:
    write(tmp_path, {"names.py": "NAME = 1\n", "engine.py": ENGINE})
    write(tmp_path, {"main.py": "from names import NAME\n" + MAIN.format(module="engine")})
    text = (tmp_path / "main.py").read_text()
    checked = check_with_dependencies(text, str(tmp_path / "main.py"), DEFAULT)
    assert checked.dependencies
    for path, was in checked.dependencies.items():
        assert digest_of_file(path) == was
