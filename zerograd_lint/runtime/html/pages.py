"""The pages: one for an audit, one for settled findings, one for held expectations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ..expect import Judgement
from ..observation import AuditReport, Observation
from ..outcome import Outcome
from ..settle import Settled
from .chart import Line, Points, chart
from .style import STYLE

_LINES_AROUND = 3
_STYLES = {
    "CONFIRMED": "bug",
    "FAILED": "bug",
    "REFUTED": "right",
    "CLEAN": "right",
}


def audit_page(script: Path, outcome: Outcome) -> str:
    """What an audit saw of one script."""
    report = outcome.report
    cards = [
        _card(
            _badge(each.kind.upper(), "bug") + f"<h2>{escape(str(each.site))}</h2>",
            f"<p>{escape(each.description())}</p>",
            _numbers(each),
            _snippet(Path(each.site.file), each.site.line),
            _charts(report, each.optimizer),
        )
        for each in report.observations
    ]
    if not cards and outcome.reason is None:
        cards.append(
            _card(
                _badge("CLEAN", "right") + "<h2>No gradient bug was seen</h2>",
                f"<p>Every one of {report.steps} steps applied what its own backward passes had "
                "left, all of it, and once.</p>",
                *(_clean_charts(report, owner) for owner in _owners(report)),
            )
        )
    if outcome.reason is not None:
        cards.append(
            _card(
                _badge("NOT RUN TO THE END", "unsure") + f"<h2>{escape(str(script))}</h2>",
                f"<p>{escape(outcome.reason)}</p>",
                f"<pre>{escape(outcome.tail())}</pre>" if outcome.output else "",
            )
        )
    lead = f"{script} · {report.steps} steps · {report.backwards} backward passes"
    return _page("Gradient audit", lead, cards)


def findings_page(settled: Sequence[Settled]) -> str:
    """The verdict on every finding, with the program and its corrected twin side by side."""
    cards = []
    for each in settled:
        place = f"{each.path}:{each.finding.line}"
        fixed = each.fixed.report if each.fixed is not None else None
        head = _badge(each.verdict, _STYLES.get(each.verdict, "unsure"))
        cards.append(
            _card(
                f"{head}<h2>{escape(each.finding.code)} {escape(each.finding.name)} · "
                f"{escape(place)}</h2>",
                f"<p>{escape(each.finding.message)}</p><p>{escape(each.evidence)}</p>",
                _snippet(each.path, each.finding.line),
                _charts(each.original.report, _most_different(each.original.report, fixed), fixed),
            )
        )
    if not cards:
        head = _badge("CLEAN", "right") + "<h2>The linter found nothing to verify</h2>"
        cards.append(_card(head, "<p>No program was run.</p>"))
    counts = Counter(each.verdict for each in settled)
    lead = " · ".join(f"{count} {verdict.lower()}" for verdict, count in sorted(counts.items()))
    return _page("Findings, settled by running the code", lead or "no findings", cards)


def expectations_page(judgements: Sequence[Judgement]) -> str:
    """All fixtures in a table, and curves for those that were confirmed or failed."""
    rows = "".join(
        f"<tr><td>{_badge(each.verdict, _STYLES.get(each.verdict, 'unsure'))}</td>"
        f"<td>{escape(str(each.fixture.path))}</td><td>{escape(each.evidence)}</td></tr>"
        for each in judgements
    )
    head = "<tr><th>verdict</th><th>fixture</th><th>evidence</th></tr>"
    cards = [_card("<h2>Every fixture</h2>", f"<table>{head}{rows}</table>")]
    for each in judgements:
        if each.outcome is not None and each.twin is not None:
            badge = _badge(each.verdict, _STYLES.get(each.verdict, "unsure"))
            cards.append(
                _card(
                    f"{badge}<h2>{escape(str(each.fixture.path))}</h2>",
                    f"<p>{escape(each.evidence)}</p>",
                    _charts(
                        each.outcome.report,
                        _most_different(each.outcome.report, each.twin.report),
                        each.twin.report,
                    ),
                )
            )
    counts = Counter(each.verdict for each in judgements)
    lead = " · ".join(f"{count} {verdict.lower()}" for verdict, count in sorted(counts.items()))
    return _page("Fixtures, held to what they say", lead, cards)


def _page(title: str, lead: str, cards: Sequence[str]) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n"
        f'<body><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p>\n'
        + "\n".join(cards)
        + "\n</body></html>\n"
    )


def _card(head: str, *parts: str) -> str:
    return f'<section class="card"><header>{head}</header>{"".join(parts)}</section>'


def _badge(text: str, style: str) -> str:
    return f'<span class="verdict {style}">{escape(text)}</span>'


def _numbers(observation: Observation) -> str:
    entries = [("steps affected", f"{observation.steps_affected} of {observation.steps_seen}")]
    if observation.relative_error is not None:
        entries.append(("relative error, mean", f"{observation.relative_error:.3g}"))
    if observation.worst_relative_error is not None:
        entries.append(("worst", f"{observation.worst_relative_error:.3g}"))
    if observation.cosine is not None:
        entries.append(("cosine", f"{observation.cosine:.3f}"))
    if observation.wrong_share is not None:
        entries.append(("wrong share", f"{observation.wrong_share:.0%}"))
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in entries)
    return f'<dl class="numbers">{cells}</dl>'


def _snippet(path: Path, line: int) -> str:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError):
        return ""
    first = max(1, line - _LINES_AROUND)
    shown = []
    for number in range(first, min(len(lines), line + _LINES_AROUND) + 1):
        text = escape(f"{number:4}  {lines[number - 1]}")
        shown.append(f"<mark>{text}</mark>" if number == line else text)
    return f"<pre>{chr(10).join(shown)}</pre>"


def _charts(
    report: AuditReport,
    owner: float | None,
    fixed: AuditReport | None = None,
    *,
    style: str = "bug",
) -> str:
    """The curves of one optimizer, alone or against those of the corrected program."""
    figures = []
    for key, title in (
        ("norm", "Norm of the applied gradient"),
        ("error", "Relative error of the applied gradient"),
        ("loss", "Loss"),
    ):
        lines = [Line("as it is", style, _series(report, owner, key))]
        if fixed is not None:
            # Where nothing wrong was seen the error is zero at every step.
            zero = 0.0 if key == "error" and fixed.clean else None
            lines.append(Line("fixed", "right", _series(fixed, owner, key, zero)))
        figures.append(chart(title, lines))
    if not any(figures):
        return ""
    legend = ""
    if fixed is not None:
        legend = (
            '<div class="legend"><span class="bug">as it is</span>'
            '<span class="right">fixed</span></div>'
        )
    return f'{legend}<div class="charts">{"".join(figures)}</div>'


def _clean_charts(report: AuditReport, owner: float) -> str:
    number = f"<h3>Optimizer {owner:.0f}</h3>" if len(_owners(report)) > 1 else ""
    return number + _charts(report, owner, style="right")


def _owners(report: AuditReport) -> list[float]:
    return sorted({owner for point in report.curve if (owner := point["owner"]) is not None})


def _most_different(report: AuditReport, fixed: AuditReport | None) -> float | None:
    """The optimizer whose gradient norms the fix changed most; the first one without a fix."""

    def change(owner: float) -> float:
        if fixed is None:
            return 0.0
        before, after = (dict(_series(each, owner, "norm")) for each in (report, fixed))
        scale = max([*before.values(), *after.values()], default=0.0) or 1.0
        return sum(abs(before[step] - after.get(step, 0.0)) for step in before) / scale

    owners = _owners(report)
    return max(owners, key=change) if owners else None


def _series(
    report: AuditReport, owner: float | None, key: str, missing: float | None = None
) -> Points:
    return [
        (step, value)
        for point in report.curve
        if point["owner"] == owner
        and (step := point["step"]) is not None
        and (value := point[key] if point[key] is not None else missing) is not None
    ]
