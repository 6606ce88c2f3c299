"""The same text gets the same findings, messages and fixes every time, in every process."""

from __future__ import annotations

import os
import random
import subprocess
import sys

from benchmarks.training_programs import program
from tests.fixture_files import programs
from zerograd_lint import Settings, check_source

EVERYTHING = Settings(extend_select=("ALL",))
TEXTS = [program(163), program(727), *(path.read_text() for path in programs("ZG")[::7])]


def test_findings_do_not_depend_on_where_objects_lie() -> None:
    """Sets of objects are ordered by their addresses, which what else is alive shifts about."""
    alive = []
    findings: dict[str, set[str]] = {}
    for time in range(6):
        for text in [*TEXTS, TEXTS[0], TEXTS[0]]:
            shift = random.Random(f"{time} {len(alive)}").randrange(3_000)
            alive.append([tuple(range(size % 40)) for size in range(shift)])
            findings.setdefault(text, set()).add(repr(check_source(text, settings=EVERYTHING)))
    for text, seen in findings.items():
        assert len(seen) == 1, text


def test_findings_do_not_depend_on_the_hashes_of_a_process() -> None:
    script = (
        "from tests.properties.test_the_same_every_time import EVERYTHING, TEXTS, check_source\n"
        "for text in TEXTS: print(repr(check_source(text, settings=EVERYTHING)))"
    )
    seen = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("code=") > 20
        seen.add(done.stdout)
    assert len(seen) == 1
