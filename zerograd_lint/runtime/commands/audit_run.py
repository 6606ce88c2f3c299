"""Runs the audit of one script, from launch to exit status."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from ..running.launch import launch
from ..running.processes import interruptible
from ..running.run_outcome import RunOutcome
from ..wording import MEASURES
from .stderr import StatusLine, complain
from .text_table import table


def run_audit(args: argparse.Namespace) -> int:
    """Run the script, print what was seen and return the exit status."""
    script = Path(args.script)
    if not script.is_file():
        return complain(f"{script}: no such file")
    status = StatusLine()
    started = time.monotonic()

    def show(reports: Path) -> None:
        steps = _steps_so_far(reports)
        status.show(f"{script}: {steps} steps, {time.monotonic() - started:.0f} s")

    try:
        with interruptible():
            outcome = launch(
                script,
                args.arguments,
                steps=args.steps,
                timeout=args.timeout,
                device=args.device,
                show_output=args.show_output,
                while_running=show,
            )
    except KeyboardInterrupt:
        status.clear()
        return complain(f"{script}: interrupted, and everything it started was ended")
    status.clear()
    if args.output_format == "json":
        json.dump(_to_json(script, outcome), sys.stdout, indent=2)
        print()
    else:
        print(_text(script, outcome))
    if args.report:
        from ..html.report_pages import audit_page

        Path(args.report).write_text(audit_page(script, outcome), encoding="utf-8")
    return exit_status(outcome)


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


def _text(script: Path, outcome: RunOutcome) -> str:
    report = outcome.report
    lines = [each.text() for each in report.observations]
    if len(report.observations) > 1:
        lines += ["", _observation_table(outcome)]
    if outcome.reason:
        lines.append(f"{script}: {outcome.reason}")
        if outcome.returncode and not report.observations and outcome.output:
            lines.append("    " + outcome.tail().replace("\n", "\n    "))
    verdict = "gradient bugs were seen" if report.observations else "no gradient bug was seen"
    if outcome.reason and not report.observations:
        verdict = "no verdict"
    stopped = ", stopped as asked" if report.stopped_early else ""
    lines.append(
        f"{script}: {verdict} in {report.steps} steps, {report.backwards} backward passes"
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


def _to_json(script: Path, outcome: RunOutcome) -> dict[str, object]:
    return {
        "script": str(script),
        "exit_status": exit_status(outcome),
        "reason": outcome.reason,
        **outcome.report.to_json(),
    }
