"""`verify --expect`: one verdict per fixture, and whether all are as the files say."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

from .expect import FAILED, Judgement, hold
from .processes import interruptible
from .runner import running
from .stderr import Progress, complain


def run_expect(args: argparse.Namespace) -> int:
    paths = [Path(path) for path in args.paths]
    for path in paths:
        if not path.exists():
            return complain(f"{path}: no such file or folder")
    progress = Progress()
    jobs = args.jobs or min(4, os.cpu_count() or 1)
    with (
        interruptible(),
        running(device=args.device, steps=args.steps, timeout=args.timeout, jobs=jobs) as runner,
    ):
        judgements = hold(
            paths, runner, lambda done, total: progress.show(f"running {done}/{total}")
        )
    progress.clear()
    if not judgements:
        return complain("no fixtures found: files are named bad_*.py, bad_*.fixed.py or ok_*.py")
    if args.output_format == "json":
        json.dump([_to_json(each) for each in judgements], sys.stdout, indent=2)
        print()
    else:
        _print_text(judgements)
    if args.report:
        from .html.pages import expectations_page

        Path(args.report).write_text(expectations_page(judgements), encoding="utf-8")
    return 0 if all(each.agrees for each in judgements) else 1


def _print_text(judgements: list[Judgement]) -> None:
    for each in judgements:
        code = ",".join(each.fixture.expected) or each.fixture.code
        print(f"{each.verdict:9} {code:5} {each.fixture.path}: {each.evidence}")
        if each.verdict == FAILED and each.outcome is not None and each.outcome.returncode != 0:
            print("    " + each.outcome.tail().replace("\n", "\n    "))
    counts = Counter(each.verdict for each in judgements)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))


def _to_json(judgement: Judgement) -> dict[str, object]:
    return {
        "path": str(judgement.fixture.path),
        "kind": judgement.fixture.kind,
        "codes": list(judgement.fixture.expected) or [judgement.fixture.code],
        "verdict": judgement.verdict,
        "evidence": judgement.evidence,
        "steps": judgement.outcome.report.steps if judgement.outcome else 0,
    }
