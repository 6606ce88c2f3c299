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
from ...check.result import FileResult, Place
from ...check.run import check_files
from ...config.discovery import Discovery, Found
from ...files.kinds import NOTEBOOK, PYTHON
from ..compare.settle import Runs, Settled, settle, start
from ..compare.settled_words import settled_in_words
from ..compare.verdicts import CONFIRMED, INCONCLUSIVE
from ..running.processes import interruptible
from ..running.program import Program
from ..running.program_pool import ProgramPool, open_pool
from .script_arguments import note_on
from .stderr import StatusLine, complain


def run_findings(args: argparse.Namespace) -> int:
    """Settle all findings, print their verdicts and return the exit status."""
    if args.entry and not Path(args.entry).is_file():
        return complain(f"{args.entry}: no such file")
    if args.unknown:
        print(note_on(args.unknown), file=sys.stderr)
    failed = False
    linted: list[FileResult] = []
    for result in check_files(_files(args), RunOptions()).results:
        for problem in result.problems:
            complain(f"{result.path}: {problem.message}")
            failed = True
        if result.findings:
            linted.append(result)
    settled: list[Settled] = []
    try:
        _settle_all(linted, args, settled)
    except KeyboardInterrupt:
        done = len({each.path for each in settled})
        complain(f"interrupted, {done} of {len(linted)} files were settled; all runs were ended")
        failed = True
    if settled:
        from .proof_keeping import keep_proofs

        run = {each.path for each in settled}
        texts = {Path(each.path): each.text for each in linted}
        keep_proofs(settled, {path: texts[path] for path in run})
    _print(settled, {Path(each.path): each for each in linted}, args)
    if any(each.verdict == CONFIRMED for each in settled):
        return 1
    unsettled = any(each.verdict == INCONCLUSIVE for each in settled)
    return 2 if failed or unsettled else 0


def _files(args: argparse.Namespace) -> Iterator[Found]:
    """Scripts and notebooks; a page of markdown is not a program one can run."""
    options = {
        key: [code.strip() for code in value.split(",")]
        for key, value in (("select", args.select), ("extend-select", args.extend_select))
        if value
    }
    for found in Discovery(options).find(args.paths):
        if found.kind in (PYTHON, NOTEBOOK):
            yield found


def _settle_all(linted: list[FileResult], args: argparse.Namespace, settled: list[Settled]) -> None:
    """Add the verdicts to `settled` as they come: what was settled stays if the rest is not."""
    if not linted:
        return
    status = StatusLine()
    jobs = args.jobs or min(4, os.cpu_count() or 1)
    with (
        interruptible(),
        open_pool(device=args.device, steps=args.steps, timeout=args.timeout, jobs=jobs) as pool,
    ):
        stdin = pool.keep(sys.stdin.buffer.read()) if args.stdin else Path(os.devnull)
        waiting = [_start(each, args, stdin, pool) for each in linted]
        for number, runs in enumerate(waiting, 1):
            status.show(f"running {number}/{len(waiting)}: {runs.path}")
            settled += settle(runs, pool)
    status.clear()


def _start(result: FileResult, args: argparse.Namespace, stdin: Path, pool: ProgramPool) -> Runs:
    path = Path(result.path)
    script = None if args.module else Path(args.entry or path).resolve()
    program = Program(
        script, tuple(args.arguments), module=args.module, works_in=Path.cwd(), stdin=stdin
    )
    if result.kind == NOTEBOOK:
        program = program.with_text(str(path.resolve()), result.text)
    return start(path, result.text, result.findings, program, pool)


def _print(
    settled: list[Settled], results: dict[Path, FileResult], args: argparse.Namespace
) -> None:
    places = [results[each.path].place(each.finding.span.start) for each in settled]
    if args.output_format == "json":
        documents = [_to_json(*each) for each in zip(settled, places, strict=True)]
        json.dump(documents, sys.stdout, indent=2)
        print()
    else:
        _print_text(settled, places)
        if not results:
            print("no findings to verify")
    if args.report:
        from ..html.report_pages import findings_page

        Path(args.report).write_text(findings_page(settled), encoding="utf-8")


def _print_text(settled: list[Settled], places: list[Place]) -> None:
    for each, place in zip(settled, places, strict=True):
        print(f"{each.verdict:12} {each.path}:{place}: {each.finding.code} {each.finding.name}")
        for line in filter(None, (settled_in_words(each), each.evidence)):
            print(f"{'':12}     {line}")
        tail = each.original.tail()
        if each.verdict == INCONCLUSIVE and each.original.failed and tail:
            print(f"{'':12}     " + tail.replace("\n", f"\n{'':12}     "))
    counts = Counter(each.verdict for each in settled)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    if summary:
        print(summary)


def _to_json(settled: Settled, place: Place) -> dict[str, object]:
    failed = settled.original.failed
    return {
        "path": str(settled.path),
        "cell": place.cell,
        "line": place.line,
        "column": place.column,
        "code": settled.finding.code,
        "message": settled.finding.message,
        "verdict": settled.verdict,
        "evidence": settled.evidence,
        "steps": settled.original.report.steps,
        "output": settled.original.tail() if failed else None,
    }
