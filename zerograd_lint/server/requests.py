"""The client's questions: diagnostics, code actions, hover and code lenses."""

from __future__ import annotations

from lsprotocol import types

from .actions import FIX_ALL, QUICK_FIX, ActionWriter
from .file_analysis import FileAnswer
from .hover import hover
from .language_server import ZerogradServer
from .open_files import path_of
from .proofs import SHOW_PROOF, lenses, proof_of

_Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


def register(server: ZerogradServer) -> None:
    """Have a server answer all these requests."""
    _register_diagnostics(server)
    _register_actions(server)
    _register_proofs(server)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def show(params: types.HoverParams) -> types.Hover | None:
        uri, position = params.text_document.uri, params.position
        answer = await server.answer(uri)
        if answer is None:
            return None
        unit = server.client.unit
        return await server.limited(lambda: hover(answer.checked, uri, position, unit))


def _register_diagnostics(server: ZerogradServer) -> None:
    options = types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier="zerograd-lint"
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(params: types.DocumentDiagnosticParams) -> _Report:
        uri = params.text_document.uri
        in_notebook = server.workspace.get_notebook_document(cell_uri=uri) is not None
        answer = None if in_notebook else await server.answer(uri)
        if answer is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        if params.previous_result_id == answer.revision:
            return types.RelatedUnchangedDocumentDiagnosticReport(answer.revision)
        return types.RelatedFullDocumentDiagnosticReport(
            answer.diagnostics.get(uri, []), result_id=answer.revision
        )


def _register_actions(server: ZerogradServer) -> None:
    options = types.CodeActionOptions([QUICK_FIX, FIX_ALL], resolve_provider=True)

    def writer(answer: FileAnswer) -> ActionWriter:
        return ActionWriter(answer.checked, server.client, server.open_modules)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def offer(params: types.CodeActionParams) -> list[types.CodeAction]:
        answer = await server.answer(params.text_document.uri, fixes=True)
        if answer is None:
            return []
        uri, lines, only = params.text_document.uri, params.range, params.context.only
        later = server.client.asks_for_edits_later

        def job() -> list[types.CodeAction]:
            actions = writer(answer).actions(uri, lines, only)
            return actions if later else [writer(answer).resolved(action) for action in actions]

        return await server.limited(job)

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        uri = action.data.get("uri", "") if isinstance(action.data, dict) else ""
        answer = await server.answer(uri, fixes=True)
        if answer is None:
            return action
        return await server.limited(lambda: writer(answer).resolved(action))


def _register_proofs(server: ZerogradServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def list_lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        answer = await server.answer(params.text_document.uri)
        if answer is None:
            return []
        unit = server.client.unit
        return await server.limited(lambda: lenses(answer.checked, unit))

    @server.command(SHOW_PROOF)
    def show_proof(uri: str) -> None:
        proof = proof_of(path_of(uri))
        if proof is None:
            server.messages.tell("no proof is stored for this file: run zerograd-lint verify on it")
        elif server.client.shows_documents:
            page = types.ShowDocumentParams(proof.page.as_uri(), external=True)
            server.window_show_document(page, callback=None)
        else:
            server.messages.tell(f"the proof's page is {proof.page}")
