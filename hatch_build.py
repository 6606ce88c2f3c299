"""What a wheel holds beside the package: the rules' examples, shell completions, a manual page.

Of the fixtures only those go in that the rule pages show, and as text: a linter that scans a
virtual environment would otherwise find a bug in each of them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPLETIONS = {
    "bash": "share/bash-completion/completions/zerograd-lint",
    "zsh": "share/zsh/site-functions/_zerograd-lint",
    "fish": "share/fish/vendor_completions.d/zerograd-lint.fish",
}
MANUAL = "share/man/man1/zerograd-lint.1"


class BuildHook(BuildHookInterface[Any]):
    """Called by hatchling before a wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path.insert(0, str(root))
        sys.dont_write_bytecode = True
        if version != "editable":  # which reads the fixtures themselves
            for path in _shown_fixtures():
                name = path.relative_to(root / "fixtures").as_posix()
                build_data["force_include"][str(path)] = f"zerograd_lint/_examples/{name}.txt"
        for place, text in _shared_files().items():
            file = Path(self.directory) / "shared" / Path(place).name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(file)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        folder = Path(self.directory) / "shared"
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def _shown_fixtures() -> list[Path]:
    """The programs that rule pages show, and of every rule with a fix one that has been fixed."""
    from zerograd_lint.rules.documentation import folder_of
    from zerograd_lint.rules.registry import all_rules

    shown: list[Path] = []
    for rule in all_rules().values():
        folder = folder_of(rule)
        twins = [folder / f"bad_{rule.example}.fixed.py", folder / f"ok_{rule.example}.py"]
        fixed = sorted(folder.glob("*.fixed.py"))
        wanted = [folder / f"bad_{rule.example}.py", *(t for t in twins if t.is_file())][:2]
        shown += [*wanted, *(fixed[:1] if not {*wanted} & {*fixed} else ())]
    return shown


def _shared_files() -> dict[str, str]:
    """Completions and the manual page, by the place they are installed in."""
    from zerograd_lint.cli.completion_command import SCRIPTS
    from zerograd_lint.cli.man_page import man_page

    files = {COMPLETIONS[shell]: script() for shell, script in SCRIPTS.items()}
    return {**files, MANUAL: man_page()}
