"""Write docs/rules/ and the table of rules in README.md: `python docs/generate.py`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from zerograd_lint.rules.documentation import is_fixable
from zerograd_lint.rules.registry import all_rules

FOLDER = Path(__file__).resolve().parent / "rules"
README = FOLDER.parents[1] / "README.md"
_START, _END = "<!-- rules: written by docs/generate.py -->\n", "<!-- end of rules -->\n"
_NOTE = "<!-- Written by docs/generate.py from the rule and its fixtures: edit those. -->\n\n"


def pages() -> dict[str, str]:
    """The content of every file in docs/rules/, by name."""
    written = {"README.md": _NOTE + "# Rules\n\n" + _table("", names=True)}
    for rule in all_rules().values():
        written[f"{rule.code}.md"] = _NOTE + rule.documentation()
    return written


def readme(text: str) -> str:
    """The text of README.md with its table of rules brought up to date."""
    before, start, rest = text.partition(_START)
    _, end, after = rest.partition(_END)
    if not end:
        raise ValueError(f"README.md lacks {_START!r} or {_END!r}")
    return before + start + _table("docs/rules/", names=False) + end + after


def _table(folder: str, *, names: bool) -> str:
    columns = ["code", *(["name"] if names else []), "what it says", "by default", "autofix"]
    rows = [columns, ["---"] * len(columns)]
    for rule in all_rules().values():
        rows.append(
            [
                f"[{rule.code}]({folder}{rule.code}.md)",
                *([rule.name] if names else []),
                rule.summary,
                "yes" if rule.on_by_default else "no",
                "yes" if is_fixable(rule) else "no",
            ]
        )
    return "".join(_row(cells) for cells in rows)


def _row(cells: list[str]) -> str:
    return f"|{'|'.join(cells)}|\n" if set(cells) == {"---"} else f"| {' | '.join(cells)} |\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
