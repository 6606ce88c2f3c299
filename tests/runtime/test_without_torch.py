"""Without torch the commands say what to install, and linting does not notice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_HIDE_TORCH = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "torch" else find(name, *rest)
sys.modules["torch"] = None
"""


def without_torch(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _HIDE_TORCH + code], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("command", ["audit", "verify"])
def test_the_commands_say_what_to_install(command: str, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import torch\n")
    words = [command, str(script)]
    done = without_torch(f"from zerograd_lint.cli.main import main; sys.exit(main({words!r}))")
    assert done.returncode == 2
    assert 'pip install "zerograd-lint[verify]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_the_library_says_what_to_install() -> None:
    done = without_torch("import zerograd_lint; zerograd_lint.audit()")
    assert "TorchMissing: running code needs PyTorch" in done.stderr


def test_importing_the_commands_loads_nothing_heavy() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, zerograd_lint.pytest_plugin\n"
            "from zerograd_lint.runtime.commands import audit_command, verify_command\n"
            "print(sorted({'torch', 'numpy', 'libcst', 'rich'} & set(sys.modules)))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
