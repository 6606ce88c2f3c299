"""How many findings on runnable programs `verify` settles: `python -m benchmarks.settle`.

Scripts of public repositories that train on a CPU (`scripts.csv`) are broken by the operators of
the wild benchmark; each broken copy in which something is found is verified. The scripts need
numpy, matplotlib and gymnasium beside torch. Repositories are looked for in `--clones`, and
cloned into it where they are not there. Results are kept in a file, and what is in it is not run
again, so that parts can run side by side and a run that was ended can go on.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import results
from .mutants import Broken, broken_copies, drawn
from .results import SETTLED, Verified
from .scripts import Script, load


def main() -> None:
    """Break the scripts, verify the broken copies, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clones", type=Path, default=Path.home() / ".cache/zerograd-lint/clones")
    parser.add_argument("--only", default="", help="scripts whose name contains this")
    parser.add_argument("--most", type=int, default=4, help="broken copies of one script (4)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--unrepeatable", action="store_true", help="other random numbers each run")
    parser.add_argument("--results", type=Path, default=Path("settle.jsonl"))
    parser.add_argument("--part", default="1/1", help="K/N: every N-th script, from the K-th on")
    parser.add_argument("--keep", type=Path, help="leave the broken copies in this folder")
    args = parser.parse_args()
    part, _, parts = args.part.partition("/")
    for script in load()[int(part) - 1 :: int(parts)]:
        if args.only in script.name and script.name not in results.scripts(args.results):
            copies, found = _verify_script(script, args)
            results.add(args.results, script.name, copies, found)
    results.print_table(args.results)


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
        if each.verdict not in SETTLED:
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
            each["line"],
            each["code"],
            each["verdict"],
            each["evidence"],
        )
        for each in json.loads(done.stdout)
    ]


if __name__ == "__main__":
    main()
