"""`verify --expect`: a verdict on each fixture, and whether it is the one its file expects."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

from ..compare.expect import FixtureVerdict, check_fixtures
from ..compare.verdicts import FAILED
from ..running.processes import interruptible
from ..running.program_pool import open_pool
from .stderr import StatusLine, complain


def run_expect(args: argparse.Namespace) -> int:
    """Run all fixtures, print their verdicts and return the exit status."""
    paths = [Path(path) for path in args.paths]
    for path in paths:
        if not path.exists():
            return complain(f"{path}: no such file or folder")
    status = StatusLine()
    jobs = args.jobs or min(4, os.cpu_count() or 1)
    with (
        interruptible(),
        open_pool(device=args.device, steps=args.steps, timeout=args.timeout, jobs=jobs) as pool,
    ):
        verdicts = check_fixtures(
            paths, pool, lambda done, total: status.show(f"running {done}/{total}")
        )
    status.clear()
    if not verdicts:
        return complain("no fixtures found: files are named bad_*.py, bad_*.fixed.py or ok_*.py")
    if args.output_format == "json":
        json.dump([_to_json(each) for each in verdicts], sys.stdout, indent=2)
        print()
    else:
        _print_text(verdicts)
    if args.report:
        from ..html.report_pages import expectations_page

        Path(args.report).write_text(expectations_page(verdicts), encoding="utf-8")
    return 0 if all(each.agrees for each in verdicts) else 1


def _print_text(verdicts: list[FixtureVerdict]) -> None:
    for each in verdicts:
        code = ",".join(each.fixture.expected) or each.fixture.code
        print(f"{each.verdict:9} {code:5} {each.fixture.path}: {each.evidence}")
        if each.verdict == FAILED and each.outcome is not None and each.outcome.returncode != 0:
            print("    " + each.outcome.tail().replace("\n", "\n    "))
    counts = Counter(each.verdict for each in verdicts)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))


def _to_json(verdict: FixtureVerdict) -> dict[str, object]:
    return {
        "path": str(verdict.fixture.path),
        "kind": verdict.fixture.kind,
        "codes": list(verdict.fixture.expected) or [verdict.fixture.code],
        "verdict": verdict.verdict,
        "evidence": verdict.evidence,
        "steps": verdict.outcome.report.steps if verdict.outcome else 0,
    }
