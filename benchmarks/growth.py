"""How cost grows with size: CPU time at n and at 2n, for programs of several shapes.

    python -m benchmarks.growth

Linear is a ratio of 2; whatever is entangled must at least come to an end. The tests count work
instead of timing it; this is what the clock says.
"""

from __future__ import annotations

import time

from zerograd_lint import check_source

from . import tangled_programs as shapes

ROWS = (
    ("functions that each train", shapes.functions, 400),
    ("lines in one loop", shapes.lines, 1_000),
    ("ifs in one loop", shapes.ifs, 300),
    ("trys in one loop", shapes.tries, 300),
    ("a ring of calls", shapes.ring, 1_000),
    ("a chain of calls", shapes.chain, 1_000),
    ("methods of one class", shapes.methods, 1_000),
    ("everybody calls five others", shapes.crowd, 1_000),
    ("everybody calls five later ones", shapes.cascade, 150),
)


def main() -> None:
    check_source(shapes.ring(3))
    print(f"{'shape':34}{'n':>6}{'lines':>8}{'seconds':>9}{'at 2n':>8}{'ratio':>7}")
    for name, shape, size in ROWS:
        text = shape(size)
        small, large = seconds(text), seconds(shape(2 * size))
        lines = text.count("\n")
        print(f"{name:34}{size:6}{lines:8}{small:9.2f}{large:8.2f}{large / small:7.2f}")


def seconds(text: str) -> float:
    started = time.process_time()
    check_source(text)
    return time.process_time() - started


if __name__ == "__main__":
    main()
