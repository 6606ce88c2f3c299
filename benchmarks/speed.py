"""How fast, as ratios to ruff, flake8 and TorchFix measured in the same run.

    python -m benchmarks.speed                       the tree: site-packages and the wild corpus
    python -m benchmarks.speed --environments DIR    flake8 as well, in environments made in DIR

Seconds are CPU seconds (user and system, children included), the smallest of a few runs; the
tools are compared on the same files. Flake8 is measured on a sample, it would take an hour.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from zerograd_lint import SourceError
from zerograd_lint.check.gate import can_train_bytes
from zerograd_lint.config.cache_folder import default_folder

FOLDERS: list[Path] = []
"""Where files have been looked for."""
SAMPLE = 60
"""Files of each sort that flake8 is run on."""


# --- measuring ------------------------------------------------------------------------------


def spent(command: list[str], *, runs: int = 1) -> tuple[float, float, str]:
    """CPU seconds, seconds by the clock, and what was printed, of the best run."""
    best = (float("inf"), float("inf"), "")
    # What is installed is compiled, and stays so: the first run must be able to do that here.
    compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        clock = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, env=compiled)
        clock = time.perf_counter() - clock
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        if done.returncode not in (0, 1, 2):
            raise SystemExit(f"{' '.join(command[:6])} …: {done.stderr[-500:]}")
        best = min(best, (cpu, clock, done.stdout))
    return best


def row(what: str, value: str, note: str = "") -> None:
    print(f"{what:<58}{value:>12}   {note}", flush=True)


# --- the tree -------------------------------------------------------------------------------


def python_files(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        FOLDERS.append(folder)
        yield from (p for p in sorted(folder.rglob("*.py")) if p.is_file() and not p.is_symlink())


@contextmanager
def tree_of(files: list[Path]) -> Iterator[Path]:
    """A folder of links to exactly these files, so that every tool sees the same ones.

    They stand beside each other as they did: a file is read with the modules it imports.
    """
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for path in files:
            # Not below a folder that every tool leaves out, such as `.venv`.
            number, base = next((n, f) for n, f in enumerate(FOLDERS) if path.is_relative_to(f))
            link = root / f"tree{number}" / path.relative_to(base)
            link.parent.mkdir(parents=True, exist_ok=True)
            copy = os.link if path.stat().st_dev == root.stat().st_dev else shutil.copy
            copy(path, link)
        yield root


def lint(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "zerograd_lint", "check", "--isolated", *arguments]


def measure_tree(name: str, files: list[Path], most: float | None = None) -> float:
    """Print what a tree costs, and the most it may; the CPU seconds of one process."""
    training = sum(can_train_bytes(path.read_bytes()) for path in files)
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    print(f"\n{name}: {len(files):,} files, {megabytes:.0f} MB, {training:,} of them train")
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
    with tree_of(files) as root, tempfile.TemporaryDirectory() as cache:
        theirs, _, _ = spent(
            [ruff, "check", "--isolated", "--select", "F", "--no-cache", "-q", str(root)], runs=2
        )
        ours, wall, output = spent(lint("--no-cache", "-j1", str(root)), runs=2)
        alone, _, _ = spent(lint("--no-cache", "-j1", "--no-project", str(root)), runs=2)
        _, wall_of_two, same = spent(lint("--no-cache", "-j2", str(root)), runs=2)
        assert output == same, "two processes report something else than one"
        kept = [*lint("-j1", str(root)), "--cache-dir", cache]
        spent(kept)
        again, _, _ = spent(kept, runs=2)
        started = time.process_time()
        for path in root.rglob("*.py"):
            path.read_bytes()
        reading = time.process_time() - started
    row("ruff check --select F --no-cache", f"{theirs:.2f} s")
    row("zerograd-lint, one process, no cache", f"{ours:.2f} s")
    row("  relative to ruff", f"{ours / theirs:.2f}")
    limit = f"must be {most} or less" if most else ""
    row("  each file by itself (--no-project), relative to ruff", f"{alone / theirs:.2f}", limit)
    row("  relative to --no-project", f"{ours / alone:.2f}", "must be 1.33 or less")
    row("  per file that trains", f"{1000 * ours / max(training, 1):.0f} ms")
    row("  by the clock, two processes instead of one", f"{wall / wall_of_two:.2f} x faster")
    row("  second run with the cache", f"{again:.2f} s", f"reading alone {reading:.2f} s")
    return ours


# --- one file -------------------------------------------------------------------------------


def measure_one_file(training: list[Path]) -> None:
    print("\nOne file, from start to exit")
    near = min(training, key=lambda path: abs(path.read_bytes().count(b"\n") - 100))
    idle = "import os\n" + "def f(x):\n    return os.path.join(x, 'a')\n\n" * 130
    with tempfile.TemporaryDirectory() as folder:
        hit, miss = Path(folder) / "hit.py", Path(folder) / "miss.py"
        bug = (
            "\nnet_ = torch.nn.Linear(1, 1)\nopt_ = torch.optim.SGD(net_.parameters(), lr=1)\n"
            "for x_ in range(9):\n    net_(x_).backward()\n    opt_.step()\n"
        )
        hit.write_bytes(near.read_bytes() + b"\nimport torch\n" + bug.encode())
        miss.write_text(idle)
        nothing, _, _ = spent([sys.executable, "-c", "pass"], runs=5)
        found, _, output = spent(lint("--no-cache", str(hit)), runs=5)
        passed, _, _ = spent(lint("--no-cache", str(miss)), runs=5)
    assert "ZG001" in output, output
    row("a bare interpreter", f"{nothing:.3f} s")
    row("a training file of 100 lines with a bug", f"{found:.3f} s", "must be 0.40 or less")
    row("a file that does not train", f"{passed:.3f} s", "must be 0.05 or less")


# --- stages ---------------------------------------------------------------------------------


def measure_stages(training: list[Path]) -> None:
    from zerograd_lint import prefilter
    from zerograd_lint.check import engine, understood
    from zerograd_lint.config.settings import DEFAULT
    from zerograd_lint.files import python_parser
    from zerograd_lint.syntax import parsed_before

    spent_in: defaultdict[str, float] = defaultdict(float)

    def timed(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            started = time.process_time()
            try:
                return function(*arguments, **options)
            finally:
                spent_in[name] += time.process_time() - started

        return call

    stages: dict[str, tuple[object, str]] = {
        "Python's own parser": (python_parser, "parse"),
        "prefilter": (prefilter, "choose"),
        "libcst": (parsed_before, "parse"),
        "events": (understood, "lower_module"),
        "flow": (understood, "analyse"),
    }
    for name, (owner, attribute) in stages.items():
        setattr(owner, attribute, timed(name, getattr(owner, attribute)))
    lines = refused = 0
    slowest = (0.0, Path())
    total = 0.0
    for path in training:
        data = path.read_bytes()
        started = time.process_time()
        can_train_bytes(data)
        spent_in["gate"] += time.process_time() - started
        lines += data.count(b"\n")
        started = time.process_time()
        try:
            engine.check(data.decode("utf-8", "replace"), str(path), DEFAULT)
        except SourceError:
            refused += 1
        took = time.process_time() - started
        total += took
        slowest = max(slowest, (took, path))
    gc.collect()
    print(f"\nStages over {len(training)} training files, {lines:,} lines, {refused} not parsed")
    spent_in["rules and the rest"] = total - sum(spent_in.values()) + spent_in["gate"]
    for name, seconds in sorted(spent_in.items(), key=lambda item: -item[1]):
        row(f"  {name}", f"{1e6 * seconds / lines:.1f} ms", "per 1,000 lines")
    row("all stages", f"{1e6 * total / lines:.1f} ms", "per 1,000 lines")
    row("slowest file", f"{slowest[0]:.2f} s", "/".join(slowest[1].parts[-3:]))


# --- flake8 ---------------------------------------------------------------------------------


def environment(folder: Path, name: str, *packages: str) -> Path:
    """A virtual environment of its own: TorchFix pulls libcst down, and a plugin cannot be off."""
    python = folder / name / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / name)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *packages], check=True)
    return python


def measure_flake8(
    folder: Path, idle: list[Path], training: list[Path], tree: list[Path], ours_on_tree: float
) -> None:
    project = Path(__file__).parent.parent
    # The same packages, only that flake8 does not find the plugin.
    bare = environment(folder, "bare", "flake8", str(project))
    for metadata in bare.parents[1].rglob("zerograd_lint-*.dist-info"):
        shutil.rmtree(metadata)
    torchfix = environment(folder, "torchfix", "flake8", "torchfix")
    ours = environment(folder, "ours", "flake8", str(project))
    print(f"\nflake8 over {len(idle)} files that do not train and {len(training)} that do")

    def flake8(python: Path, files: list[Path], runs: int) -> float:
        command = [str(python), "-m", "flake8", "--isolated", "-j1", *map(str, files)]
        return spent(command, runs=runs)[0]

    # The difference is smaller than the noise: runs alternate, and the middle ratio counts.
    pairs = [(flake8(bare, idle, 1), flake8(ours, idle, 1)) for _ in range(7)]
    plain = min(alone for alone, _ in pairs)
    relative = median(plugin / alone for alone, plugin in pairs)
    row("files that do not train, flake8 alone", f"{plain:.2f} s")
    row("  with zerograd-lint, relative", f"{relative:.3f}", "must be 1.02 or less")
    with_fix = flake8(torchfix, idle, 1)
    row("  with TorchFix, relative", f"{with_fix / plain:.2f}")
    lines = sum(path.read_bytes().count(b"\n") for path in training)
    plain_training, plugin_training = flake8(bare, training, 2), flake8(ours, training, 2)
    added = 1e6 * (plugin_training - plain_training) / lines
    row("files that train, added by zerograd-lint", f"{added:.0f} ms", "per 1,000 lines")
    sample = random.Random(1).sample(tree, min(2 * SAMPLE, len(tree)))
    share = sum(p.stat().st_size for p in sample) / sum(p.stat().st_size for p in tree)
    extrapolated = flake8(torchfix, sample, 1) / share
    row("flake8 with TorchFix over the tree, by a sample", f"{extrapolated:.0f} s")
    row(
        "  relative to zerograd-lint", f"{extrapolated / ours_on_tree:.0f} x", "must be 100 or more"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--environments", type=Path, help="measure flake8, too")
    parser.add_argument("--most", type=int, default=40_000, help="files of the tree at most")
    arguments = parser.parse_args()
    chance = random.Random(0)
    site = Path(sysconfig.get_paths()["purelib"])
    # Our own fixtures would be most of what trains there.
    installed = [path for path in python_files([site]) if "zerograd_lint" not in path.parts]
    wild = Path(default_folder() or ".") / "wild" / "src"
    corpus = list(python_files(arguments.folders or [wild]))
    training = [path for path in corpus or installed if can_train_bytes(path.read_bytes())]
    idle = [path for path in installed if not can_train_bytes(path.read_bytes())]
    # A tree like a monorepo is both: what is used, and what trains with it.
    tree = [*installed, *corpus[: arguments.most]]
    measure_tree("Installed packages", installed, 2.5)
    if corpus:
        measure_tree("Published packages that train", corpus[: arguments.most], 4.5)
    measure_one_file(training)
    measure_stages(chance.sample(training, min(200, len(training))))
    if arguments.environments:
        ours_on_tree = measure_tree("The tree, all of them", tree)
        some_idle, some_training = (
            chance.sample(group, min(SAMPLE, len(group))) for group in (idle, training)
        )
        measure_flake8(arguments.environments, some_idle, some_training, tree, ours_on_tree)


if __name__ == "__main__":
    main()
