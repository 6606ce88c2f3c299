"""The client's notifications: what it opens, changes and closes, and how it is configured."""

from __future__ import annotations

from lsprotocol import types

from .configuration_sync import read_configuration, take_over, watch_files
from .language_server import ZerogradServer
from .open_modules import module_path
from .texts import ClientWorkspace


def register(server: ZerogradServer) -> None:
    """Have a server follow all these notifications."""
    _register_life(server)
    _register_texts(server)
    _register_notebooks(server)
    _register_configuration(server)


def _register_life(server: ZerogradServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.pushed_settings = params.initialization_options
        old = server.workspace
        server.protocol._workspace = ClientWorkspace(
            old.root_uri,
            workspace_folders=list(old.folders.values()),
            position_encoding=old.position_encoding,
        )
        take_over(server)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        watch_files(server)
        await read_configuration(server)

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.shut_down = True


def _register_texts(server: ZerogradServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.open_text(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri, [params.text_document.uri])


def _register_notebooks(server: ZerogradServer) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenNotebookDocumentParams) -> None:
        server.open_notebook(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells
        structure = cells.structure if cells is not None else None
        for removed in (structure.did_close or []) if structure is not None else []:
            server.withdraw(removed.uri)
        server.changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveNotebookDocumentParams) -> None:
        server.changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseNotebookDocumentParams) -> None:
        cells = [cell.uri for cell in params.cell_text_documents]
        server.close(params.notebook_document.uri, cells)


def _register_configuration(server: ZerogradServer) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: types.DidChangeConfigurationParams) -> None:
        await read_configuration(server, params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        modules = [change.uri for change in params.changes if change.uri.endswith(".py")]
        if len(modules) == len(params.changes) > 0:
            server.check_again_what_reads(set(map(module_path, modules)))
        else:
            server.check_all_again()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        await read_configuration(server)
