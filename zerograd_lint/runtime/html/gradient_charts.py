"""The curves of a run as charts: gradient norm, error and loss of one optimizer per step."""

from __future__ import annotations

from ..observation import AuditReport
from .line_chart import Line, Points, chart


def gradient_charts(
    report: AuditReport,
    owner: float | None,
    fixed: AuditReport | None = None,
    *,
    style: str = "bug",
) -> str:
    """The curves of one optimizer, beside those of the corrected program if there is one."""
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


def clean_charts(report: AuditReport, owner: float) -> str:
    """The curves of an optimizer that did nothing wrong."""
    number = f"<h3>Optimizer {owner:.0f}</h3>" if len(optimizers_in(report)) > 1 else ""
    return number + gradient_charts(report, owner, style="right")


def optimizers_in(report: AuditReport) -> list[float]:
    """The numbers of the optimizers that have a curve."""
    return sorted({owner for point in report.curve if (owner := point["owner"]) is not None})


def most_changed_optimizer(report: AuditReport, fixed: AuditReport | None) -> float | None:
    """The optimizer whose gradient norms the fix changed most; the first one without a fix."""

    def change(owner: float) -> float:
        if fixed is None:
            return 0.0
        before, after = (dict(_series(each, owner, "norm")) for each in (report, fixed))
        scale = max([*before.values(), *after.values()], default=0.0) or 1.0
        return sum(abs(before[step] - after.get(step, 0.0)) for step in before) / scale

    owners = optimizers_in(report)
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
