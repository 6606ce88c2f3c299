"""For the site: pages in reading order, rule pages that show what the linter prints, and links that
leave docs/ as text."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_ORDER = (
    *("index", "editors", "integrations", "rules", "configuration", "command-line"),
    *("verify", "audit", "python-api", "how-it-decides"),
    *("how-right-it-is", "how-fast-it-is", "comparison"),
)
_LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#]+)(?:#[^)]*)?\)")
_COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_RULE_PAGE = re.compile(r"rules/(ZG\d{3})\.md")


def on_config(config: Any) -> None:
    """Called by mkdocs at first: what comes when."""
    rules = sorted(f"rules/{path.name}" for path in (ROOT / "docs" / "rules").glob("ZG*.md"))
    config.nav = [
        {"Rules": ["rules/README.md", *rules]} if name == "rules" else f"{name}.md"
        for name in _ORDER
    ]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs for every page."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def within(link: re.Match[str]) -> str:
        inside = (folder / link[2]).resolve().is_relative_to(ROOT / "docs")
        return link[0] if inside else link[1]

    rule = _RULE_PAGE.fullmatch(page.file.src_uri)
    printed = _what_is_printed(rule[1]) if rule else ""
    # A comment in front of the heading would hide the page's title.
    return _LINK.sub(within, _COMMENT.sub("", markdown)) + printed


def _what_is_printed(code: str) -> str:
    """The report about the rule's own example, with the change its fix makes."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from zerograd_lint import Settings, check_source
    from zerograd_lint.check.result import FileResult
    from zerograd_lint.report import ReportOptions, render
    from zerograd_lint.rules.documentation import folder_of, program
    from zerograd_lint.rules.registry import all_rules

    rule = all_rules()[code]
    text = program(folder_of(rule) / f"bad_{rule.example}.py")
    findings = check_source(text, settings=Settings(select=(code,)))
    result = FileResult("train.py", text=text, findings=findings)
    report = render("full", [result], ReportOptions(quiet=True, unsafe=True))
    return f"\n## What it prints\n\n```text\n{report}```\n"
