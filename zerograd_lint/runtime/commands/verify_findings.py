"""`verify PATH…`: lint, run, and give every finding its verdict."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ...check.options import RunOptions
from ...check.run import check_files
from ...config.discovery import Discovery, Found
from ...files.kinds import PYTHON
from ...finding import Finding
from ..compare.settle import Settled, settle, start
from ..compare.settled_words import settled_in_words
from ..compare.verdicts import CONFIRMED, INCONCLUSIVE
from ..running.processes import interruptible
from ..running.program_pool import open_pool
from .stderr import StatusLine, complain


def run_findings(args: argparse.Namespace) -> int:
    """Settle all findings, print their verdicts and return the exit status."""
    failed = False
    linted: list[tuple[Path, str, list[Finding]]] = []
    for result in check_files(_files(args), RunOptions()).results:
        for problem in result.problems:
            complain(f"{result.path}: {problem.message}")
            failed = True
        if result.findings:
            linted.append((Path(result.path), result.text, result.findings))
    settled = _settle_all(linted, args) if linted else []
    if settled:
        from .proof_keeping import keep_proofs

        keep_proofs(settled, {path: text for path, text, _ in linted})
    if args.output_format == "json":
        json.dump([_to_json(each) for each in settled], sys.stdout, indent=2)
        print()
    else:
        _print_text(settled)
    if args.report:
        from ..html.report_pages import findings_page

        Path(args.report).write_text(findings_page(settled), encoding="utf-8")
    if any(each.verdict == CONFIRMED for each in settled):
        return 1
    unsettled = any(each.verdict == INCONCLUSIVE for each in settled)
    return 2 if failed or unsettled else 0


def _files(args: argparse.Namespace) -> Iterator[Found]:
    """The Python files; a notebook or a page of markdown is not a program one can run."""
    options = {
        key: [code.strip() for code in value.split(",")]
        for key, value in (("select", args.select), ("extend-select", args.extend_select))
        if value
    }
    for found in Discovery(options).find(args.paths):
        if found.kind == PYTHON:
            yield found


def _settle_all(
    linted: list[tuple[Path, str, list[Finding]]], args: argparse.Namespace
) -> list[Settled]:
    status = StatusLine()
    jobs = args.jobs or min(4, os.cpu_count() or 1)
    settled: list[Settled] = []
    with (
        interruptible(),
        open_pool(device=args.device, steps=args.steps, timeout=args.timeout, jobs=jobs) as pool,
    ):
        waiting = [
            start(path, text, findings, args.arguments, pool) for path, text, findings in linted
        ]
        for number, runs in enumerate(waiting, 1):
            status.show(f"running {number}/{len(waiting)}: {runs.path}")
            settled += settle(runs)
    status.clear()
    return settled


def _print_text(settled: list[Settled]) -> None:
    for each in settled:
        place = f"{each.path}:{each.finding.line}:{each.finding.column}"
        print(f"{each.verdict:12} {place}: {each.finding.code} {each.finding.name}")
        for line in filter(None, (settled_in_words(each), each.evidence)):
            print(f"{'':12}     {line}")
    counts = Counter(each.verdict for each in settled)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    print(summary or "no findings to verify")


def _to_json(settled: Settled) -> dict[str, object]:
    return {
        "path": str(settled.path),
        "line": settled.finding.line,
        "column": settled.finding.column,
        "code": settled.finding.code,
        "message": settled.finding.message,
        "verdict": settled.verdict,
        "evidence": settled.evidence,
        "steps": settled.original.report.steps,
    }
