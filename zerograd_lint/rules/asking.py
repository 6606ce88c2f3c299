"""Ask one rule about a file: as a whole, and in each configuration that a run may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.run_configuration import RunConfiguration
from .rule import Line, Rule

_Configured = list[tuple[RunConfiguration, list[Report]]]


def reports_of(rule: type[Rule], analysis: Analysis, line: Line) -> Iterator[Report]:
    """What a rule reports about a file, one report for each place."""
    configured: _Configured = [
        (each.configuration, list(_checked(rule, each, line)))
        for each in (analysis.configured if rule.by_configuration else ())
        if each.configuration is not None
    ]
    reported = set()
    for report in _checked(rule, analysis, line):
        reported.add(report.event)
        yield _named(report, configured)
    for configuration, reports in configured:
        for report in reports:
            if report.event not in reported:
                reported.add(report.event)
                yield _said_of(report, configuration)


def _checked(rule: type[Rule], analysis: Analysis, line: Line) -> Iterator[Report]:
    """What a rule finds, apart from what is there to fail."""
    return (found for found in rule().check(analysis, line) if not found.event.site.fails)


def _named(report: Report, configured: _Configured) -> Report:
    """With the configuration in its message, if it is wrong in one and right in all others."""
    for configuration, reports in configured:
        others = [found for other, found in configured if configuration.excludes(other)]
        if others and not any(others) and any(r.event is report.event for r in reports):
            return _said_of(report, configuration)
    return report


def _said_of(report: Report, configuration: RunConfiguration) -> Report:
    return replace(report, message=f"when {configuration.when}, {report.message}")
