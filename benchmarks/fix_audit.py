"""Every fix against reality: random training programs are fixed, each fix alone, and run.

    python -m benchmarks.fix_audit --programs 2000 --run 300

Each offered fix is applied alone: the result must parse, must not have the finding, and no other
that was not there. The first ones whose program is then without findings are run under the audit,
before and after; what is wrong after must have been so before. What does not hold is listed and
makes the command fail.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

import torch

from zerograd_lint import Finding, SourceError, check_source
from zerograd_lint.fixing.apply import apply

from .audited_runs import run_alone
from .training_programs import program


def fixed(text: str, finding: Finding) -> str:
    """The program with one fix applied."""
    return apply(text, [finding], unsafe=True).text


def amiss(before: list[Finding], finding: Finding, text: str) -> str:
    """What a fix did not do, or did beside what it should; empty if it is right."""
    try:
        after = Counter(found.code for found in check_source(text))
    except SourceError as error:
        return f"the result does not parse: {error.message}"
    expected = Counter(found.code for found in before)
    if after[finding.code] >= expected[finding.code]:
        return "the finding is still there"
    added = after - expected
    return f"{min(added)} is new" if added else ""


def fixes(first: int, programs: int) -> Iterator[tuple[int, Finding, str, str]]:
    """Seed, finding, fixed program and what is amiss with it, of every fix that is offered."""
    for seed in range(first, first + programs):
        text = program(seed)
        findings = check_source(text)
        for finding in findings:
            if finding.fix is not None:
                result = fixed(text, finding)
                yield seed, finding, result, amiss(findings, finding, result)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--run", type=int, default=300, help="how many fixed programs are run")
    parser.add_argument("--first", type=int, default=0, help="the seed to begin with")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    offered: Counter[str] = Counter()
    wrong: list[str] = []
    ran = clean = 0
    for seed, finding, text, reason in fixes(arguments.first, arguments.programs):
        offered[finding.code] += 1
        if not reason and ran < arguments.run and not check_source(text):
            ran += 1
            after = run_alone(text).kinds
            clean += not after
            # A random program may be wrong in a second way, that nobody is told of.
            added = after - run_alone(program(seed)).kinds
            if added:
                reason = f"the run shows {', '.join(sorted(added))}, which it did not before"
        if reason:
            wrong.append(f"seed {seed}: {finding.code} on line {finding.line}: {reason}")
    counted = ", ".join(f"{code} {times}" for code, times in sorted(offered.items()))
    print(f"{arguments.programs} programs, {offered.total()} fixes ({counted})")
    print(f"{ran} run, {clean} of them clean")
    print(*wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
