"""Code actions: one finding's fix, all fixes of a file, and a comment that silences a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types

from ..files.kinds import DOCUMENTS
from ..finding import Finding
from .checking import CheckedFile, NewTexts, with_all_fixes, with_fix, with_noqa
from .client_features import ClientFeatures
from .diagnostics import DiagnosticWriter
from .open_modules import OpenModules
from .text_edits import workspace_edit

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = "source.fixAll.zerograd"
_FIX, _SILENCE, _ALL, _ALL_UNSAFE = "fix", "silence", "all", "all-unsafe"


class ActionWriter:
    """Lists the actions of one checked file, and writes the edit of the one that is chosen.

    The edit takes longer than the list: where the client can ask for it later, it is left out.
    """

    def __init__(self, checked: CheckedFile, client: ClientFeatures, modules: OpenModules) -> None:
        self._checked = checked
        self._client = client
        self._diagnostics = DiagnosticWriter(checked, client, modules)

    def actions(
        self, uri: str, lines: types.Range, only: Sequence[str] | None
    ) -> list[types.CodeAction]:
        """All actions of these kinds for a part's findings on these lines, without their edits."""
        found: list[types.CodeAction] = []
        here = [f for f in self._checked.result.findings if self._is_on(f, uri, lines)]
        if _wanted(QUICK_FIX, only):
            found += [action for finding in here for action in self._for_finding(finding, uri)]
            found += self._unsafe_fix_all(uri, here)
        if _wanted(FIX_ALL, only) and self._fixes(unsafe=self._unsafe_is_fine()):
            title = "Fix all that zerograd-lint can fix safely"
            if self._unsafe_is_fine():
                title = "Fix all that zerograd-lint can fix"
            found.append(types.CodeAction(title, kind=FIX_ALL, data=_data(uri, _ALL)))
        return found

    def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """The action with its edit; without one if the finding is no longer there."""
        new = self._new_texts(action.data if isinstance(action.data, dict) else {})
        if new is not None:
            action.edit = workspace_edit(self._checked, new, self._client)
        return action

    def _for_finding(self, finding: Finding, uri: str) -> Iterator[types.CodeAction]:
        diagnostics = [self._diagnostics.diagnostic(finding)]
        if finding.fix is not None:
            safe = finding.fix.safe
            title = finding.fix.message if safe else f"{finding.fix.message} (unsafe fix)"
            yield types.CodeAction(
                f"{finding.code}: {title}",
                kind=QUICK_FIX,
                diagnostics=diagnostics,
                is_preferred=safe,
                data=_data(uri, _FIX, finding),
            )
        if self._checked.file.kind not in DOCUMENTS:  # in a document the comment would be read
            yield types.CodeAction(
                f"{finding.code}: silence on this line with # noqa",
                kind=QUICK_FIX,
                diagnostics=diagnostics,
                is_preferred=False,
                data=_data(uri, _SILENCE, finding),
            )

    def _unsafe_fix_all(self, uri: str, here: list[Finding]) -> Iterator[types.CodeAction]:
        """Not under `source.fixAll`: what editors run on saving must be safe."""
        fixes = self._fixes(unsafe=True)
        if len(fixes) > 1 and any(f in fixes for f in here) and not self._unsafe_is_fine():
            yield types.CodeAction(
                f"Fix all {len(fixes)} fixable findings in this file (unsafe fixes as well)",
                kind=QUICK_FIX,
                is_preferred=False,
                data=_data(uri, _ALL_UNSAFE),
            )

    def _fixes(self, *, unsafe: bool) -> list[Finding]:
        found = self._checked.result.findings
        return [f for f in found if f.fix is not None and (f.fix.safe or unsafe)]

    def _unsafe_is_fine(self) -> bool:
        return self._checked.config.flag("unsafe-fixes")

    def _is_on(self, finding: Finding, uri: str, lines: types.Range) -> bool:
        place = self._diagnostics.location(finding)
        overlaps = (
            place.range.start.line <= lines.end.line and lines.start.line <= place.range.end.line
        )
        return place.uri == uri and overlaps

    def _new_texts(self, data: dict[str, Any]) -> NewTexts | None:
        what = data.get("action")
        if what in (_ALL, _ALL_UNSAFE):
            unsafe = what == _ALL_UNSAFE or self._unsafe_is_fine()
            return with_all_fixes(self._checked, unsafe=unsafe)
        for finding in self._checked.result.findings:
            if data.get("finding") == _identity(finding):
                compute = with_fix if what == _FIX else with_noqa
                return compute(self._checked, finding)
        return None


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a client that asks for these kinds asks for this one: `source` holds all below it."""
    if not only:
        return True
    return any(not asked or kind == asked or kind.startswith(f"{asked}.") for asked in only)


def _data(uri: str, action: str, finding: Finding | None = None) -> dict[str, object]:
    """What an action says of itself when its edit is asked for."""
    identity = _identity(finding) if finding is not None else None
    return {"uri": uri, "action": action, "finding": identity}


def _identity(finding: Finding) -> list[object]:
    return [finding.code, finding.line, finding.column]
