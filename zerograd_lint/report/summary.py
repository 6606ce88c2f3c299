"""The last lines of a report: how many errors there are, and which of them could be fixed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..check.result import FileResult
from ..finding import Finding
from . import ReportOptions
from .colours import Colours


def counted(number: int, noun: str) -> str:
    """A number and its noun, in the plural where it must be: `2 errors`, `2 fixes`, `2 entries`."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}{'es' if noun.endswith('x') else 's'}"


def star(finding: Finding, options: ReportOptions, colour: Colours) -> str:
    """`[*] ` in front of a finding that `--fix` would mend with the flags that were given."""
    return f"[{colour('cyan', '*')}] " if _applies(finding, options) else ""


def _applies(finding: Finding, options: ReportOptions) -> bool:
    return finding.fix is not None and (finding.fix.safe or options.unsafe)


def lines(results: Sequence[FileResult], options: ReportOptions, colour: Colours) -> list[str]:
    """The lines of the summary; none if it is not wanted."""
    if options.quiet:
        return []
    findings = [finding for result in results for finding in result.findings]
    problems = sum(len(result.problems) for result in results)
    fixed = sum(result.fixed for result in results)
    shown = []
    if options.fix_only:
        shown.append(fixes(fixed, len(findings)))
    elif findings or fixed:
        outcome = f" ({fixed} fixed, {len(findings)} remaining)" if fixed else ""
        shown.append(f"Found {counted(len(findings) + fixed, 'error')}{outcome}.")
    elif not problems:
        shown.append(colour("green", "All checks passed!"))
    if problems:
        shown.append(f"{counted(problems, 'problem')} kept files from a check.")
    return shown + _hints(findings, options, colour)


def fixes(fixed: int, remaining: int) -> str:
    """What `--fix` did, where the report itself has no place for it."""
    left = f", {remaining} remaining" if remaining else ""
    return f"Fixed {counted(fixed, 'error')}{left}."


def _hints(findings: Iterable[Finding], options: ReportOptions, colour: Colours) -> list[str]:
    """What could be fixed with other flags."""
    fixable = [finding for finding in findings if finding.fix is not None]
    ready = 0 if options.fixing else sum(_applies(each, options) for each in fixable)
    hidden = sum(not _applies(each, options) for each in fixable)
    if ready:
        more = f", {hidden} more with --unsafe-fixes" if hidden else ""
        return [f"[{colour('cyan', '*')}] {ready} fixable with --fix{more}."]
    if hidden:
        how = "look with --diff --unsafe-fixes, then apply with --fix --unsafe-fixes"
        return [f"{counted(hidden, 'hidden fix')}: {how}."]
    return []
