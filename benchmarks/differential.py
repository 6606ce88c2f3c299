"""The linter against reality: random training programs are run under the audit and compared.

    python -m benchmarks.differential --programs 5000

Every second program has settings, helpers, several optimizers or a second file; it is run once in
each of its configurations. A default finding claims that training goes wrong, so one of the runs
must show it, on one of the lines it names; a run that goes wrong without a finding is a miss, and
is listed with its reason. False alarms, and misses that have none, make the command fail.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from zerograd_lint import Finding, Settings, check_source

from .audited_runs import Run, runs_of
from .configured_programs import configured_program
from .miss_reasons import UNEXPLAINED, reason
from .sample import MAIN, Sample
from .training_programs import program

READ = {3894: "two zeroings lose what the audit expects to be lost regularly: the finding is true"}
"""Programs whose run shows nothing of a finding, which was then judged by reading."""
WRONG = frozenset({"stale", "wiped", "defeated", "crash"})
"""What must not happen without a finding."""
POSSIBLE = Settings(select=("ZG901", "ZG902"))


@dataclass(frozen=True)
class Comparison:
    sample: Sample
    findings: dict[str, list[Finding]]
    """By file name."""
    runs: list[Run]
    verdict: str
    """"agree", "false alarm: …" or "miss: …"."""


def drawn(seed: int) -> Sample:
    """The program of a seed, plain or configured in turn."""
    return configured_program(seed // 2) if seed % 2 else Sample({MAIN: program(seed // 2)})


def compare(sample: Sample) -> Comparison:
    """Lint and run one program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "pyproject.toml").touch()
        for file, text in sample.files.items():
            (folder / file).write_text(text)
        findings = _findings(sample, folder)
        runs = runs_of(sample, folder)
        verdict = _false_alarm(findings, runs, folder)
        if not verdict and not any(findings.values()):
            verdict = _miss(sample, runs, folder)
    return Comparison(sample, findings, runs, verdict or "agree")


def _findings(
    sample: Sample, folder: Path, settings: Settings | None = None
) -> dict[str, list[Finding]]:
    return {
        file: check_source(text, str(folder / file), settings=settings)
        for file, text in sample.files.items()
    }


def _false_alarm(findings: dict[str, list[Finding]], runs: list[Run], folder: Path) -> str:
    for file, found in findings.items():
        for finding in found:
            if not any(run.shows(finding, folder / file) for run in runs):
                return f"false alarm: {finding.code}, but no run shows it"
    return ""


def _miss(sample: Sample, runs: list[Run], folder: Path) -> str:
    wrong = {kind for run in runs for kind in run.kinds} & WRONG
    if not wrong:
        return ""
    possible = sorted(
        {each.code for found in _findings(sample, folder, POSSIBLE).values() for each in found}
    )
    shown = f" (shown by {', '.join(possible)})" if possible else ""
    return f"miss: {reason(sample, runs, wrong)}{shown}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="the seed to begin with")
    parser.add_argument("--save", type=Path, help="a folder for the programs that disagree")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    verdicts: Counter[str] = Counter()
    shortest: dict[str, tuple[int, int]] = {}
    ran = dirty = reported = 0
    for seed in range(arguments.first, arguments.first + arguments.programs):
        result = compare(drawn(seed))
        if seed in READ:
            result = replace(result, verdict=f"agree, by reading: {READ[seed]}")
        verdicts[result.verdict] += 1
        ran += len(result.runs)
        dirty += any(run.kinds for run in result.runs)
        reported += any(result.findings.values())
        length = (len(result.sample.text), seed)
        shortest[result.verdict] = min(length, shortest.get(result.verdict, length))
        if arguments.save and not result.verdict.startswith("agree"):
            _save(result, seed, arguments.save)
    print(
        f"{arguments.programs} programs, {ran} runs; {dirty} go wrong when run, {reported} reported"
    )
    for verdict, times in verdicts.most_common():
        print(f"{times:6} {verdict}  (shortest: seed {shortest[verdict][1]})")
    return int(any(v.startswith("false alarm") or UNEXPLAINED in v for v in verdicts))


def _save(result: Comparison, seed: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = result.verdict.partition(":")[0].replace(" ", "_")
    text = "\n".join([*_heading(result), result.sample.text])
    (folder / f"{name}_{seed}.py").write_text(text)


def _heading(result: Comparison) -> Iterator[str]:
    yield f"# {result.verdict}"
    for file, found in result.findings.items():
        yield from (f"# {file}:{each.line}: {each.code} {each.message}" for each in found)
    for run in result.runs:
        yield f"# run {' '.join(run.arguments)}: {', '.join(run.words) or 'clean'}"


if __name__ == "__main__":
    sys.exit(main())
