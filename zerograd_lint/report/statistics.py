"""statistics: the number of findings by rule, instead of the findings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from ..check.result import UNCHECKED, FileResult


def render(results: Sequence[FileResult], form: str, *, unsafe: bool = False) -> str:
    counts: Counter[tuple[str, str]] = Counter()
    fixable: Counter[str] = Counter()
    for result in results:
        for finding in result.findings:
            counts[finding.code, finding.name] += 1
            fix = finding.fix
            fixable[finding.code] += fix is not None and (fix.safe or unsafe)
        if result.problems:
            counts[UNCHECKED, "could-not-be-checked"] += len(result.problems)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if form == "json":
        rows = [
            {"code": code, "name": name, "count": count, "fixable": fixable[code]}
            for (code, name), count in ranked
        ]
        return json.dumps(rows, indent=2) + "\n"
    width = len(str(ranked[0][1])) if ranked else 0
    return "".join(
        f"{count:>{width}}  {code}  [{'*' if fixable[code] else ' '}]  {name}\n"
        for (code, name), count in ranked
    )
