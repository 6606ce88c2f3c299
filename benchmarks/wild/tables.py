"""The tables, as Markdown, so that what is printed can stand in the README."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .examine import Report
from .peers import PeerRow
from .precision import Precision
from .recall import Recall


def corpus(parts: Sequence[tuple[str, list[Report]]]) -> str:
    rows = [
        (
            name,
            len(reports),
            sum(report.counts.files for report in reports),
            sum(report.counts.training for report in reports),
            sum(report.counts.unreadable for report in reports),
            sum(len(report.broken) for report in reports),
        )
        for name, reports in parts
    ]
    head = ("packages", "count", "files", "that train", "unreadable", "internal errors")
    return _table(head, rows)


def precision(parts: Sequence[tuple[str, Precision]]) -> str:
    rows = [
        (
            name,
            part.true + part.false,
            part.true,
            part.false,
            f"{part.share:.3f}",
            f"{part.false_per_2000:.2f}",
            len(part.unjudged),
        )
        for name, part in parts
    ]
    head = ("packages", "judged", "true", "false", "precision", "false per 2,000 files", "unjudged")
    return _table(head, rows)


def recall(parts: Sequence[tuple[str, list[Recall]]]) -> str:
    """One line per operator, with the figures of every part beside each other."""
    rows = []
    for lines in zip(*(part for _, part in parts), strict=True):
        row: list[object] = [lines[0].operator]
        for line in lines:
            row += [f"{line.caught}/{line.total}", f"{line.share:.3f}"]
        fixes = sum(line.fixes for line in lines)
        right = sum(line.right_fixes for line in lines)
        rows.append([*row, f"{right}/{fixes}"])
    head = ["seeded bug"]
    for name, _ in parts:
        head += [name, "recall"]
    return _table([*head, "right fixes"], rows)


def peers(names: Sequence[str], rows: Iterable[PeerRow]) -> str:
    shown = [(row.what, row.total, *(row.hits.get(name, "-") for name in names)) for row in rows]
    return _table(("seeded bug", "mutants", *names), shown)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
