"""Write docs/rules/ from the rules themselves: `python docs/generate.py`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from zerograd_lint.rules.documentation import is_fixable
from zerograd_lint.rules.registry import all_rules

FOLDER = Path(__file__).resolve().parent / "rules"
_NOTE = "<!-- Written by docs/generate.py from the rule and its fixtures: edit those. -->\n\n"


def pages() -> dict[str, str]:
    """The content of every file in docs/rules/, by name."""
    rules = all_rules().values()
    rows = [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.summary} "
        f"| {'yes' if rule.on_by_default else 'no'} | {'yes' if is_fixable(rule) else 'no'} |\n"
        for rule in rules
    ]
    table = (
        "# Rules\n\n| code | name | what it says | by default | autofix |\n|---|---|---|---|---|\n"
    )
    written = {"README.md": _NOTE + table + "".join(rows)}
    for rule in rules:
        written[f"{rule.code}.md"] = _NOTE + rule.documentation()
    return written


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
