"""How many findings on runnable programs `verify` settles: `python -m benchmarks.settle`.

Scripts of public repositories that train on a CPU (`scripts.csv`) are broken by the operators of
the wild benchmark; each broken copy in which something is found is verified. The scripts need
numpy, matplotlib and gymnasium beside torch. Repositories are looked for in `--clones`, and
cloned into it where they are not there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from .mutants import Broken, broken_copies, drawn
from .scripts import Script, load

_SETTLED = ("CONFIRMED", "REFUTED")
_VERDICTS = ("CONFIRMED", "REFUTED", "NEGLIGIBLE", "NOT REACHED", "INCONCLUSIVE")


@dataclass(frozen=True, slots=True)
class Verified:
    """A finding in a broken copy, and what `verify` said of it."""

    operator: str
    script: str
    line: int
    code: str
    verdict: str
    evidence: str


def main() -> None:
    """Break the scripts, verify the broken copies, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clones", type=Path, default=Path.home() / ".cache/zerograd-lint/clones")
    parser.add_argument("--only", default="", help="scripts whose name contains this")
    parser.add_argument("--most", type=int, default=4, help="broken copies of one script (4)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--unrepeatable", action="store_true", help="other random numbers each run")
    parser.add_argument("--keep", type=Path, help="leave the broken copies in this folder")
    args = parser.parse_args()
    mutants, verified = 0, []
    for script in load():
        if args.only in script.name:
            copies, found = _verify_script(script, args)
            mutants += copies
            verified += found
    print(f"\n{mutants} mutants, {len(verified)} findings")
    _print_table(verified)


def _verify_script(script: Script, args: argparse.Namespace) -> tuple[int, list[Verified]]:
    """How many copies of the script were broken, and the verdicts on them."""
    with tempfile.TemporaryDirectory(prefix="settle-") as name:
        folder = args.keep / script.name.replace("/", "+") if args.keep else Path(name)
        path = script.export(args.clones, folder)
        copies = drawn(broken_copies(path, unrepeatable=args.unrepeatable), args.most, args.seed)
        started = time.monotonic()
        verified = _verify(script, path.parent, copies, args.jobs) if copies else []
    seconds = time.monotonic() - started
    print(f"{script.name}: {len(copies)} broken copies, {seconds:.0f} s", flush=True)
    for each in verified:
        if each.verdict not in _SETTLED:
            print(f"    {each.verdict} {each.line} {each.code} {each.operator}: {each.evidence}")
    return len(copies), verified


def _verify(script: Script, folder: Path, copies: list[Broken], jobs: str) -> list[Verified]:
    words = ("verify", "--output-format", "json", "--steps", "40", "--jobs", jobs)
    done = subprocess.run(
        [sys.executable, "-m", "zerograd_lint", *words, *(each.path.name for each in copies)],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "Agg"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    operators = {each.path.name: each.operator for each in copies}
    return [
        Verified(
            operators[Path(each["path"]).name],
            script.name,
            each["line"],
            each["code"],
            each["verdict"],
            each["evidence"],
        )
        for each in json.loads(done.stdout)
    ]


def _print_table(verified: list[Verified]) -> None:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for each in verified:
        table[each.operator][each.verdict] += 1
    table["all"] = sum(table.values(), Counter())
    print("| bug | findings |", " | ".join(_VERDICTS), "| settled |")
    print("|---" * (len(_VERDICTS) + 3) + "|")
    for name, counts in table.items():
        share = sum(counts[each] for each in _SETTLED) / max(1, counts.total())
        numbers = " | ".join(str(counts[each]) for each in _VERDICTS)
        print(f"| {name} | {counts.total()} | {numbers} | {share:.1%} |")


if __name__ == "__main__":
    main()
