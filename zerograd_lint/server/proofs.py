"""Proofs in the editor: what `zerograd-lint verify` has shown about a finding when it was run."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from ..config import stored_proofs
from ..config.cache_folder import default_folder
from ..config.stored_proofs import StoredProof
from ..files.kinds import PYTHON
from ..finding import Finding
from .checking import CheckedFile
from .client_columns import ColumnUnit, lines_of
from .open_files import WHOLE

SHOW_PROOF = "zerograd-lint.showProof"
"""The command behind a code lens: show the page of a file's proof."""


def proof_of(path: str) -> StoredProof | None:
    """What is stored about a file."""
    folder = default_folder()
    return stored_proofs.load(folder, path) if folder is not None else None


def sentences(checked: CheckedFile) -> Iterator[tuple[Finding, str]]:
    """The findings that have a verdict, with a sentence about it."""
    if checked.file.kind != PYTHON or not checked.result.findings:
        return
    proof = proof_of(checked.file.path)
    if proof is None:
        return
    text = checked.file.parts[WHOLE].text
    for finding in checked.result.findings:
        found = proof.verdict_on(finding, text)
        if found is not None:
            verdict, is_current = found
            when = "when run" if is_current else "when run before the latest changes"
            yield finding, f"{verdict.verdict} {when}: {verdict.evidence}"


def lenses(checked: CheckedFile, unit: ColumnUnit) -> list[types.CodeLens]:
    """A line above every finding that has a verdict; it leads to the proof's page."""
    found = []
    for finding, sentence in sentences(checked):
        part, span = checked.located(finding.span)
        place = unit.range_of(span, lines_of(part.text))
        command = types.Command(sentence, SHOW_PROOF, arguments=[part.uri])
        found.append(types.CodeLens(place, command))
    return found
