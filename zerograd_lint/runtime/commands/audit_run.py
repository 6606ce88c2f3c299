"""Runs the audit of one script, from launch to exit status."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from ..running.launch import LaunchOptions, launch, script_words
from ..running.processes import interruptible
from ..running.run_outcome import RunOutcome
from ..wording import MEASURES, counted
from .script_arguments import note_on
from .stderr import StatusLine, complain
from .text_table import table


def run_audit(args: argparse.Namespace) -> int:
    """Run the program, print what was seen and return the exit status."""
    name = args.script or f"-m {args.module}"
    if args.script and not _can_be_run(Path(args.script)):
        is_folder = Path(args.script).is_dir()
        why = "a folder without a __main__.py: name a script in it" if is_folder else "no such file"
        return complain(f"{args.script}: {why}")
    if args.unknown:
        print(note_on(args.unknown), file=sys.stderr)
    status = StatusLine(visible=args.quiet)
    started = time.monotonic()

    def show(reports: Path) -> None:
        if status.is_due():
            seconds = time.monotonic() - started
            status.show(f"{name}: {_steps_so_far(reports)} steps, {seconds:.0f} s")

    options = LaunchOptions(
        steps=args.steps,
        timeout=args.timeout,
        device=args.device,
        show_output=not args.quiet,
        stdin=args.stdin,
    )
    words = script_words(args.script) if args.script else ["-m", args.module]
    with interruptible():
        outcome = launch([*words, *args.arguments], options, show)
    status.clear()
    if args.output_format == "json":
        json.dump(_to_json(name, outcome), sys.stdout, indent=2)
        print()
    else:
        print(_text(name, outcome, shown=not args.quiet))
    if args.report:
        from ..html.report_pages import audit_page

        Path(args.report).write_text(audit_page(Path(name), outcome), encoding="utf-8")
    return exit_status(outcome)


def _can_be_run(path: Path) -> bool:
    """Whether Python takes this for a script: a file, or a folder with one to begin with."""
    return path.is_file() or (path / "__main__.py").is_file()


def exit_status(outcome: RunOutcome) -> int:
    """1 for a bug, even if the run did not end well; 2 for any other bad end; 0 for clean."""
    if outcome.report.observations:
        return 1
    return 2 if outcome.reason else 0


def _steps_so_far(reports: Path) -> int:
    steps = 0
    for path in reports.glob("*.json"):
        try:
            report = json.loads(path.read_text())["report"]
        except (OSError, ValueError):
            continue
        steps = max(steps, report["steps"] if report else 0)
    return steps


def _text(name: str, outcome: RunOutcome, *, shown: bool) -> str:
    report = outcome.report
    lines = [each.text() for each in report.observations]
    if len(report.observations) > 1:
        lines += ["", _observation_table(outcome)]
    lines += [f"note: {note}" for note in report.notes]
    if outcome.reason:
        lines.append(f"{name}: {outcome.reason}")
        if outcome.returncode and not shown and not report.observations and outcome.output:
            lines.append("    " + outcome.tail().replace("\n", "\n    "))
    verdict = "gradient bugs were seen" if report.observations else "no gradient bug was seen"
    if outcome.reason and not report.observations:
        verdict = "no verdict"
    stopped = ", stopped as asked" if report.stopped_early else ""
    lines.append(
        f"{name}: {verdict} in {counted(report.steps, 'step')}"
        f", {counted(report.backwards, 'backward pass')}"
        f"{' on ' if report.devices else ''}{', '.join(report.devices)}{stopped}"
    )
    return "\n".join(lines)


def _observation_table(outcome: RunOutcome) -> str:
    rows = [("what", "where", "steps", "relative error", "cosine", "wrong share")]
    for each in outcome.report.observations:
        measured = each.relative_error is not None and each.cosine is not None
        rows.append(
            (
                each.kind,
                str(each.site),
                f"{each.steps_affected}/{each.steps_seen}",
                f"{each.relative_error:.3g}" if measured else "-",
                f"{each.cosine:.3g}" if measured else "-",
                f"{each.wrong_share:.0%}" if measured else "-",
            )
        )
    meanings = [f"{name}: {meaning}" for name, meaning in MEASURES.items()]
    return "\n".join([table(rows), *meanings])


def _to_json(name: str, outcome: RunOutcome) -> dict[str, object]:
    return {
        "script": name,
        "exit_status": exit_status(outcome),
        "reason": outcome.reason,
        **outcome.report.to_json(),
    }
