"""The linter against reality: random training programs are run under the audit and compared.

    python -m benchmarks.differential --programs 2000

A default finding claims that training goes wrong, so the run must show it; a run that goes wrong
without a finding is a miss, and is listed with its reason. False alarms, and misses that have
none, make the command fail.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch

import zerograd_lint
from zerograd_lint import Finding, Settings, check_source
from zerograd_lint.rules.registry import all_rules
from zerograd_lint.runtime import AuditReport

from .training_programs import program

SEEN_AT_RUN_TIME = frozenset({"stale", "wiped", "defeated", "unfed"})
"""What the audit can see without running a corrected twin."""
UNEXPLAINED = "not explained"
_TEST = re.compile(r"^ +if (.*):$", re.MULTILINE)
_ACT = re.compile(r"\w+_\d\.(?:backward|step|zero_grad)\(")
POSSIBLE = Settings(select=("ZG901", "ZG902"))


@dataclass(frozen=True)
class Comparison:
    seed: int
    text: str
    findings: list[Finding]
    report: AuditReport
    verdict: str
    """"agree", "false alarm: …" or "miss: …"."""


def compare(seed: int) -> Comparison:
    """Lint and run one program."""
    text = program(seed)
    findings = check_source(text)
    report = run(text, seed)
    return Comparison(seed, text, findings, report, _verdict(text, findings, report))


def run(text: str, seed: int) -> AuditReport:
    with zerograd_lint.audit() as report:
        try:
            exec(compile(text, f"<program {seed}>", "exec"), {"__name__": "__main__"})
        except RuntimeError as error:
            report.failure = str(error)
    return report


def _verdict(text: str, findings: list[Finding], report: AuditReport) -> str:
    rules = all_rules()
    seen = report.kinds()
    for finding in findings:
        if rules[finding.code].proof in SEEN_AT_RUN_TIME and not seen:
            return f"false alarm: {finding.code}, but the run is clean"
    wrong = seen & {"stale", "wiped", "defeated"}
    if wrong and not findings:
        possible = {finding.code for finding in check_source(text, settings=POSSIBLE)}
        shown = f" (shown by {', '.join(sorted(possible))})" if possible else ""
        return f"miss: {_reason(text, wrong)}{shown}"
    return "agree"


def _reason(text: str, wrong: set[str]) -> str:
    """Why silence is what we want here, or all that can be had."""
    tests = set(_TEST.findall(text)) - {"True"}
    counters = {test for test in tests if "%" in test}
    if not tests and wrong == {"defeated"}:
        return "a backward always cleared before a step: an attack or a probe looks the same"
    if tests - counters:
        return "a test whose answer is not known: any branch may be the usual one"
    if len(counters) > 1:
        return "two counters that need not agree"
    if counters and "def clear(" in text:
        return "a function that nothing here calls may clear, from elsewhere"
    if counters and _doubled(text):
        return "one window with two backwards, steps or zeroings: each makes up for the other"
    return UNEXPLAINED


def _doubled(text: str) -> bool:
    """Some backward, step or zeroing of one owner stands in the loop more than once."""
    calls = Counter(_ACT.findall(text))
    return any(times > 1 for times in calls.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the seed to begin with")
    parser.add_argument("--save", type=Path, help="a folder for the programs that disagree")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    verdicts: Counter[str] = Counter()
    examples: dict[str, int] = {}
    dirty = reported = 0
    for seed in range(arguments.first, arguments.first + arguments.programs):
        result = compare(seed)
        verdicts[result.verdict] += 1
        dirty += not result.report.clean
        reported += bool(result.findings)
        shortest = examples.get(result.verdict)
        if shortest is None or len(result.text) < len(program(shortest)):
            examples[result.verdict] = seed
        if arguments.save and result.verdict != "agree":
            arguments.save.mkdir(parents=True, exist_ok=True)
            name = result.verdict.partition(":")[0].replace(" ", "_")
            heading = (
                f"# {result.verdict}\n# findings: {[(f.code, f.line) for f in result.findings]}\n"
            )
            (arguments.save / f"{name}_{seed}.py").write_text(heading + result.text)
    print(f"{arguments.programs} programs, {dirty} go wrong when run, {reported} reported")
    for verdict, times in verdicts.most_common():
        print(f"{times:6} {verdict}  (shortest: seed {examples[verdict]})")
    return int(any(v.startswith("false alarm") or UNEXPLAINED in v for v in verdicts))


if __name__ == "__main__":
    sys.exit(main())
