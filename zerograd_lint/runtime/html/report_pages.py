"""The report pages: of an audit, of settled findings, and of checked fixtures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from ..compare.expect import FixtureVerdict
from ..compare.fix_diff import fix_diff
from ..compare.settle import Settled
from ..compare.settled_words import nearest_evidence, settled_in_words
from ..compare.verdicts import CLEAN, CONFIRMED, INCONCLUSIVE, NEGLIGIBLE, NOT_REACHED, REFUTED
from ..running.run_outcome import RunOutcome
from .gradient_charts import (
    clean_charts,
    gradient_charts,
    most_changed_optimizer,
    optimizers_in,
)
from .gradient_journey import gradient_journey
from .page_parts import (
    badge,
    card,
    diff_excerpt,
    error_numbers,
    page,
    source_excerpt,
    verdict_badge,
)

_ORDER = (CONFIRMED, NEGLIGIBLE, REFUTED, INCONCLUSIVE, NOT_REACHED)
"""Pages begin with what is proved."""


def audit_page(script: Path, outcome: RunOutcome) -> str:
    """What an audit saw of one script."""
    report = outcome.report
    cards = [
        card(
            badge(each.kind.upper(), "bug") + f"<h2>{escape(str(each.site))}</h2>",
            f"<p>{escape(each.description())}.</p>",
            f'<p class="words">{escape(_sentence(each.in_words()))}</p>',
            f"<p><strong>To change:</strong> {escape(each.advice())}.</p>",
            source_excerpt(Path(each.site.file), each.site.line),
            gradient_journey(each),
            gradient_charts(report, each.optimizer),
            error_numbers(each),
        )
        for each in report.observations
    ]
    if not cards and outcome.reason is None:
        cards.append(
            card(
                verdict_badge(CLEAN) + "<h2>No gradient bug was seen</h2>",
                f"<p>Every one of {report.steps} steps applied what its own backward passes had "
                "left, all of it, and once.</p>",
                *(clean_charts(report, owner) for owner in optimizers_in(report)),
            )
        )
    if outcome.reason is not None:
        cards.append(
            card(
                badge("NOT RUN TO THE END", "unsure") + f"<h2>{escape(str(script))}</h2>",
                f"<p>{escape(outcome.reason)}</p>",
                f"<pre>{escape(outcome.tail())}</pre>" if outcome.output else "",
            )
        )
    if report.notes:
        notes = "".join(f"<li>{escape(note)}</li>" for note in report.notes)
        cards.append(card("<h2>To know</h2>", f"<ul>{notes}</ul>"))
    lead = f"{script} · {report.steps} steps · {report.backwards} backward passes"
    return page("Gradient audit", lead, cards)


def findings_page(settled: Sequence[Settled]) -> str:
    """The verdict on every finding, with the program and its corrected twin side by side."""
    cards = []
    for each in sorted(settled, key=lambda each: _ORDER.index(each.verdict)):
        place = f"{each.path}:{each.finding.line}"
        fixed = each.fixed.report if each.fixed is not None else None
        changed = most_changed_optimizer(each.original.report, fixed)
        cards.append(
            card(
                f"{verdict_badge(each.verdict)}<h2>{escape(each.finding.code)} "
                f"{escape(each.finding.name)} · {escape(place)}</h2>",
                f"<p>{escape(each.finding.message)}.</p>",
                f'<p class="words">{escape(_sentence(settled_in_words(each)))}</p>',
                source_excerpt(each.path, each.finding.line),
                diff_excerpt(_diff(each)),
                f"<h3>The proof</h3><p>{escape(_sentence(each.evidence))}</p>",
                *(gradient_journey(seen) for seen in nearest_evidence(each)),
                gradient_charts(each.original.report, changed, fixed),
            )
        )
    if not cards:
        head = verdict_badge(CLEAN) + "<h2>The linter found nothing to verify</h2>"
        cards.append(card(head, "<p>No program was run.</p>"))
    lead = _counted(each.verdict for each in settled) or "no findings"
    return page("Findings, settled by running the code", lead, cards)


def expectations_page(fixtures: Sequence[FixtureVerdict]) -> str:
    """All fixtures in a table, and curves for those that were confirmed or failed."""
    rows = "".join(
        f"<tr><td>{verdict_badge(each.verdict)}</td>"
        f"<td>{escape(str(each.fixture.path))}</td><td>{escape(each.evidence)}</td></tr>"
        for each in fixtures
    )
    head = "<tr><th>verdict</th><th>fixture</th><th>evidence</th></tr>"
    cards = [card("<h2>Every fixture</h2>", f"<table>{head}{rows}</table>")]
    for each in fixtures:
        if each.outcome is not None and each.twin is not None:
            changed = most_changed_optimizer(each.outcome.report, each.twin.report)
            cards.append(
                card(
                    f"{verdict_badge(each.verdict)}<h2>{escape(str(each.fixture.path))}</h2>",
                    f"<p>{escape(each.evidence)}</p>",
                    gradient_charts(each.outcome.report, changed, each.twin.report),
                )
            )
    lead = _counted(each.verdict for each in fixtures)
    return page("Fixtures, held to what they say", lead, cards)


def _diff(settled: Settled) -> list[str]:
    try:
        text = settled.path.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return []
    return fix_diff(text, settled.finding)


def _sentence(text: str | None) -> str:
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _counted(verdicts: Iterable[str]) -> str:
    counts = sorted(Counter(verdicts).items())
    return " · ".join(f"{count} {verdict.lower()}" for verdict, count in counts)
