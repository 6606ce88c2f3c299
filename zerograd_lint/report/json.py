"""json: one array of findings."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..check.result import FileResult
from . import ReportOptions
from .json_objects import of_result


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    return json.dumps([item for result in results for item in of_result(result)], indent=2) + "\n"
