"""Keeps the verdicts of `verify` for editors, which show them beside the findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...config import stored_proofs
from ...config.cache_folder import default_folder
from ...config.stored_proofs import StoredVerdict
from ..compare.settle import Settled
from ..html.report_pages import findings_page


def keep_proofs(settled: Sequence[Settled], texts: Mapping[Path, str]) -> None:
    """Store the verdicts on every file that was run, with a page each."""
    folder = default_folder()
    if folder is None:
        return
    for path, text in texts.items():
        of_file = [each for each in settled if each.path == path]
        verdicts = [_verdict(each, text) for each in of_file]
        stored_proofs.store(folder, str(path), text, verdicts, findings_page(of_file))


def _verdict(settled: Settled, text: str) -> StoredVerdict:
    finding = settled.finding
    return StoredVerdict(
        code=finding.code,
        line=finding.line,
        column=finding.column,
        statement=stored_proofs.statement_at(finding.line, text),
        verdict=settled.verdict,
        evidence=settled.evidence,
    )
