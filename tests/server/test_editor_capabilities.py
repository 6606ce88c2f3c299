"""pytest-lsp in the place of real editors: a session with the capabilities that each declares.

It reads every answer as the protocol's types have it, and warns where one is not for this client.
"""

from __future__ import annotations

import asyncio
import os
import sys
import warnings
from pathlib import Path

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types  # noqa: E402
from pytest_lsp import LanguageClient, LspSpecificationWarning, client_capabilities  # noqa: E402
from pytest_lsp.client import make_test_lsp_client  # noqa: E402

from ..cli.conftest import BUGGY, FIXED  # noqa: E402
from .client import ROOT  # noqa: E402

EDITORS = ("visual_studio_code", "emacs", "neovim@v0.6", "neovim@v0.7", "neovim@v0.9", "neovim")
STEP = types.Position(8, 10)


async def start(editor: str, folder: Path) -> tuple[LanguageClient, types.InitializeResult]:
    client = make_test_lsp_client()
    await client.start_io(
        sys.executable,
        "-m",
        "zerograd_lint",
        "server",
        env={**os.environ, "PYTHONPATH": str(ROOT), "ZEROGRAD_LINT_CACHE_DIR": str(folder / "c")},
        cwd=folder,
    )
    params = types.InitializeParams(
        capabilities=client_capabilities(editor),
        root_uri=folder.as_uri(),
        workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)],
    )
    return client, await client.initialize_session(params)


async def diagnostics_of(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """Asked for where the editor asks, waited for where it does not."""
    capabilities = client.capabilities
    assert capabilities is not None
    assert capabilities.text_document is not None
    if capabilities.text_document.diagnostic is None:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return list(client.diagnostics[uri])
    document = types.TextDocumentIdentifier(uri)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert uri not in client.diagnostics, "what is asked for is not pushed as well"
    return list(report.items)


async def session(editor: str, folder: Path) -> None:
    client, server = await start(editor, folder)
    assert server.server_info is not None
    assert server.server_info.name == "zerograd-lint"
    uri = (folder / "train.py").as_uri()
    document = types.TextDocumentIdentifier(uri)
    item = types.TextDocumentItem(uri, "python", 1, BUGGY)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    (diagnostic,) = await diagnostics_of(client, uri)
    assert diagnostic.code == "ZG001"
    assert diagnostic.range.start == types.Position(8, 8)

    hover = await client.text_document_hover_async(types.HoverParams(document, STEP))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert not lenses

    context = types.CodeActionContext([diagnostic])
    where = types.Range(STEP, STEP)
    asked = types.CodeActionParams(document, where, context)
    actions = await client.text_document_code_action_async(asked)
    assert actions is not None
    fix = actions[0]
    assert isinstance(fix, types.CodeAction)
    if fix.edit is None:
        fix = await client.code_action_resolve_async(fix)
    assert fix.edit is not None
    if fix.edit.document_changes is not None:
        (change,) = fix.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        edits = list(change.edits)
    else:
        assert fix.edit.changes is not None
        edits = list(fix.edit.changes[uri])
    (edit,) = edits
    assert isinstance(edit, types.TextEdit)
    lines = BUGGY.splitlines(keepends=True)
    lines.insert(edit.range.start.line, edit.new_text)
    assert "".join(lines) == FIXED

    changes = types.TextDocumentContentChangePartial(edit.range, edit.new_text)
    version = types.VersionedTextDocumentIdentifier(2, uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(version, [changes]))
    assert not await diagnostics_of(client, uri)
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    await client.shutdown_session()
    assert client.error is None


@pytest.mark.parametrize("editor", EDITORS)
def test_a_session_of(editor: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", LspSpecificationWarning)
        asyncio.run(asyncio.wait_for(session(editor, tmp_path), 120))
