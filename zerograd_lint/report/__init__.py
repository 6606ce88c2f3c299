"""Reports: one module per format, each a function from results to text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from ..check.result import FileResult
from . import statistics

__all__ = ["ReportOptions", "render", "statistics"]


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is to look, besides its format."""

    color: bool = False
    quiet: bool = False
    unsafe: bool = False
    fixing: bool = False
    fix_only: bool = False
    """Whether what is left after fixing is not to be shown."""


def render(form: str, results: Sequence[FileResult], options: ReportOptions) -> str:
    """The whole report in one of the formats, ending in a newline if there is anything."""
    module = import_module(f".{form.replace('-', '_')}", __name__)
    text: str = module.render(results, options)
    return text
