"""What a run loads: next to nothing for files that do not train."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .conftest import BUGGY

HEAVY = {"libcst", "torch", "dataclasses", "typing", "inspect", "pathlib", "tomllib", "json"}
HEAVY |= {"shutil", "tokenize", "ast", "multiprocessing", "hashlib", "subprocess", "difflib"}

PROBE = """
import sys
before = set(sys.modules)
from zerograd_lint.__main__ import main
status = main(sys.argv[1:])
print(status, *sorted(set(sys.modules) - before), file=sys.stderr)
"""


def _loaded(*arguments: str) -> tuple[int, set[str]]:
    done = subprocess.run(
        [
            sys.executable,
            "-S",
            "-c",
            f"import sys; sys.path[:0] = {sys.path!r}\n{PROBE}",
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    status, *modules = done.stderr.split()
    return int(status), set(modules)


def test_a_file_that_does_not_train_loads_almost_nothing(project: Path) -> None:
    (project / "a.py").write_text("import torch\nprint(torch.zeros(3))\n")
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    for arguments in (["check", "a.py"], ["a.py"], ["."]):
        status, modules = _loaded(*arguments)
        assert status == 0
        assert not modules & HEAVY
        own = {name for name in modules if name.startswith("zerograd_lint")}
        assert "zerograd_lint.check.engine" not in own
        assert "zerograd_lint.config.settings" not in own


def test_a_second_run_over_clean_training_code_needs_no_parser(project: Path) -> None:
    (project / "a.py").write_text(BUGGY.replace("loss.b", "optimizer.zero_grad(); loss.b"))
    assert "zerograd_lint.check.engine" in _loaded("a.py")[1]
    status, modules = _loaded("a.py")
    assert status == 0
    assert not modules & {"libcst", "zerograd_lint.check.engine"}


def test_only_a_training_loop_is_worth_loading_libcst(project: Path) -> None:
    """The gate lets this file pass; the prefilter sees that nothing in it can go wrong."""
    (project / "a.py").write_text(
        "import torch\ndef f(loss):\n    loss.backward()\ndef g(opt):\n    opt.step()\n"
    )
    status, modules = _loaded("a.py")
    assert status == 0
    assert "zerograd_lint.prefilter" in modules
    assert not modules & {"libcst", "torch", "zerograd_lint.check.diagnose"}
    (project / "a.py").write_text(BUGGY)
    status, modules = _loaded("a.py")
    assert status == 1
    assert {"libcst", "zerograd_lint.check.diagnose"} <= modules
    assert "torch" not in modules


def test_the_help_and_version_load_no_rules() -> None:
    for argument in ("--help", "--version"):
        _, modules = _loaded(argument)
        assert not modules & {"argparse", "libcst", "zerograd_lint.rules"}
