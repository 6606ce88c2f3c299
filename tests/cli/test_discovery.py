"""Which files a run looks at, and in which order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zerograd_lint.config.discovery import Discovery, Found
from zerograd_lint.config.project import Config


def _tree(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def _found(*paths: str, **options: object) -> list[str]:
    keyed = {name.replace("_", "-"): value for name, value in options.items()}
    return [found.path for found in Discovery(keyed).find(paths or ["."])]


def test_files_come_before_folders_each_by_name(project: Path) -> None:
    _tree(project, "b/z.py", "b/a.py", "c.py", "a/x.py", "a.py", "notes.txt", "nb.ipynb", "w.pyw")
    assert _found() == ["a.py", "c.py", "nb.ipynb", "w.pyw", "a/x.py", "b/a.py", "b/z.py"]
    assert _found("b", "c.py") == ["b/a.py", "b/z.py", "c.py"]
    assert _found("./b") == ["b/a.py", "b/z.py"]
    assert _found(str(project / "b")) == [f"{project}/b/a.py", f"{project}/b/z.py"]


def test_markdown_is_left_out_unless_asked_for(project: Path) -> None:
    _tree(project, "README.md", "a.py")
    assert _found() == ["a.py"]
    assert _found(documents=True) == ["README.md", "a.py"]
    assert [f.kind for f in Discovery({}).find(["README.md"])] == ["markdown"]


def test_environments_are_recognised_whatever_their_name(project: Path) -> None:
    _tree(project, "my-env/pyvenv.cfg", "my-env/lib/a.py", ".venv/b.py", "c.py")
    assert _found() == ["c.py"]
    assert _found("my-env") == ["my-env/lib/a.py"]


def test_nested_gitignores_and_the_ones_above(project: Path) -> None:
    _tree(project, "src/a.py", "src/gen/b.py", "src/keep/c.py", "src/keep/d.py", "tmp_x.py")
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("gen/\ntmp_*\nc.py\n")
    (project / "src" / "keep" / ".gitignore").write_text("!c.py\nd.py\n")
    assert _found() == ["src/a.py", "src/keep/c.py"]
    assert _found("src") == ["src/a.py", "src/keep/c.py"]
    os.chdir("src")
    assert _found() == ["a.py", "keep/c.py"]


def test_a_gitignore_above_the_repository_is_none_of_ours(project: Path) -> None:
    _tree(project, "repo/a.py")
    (project / ".gitignore").write_text("a.py\n")
    (project / "repo" / ".git").mkdir()
    assert _found("repo") == ["repo/a.py"]
    (project / "repo" / ".git" / "info").mkdir()
    (project / "repo" / ".git" / "info" / "exclude").write_text("a.py\n")
    assert _found("repo") == []


def test_excludes_of_a_table_are_relative_to_it(project: Path) -> None:
    _tree(project, "sub/old/a.py", "old/b.py", "sub/c.py")
    (project / "sub" / "pyproject.toml").write_text(
        '[tool.zerograd-lint]\nextend-exclude = ["/old"]\n'
    )
    assert _found() == ["old/b.py", "sub/c.py"]
    assert _found("sub") == ["sub/c.py"]
    os.chdir("sub")
    assert _found("../old", extend_exclude=["old"]) == ["../old/b.py"]


def test_each_file_has_the_nearest_configuration(project: Path) -> None:
    _tree(project, "a.py", "sub/b.py", "sub/deep/c.py")
    (project / "pyproject.toml").write_text('[tool.zerograd-lint]\nignore = ["ZG001"]\n')
    (project / "sub" / "pyproject.toml").write_text('[tool.zerograd-lint]\nignore = ["ZG002"]\n')
    (project / "sub" / "deep" / "pyproject.toml").write_text("[tool.other]\n")
    ignored = {f.path: f.config.settings().ignore for f in Discovery({}).find(["."])}
    assert ignored == {"a.py": ("ZG001",), "sub/b.py": ("ZG002",), "sub/deep/c.py": ("ZG002",)}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX special files")
def test_special_files_are_passed_over_and_cannot_hang(project: Path) -> None:
    _tree(project, "a.py")
    os.mkfifo("pipe.py")
    os.mkfifo("pyproject.toml")
    os.mkfifo(".gitignore")
    Path("dangling.py").symlink_to("nowhere")
    Path("cycle.py").symlink_to("cycle.py")
    Path("loop").symlink_to(".")
    Path("folder.py").mkdir()
    Path("linked.py").symlink_to("a.py")
    assert _found() == ["a.py", "linked.py"]
    named: list[Found] = list(
        Discovery({}).find(["pipe.py", "dangling.py", "cycle.py", "/dev/null"])
    )
    assert named[0].problem == "not a regular file"
    assert all(found.problem for found in named)


def test_an_isolated_run_has_only_the_defaults(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.zerograd-lint]\nignore = ["ZG001"]\n')
    assert Discovery({}, isolated=True).config_for(str(project)).values == {}
    assert isinstance(Discovery({}).config_for(str(project)), Config)
