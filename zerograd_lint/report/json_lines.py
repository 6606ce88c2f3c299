"""json-lines: one finding per line, for streams and jq."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..check.result import FileResult
from . import Context
from .json_objects import of_result


def render(results: Sequence[FileResult], context: Context) -> str:
    return "".join(json.dumps(item) + "\n" for result in results for item in of_result(result))
