"""How many findings on runnable programs `verify` settles: `python -m benchmarks.settle`.

Mutants are made of the right programs among the fixtures: the zeroing is taken out, moved behind
the backward pass, moved out of its loop, or not called; half of them also draw other random numbers
in each run, so that no two runs are alike. Each mutant in which something is found is verified.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

_FIXTURES = Path(__file__).parents[1] / "fixtures"
_ZERO = re.compile(
    r"^(?P<indent>[ \t]+)(?P<call>[\w.]+\.zero_grad\([^()]*\))[ \t]*\n", re.MULTILINE
)
_BACKWARD = re.compile(r"^(?P<indent>[ \t]+)[\w.()]+\.backward\([^()]*\)[ \t]*\n", re.MULTILINE)
_LOOP = re.compile(r"^(?P<indent>[ \t]*)for .*:[ \t]*\n", re.MULTILINE)
_SEED = "torch.manual_seed(0)\n"
_SETTLED = ("CONFIRMED", "REFUTED")


def _taken_out(text: str, zero: re.Match[str]) -> str | None:
    return f"{text[: zero.start()]}{zero['indent']}pass\n{text[zero.end() :]}"


def _not_called(text: str, zero: re.Match[str]) -> str | None:
    name = zero["call"].partition("(")[0]
    return f"{text[: zero.start()]}{zero['indent']}{name}\n{text[zero.end() :]}"


def _after_backward(text: str, zero: re.Match[str]) -> str | None:
    backward = _BACKWARD.search(text, zero.end())
    if backward is None or backward["indent"] != zero["indent"]:
        return None
    end = backward.end()
    return text[: zero.start()] + text[zero.end() : end] + zero[0] + text[end:]


def _out_of_the_loop(text: str, zero: re.Match[str]) -> str | None:
    before = _LOOP.finditer(text, 0, zero.start())
    loops = [each for each in before if len(each["indent"]) < len(zero["indent"])]
    if not loops:
        return None
    loop = loops[-1]
    moved = f"{loop['indent']}{zero['call']}\n"
    return text[: loop.start()] + moved + text[loop.start() : zero.start()] + text[zero.end() :]


_MUTATIONS: dict[str, Callable[[str, re.Match[str]], str | None]] = {
    "taken out": _taken_out,
    "not called": _not_called,
    "after backward": _after_backward,
    "out of the loop": _out_of_the_loop,
}


def mutants() -> Iterator[tuple[str, str, str]]:
    """Every mutant of every right program: what was done, its name and its text."""
    for path in sorted(_FIXTURES.glob("ZG*/*.py")):
        if path.name.startswith("bad_") and not path.name.endswith(".fixed.py"):
            continue
        text = path.read_text(encoding="utf-8")
        if "# requires:" in text:
            continue
        for number, zero in enumerate(_ZERO.finditer(text)):
            for name, mutate in _MUTATIONS.items():
                mutant = mutate(text, zero)
                if mutant is not None:
                    stem = f"{path.parent.name[:5]}_{path.name.split('.')[0]}_{number}"
                    yield name, f"{stem}_{name.replace(' ', '_')}", mutant


def main() -> None:
    """Make the mutants, verify them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=120, help="mutants (120)")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    drawn = list(mutants())
    random.Random(args.seed).shuffle(drawn)
    with tempfile.TemporaryDirectory() as name:
        done = _write_and_verify(drawn, args.count, Path(name), args.jobs)
    _print(*done)


def _write_and_verify(
    drawn: list[tuple[str, str, str]], count: int, folder: Path, jobs: str
) -> tuple[dict[str, str], list[dict[str, str]]]:
    """What was done to each mutant with findings, and the verdicts on those."""
    for _, stem, text in drawn:
        (folder / f"{stem}.py").write_text(text)
    checked = _run(folder, "check", "--output-format", "json", ".")
    found = {Path(each["filename"]).stem for each in checked}
    kept = dict([(stem, mutation) for mutation, stem, _ in drawn if stem in found][:count])
    for path in folder.glob("*.py"):
        if path.stem not in kept:
            path.unlink()
    for stem in sorted(kept)[::2]:
        path = folder / f"{stem}.py"
        path.write_text(path.read_text().replace(_SEED, "torch.seed()\n"))
    words = ("verify", "--output-format", "json", "--steps", "40", "--jobs", jobs, ".")
    return kept, _run(folder, *words)


def _run(folder: Path, *words: str) -> list[dict[str, str]]:
    command = [sys.executable, "-m", "zerograd_lint", *words]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    documents: list[dict[str, str]] = json.loads(done.stdout)
    return documents


def _print(kept: dict[str, str], settled: list[dict[str, str]]) -> None:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for each in settled:
        table[kept[Path(each["path"]).stem]][each["verdict"]] += 1
        if each["verdict"] not in _SETTLED:
            print(each["verdict"], each["path"], each["line"], each["code"], each["evidence"])
    table["all"] = sum(table.values(), Counter())
    verdicts = sorted(table["all"])
    print(f"{len(kept)} mutants, {len(settled)} findings")
    print("| zeroing | findings |", " | ".join(verdicts), "| settled |")
    for name, counts in table.items():
        share = sum(counts[each] for each in _SETTLED) / counts.total()
        numbers = " | ".join(str(counts[each]) for each in verdicts)
        print(f"| {name} | {counts.total()} | {numbers} | {share:.1%} |")


if __name__ == "__main__":
    main()
