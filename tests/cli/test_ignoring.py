"""Path patterns mean what they mean to git: git itself is asked."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from zerograd_lint.config.gitignore import PathRules

NAMES = ["a", "b", "ab", "a.py", "b.py", "build", "x y", "c[d", "a*b", "-"]
ATOMS = ["a", "b", "*", "?", "[ab]", "[!a]", "[a-c]", "**", "/", ".py", "build", "\\*", "\\a"]
ATOMS += ["ab", "[[:alpha:]]", "!", "-", "#", "[a", "[]a]"]


def _ignored(rules: PathRules, path: str) -> bool:
    """As a walk asks: folder by folder, down to the file."""
    parts = path.split("/")
    return any(
        rules.verdict("/".join(parts[:depth]), folder=depth < len(parts))
        for depth in range(1, len(parts) + 1)
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("seed", range(25))
def test_random_patterns_agree_with_git(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    paths = set()
    for _ in range(30):
        path = "/".join(choose.choice(NAMES) for _ in range(choose.randint(1, 4)))
        target = tmp_path / path
        if not target.exists() and not any(p.is_file() for p in target.parents):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
            paths.add(path)
    lines = [
        "".join(choose.choice(ATOMS) for _ in range(choose.randint(1, 5)))
        + choose.choice(["", "", "/", " "])
        for _ in range(choose.randint(1, 4))
    ]
    if choose.random() < 0.5:
        lines.append("!" + choose.choice(lines))
    (tmp_path / ".gitignore").write_text("\n".join(lines) + "\n")
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=tmp_path,
        input="\0".join(sorted(paths)),
        capture_output=True,
        text=True,
        check=False,
    )
    expected = {path for path in asked.stdout.split("\0") if path}
    rules = PathRules(lines)
    assert {path for path in paths if _ignored(rules, path)} == expected, lines


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("tests", "a/tests/b.py", True),
        ("tests/", "tests/deep/b.py", True),
        ("tests/*.py", "tests/b.py", True),
        ("tests/*.py", "other/tests/b.py", False),
        ("**/gen_*.py", "x/y/gen_a.py", True),
        ("/top.py", "sub/top.py", False),
        ("*.py", "a.pyi", False),
    ],
)
def test_a_pattern_covers_files_below_what_it_names(pattern: str, path: str, covered: bool) -> None:
    assert PathRules([pattern]).covers(path) is covered
