"""The server itself: what is open, how it is checked, and what the client can do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Set
from typing import TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from .. import __version__
from ..config.errors import ConfigError
from . import checking
from .client_columns import ColumnUnit
from .client_features import ClientFeatures
from .client_messages import ClientMessages
from .configuration import Configuration
from .diagnostics import DiagnosticWriter
from .file_analysis import FileAnalysis, FileAnswer
from .open_files import OpenFile, open_notebook, open_text
from .open_modules import OpenModules, module_path
from .worker import Worker, limited

_Result = TypeVar("_Result")
_ALL_NOTEBOOKS = types.NotebookDocumentFilterWithNotebook(notebook="*")


class ZerogradServer(LanguageServer):
    """Holds one analysis for every open text or notebook."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(
            "zerograd-lint",
            __version__,
            notebook_document_sync=types.NotebookDocumentSyncOptions([_ALL_NOTEBOOKS]),
        )
        self.configuration = Configuration()
        self.pushed_settings: object = None
        """What the client sent by itself; what it answers when asked goes before."""
        self.shut_down = False
        self.messages = ClientMessages(self)
        self.open_modules = OpenModules(lambda: self.workspace.text_documents)
        self._worker = worker
        self._analyses: dict[str, FileAnalysis] = {}
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}

    @property
    def client(self) -> ClientFeatures:
        unit = ColumnUnit(self.workspace.position_encoding)
        return ClientFeatures(self.client_capabilities, unit)

    # What is open.

    def open_text(self, uri: str) -> None:
        """Keep a text document's findings up to date from now on."""

        def look() -> OpenFile | None:
            document = self.workspace.text_documents.get(unquote(uri))
            return open_text(document) if document is not None else None

        self._open(uri, look, push=not self.client.pulls)
        self.open_modules.add(uri)
        self._check_dependents(uri)

    def open_notebook(self, uri: str) -> None:
        """The same for a notebook; what is in one cell can change the findings in all others,
        which only pushing them can say."""

        def look() -> OpenFile | None:
            notebook = self.workspace.get_notebook_document(notebook_uri=uri)
            return open_notebook(notebook, self.workspace) if notebook is not None else None

        self._open(uri, look, push=True)

    def _open(self, uri: str, look: Callable[[], OpenFile | None], *, push: bool) -> None:
        if uri in self._analyses:
            self._analyses[uri].close()
        publish = self._publish if push else _keep
        self._analyses[uri] = FileAnalysis(look, self._check, publish)
        self._analyses[uri].request()

    def changed(self, uri: str) -> None:
        """Check an open text or notebook again, and the files that read it."""
        self._forget_done()
        if uri in self._analyses:
            self._analyses[uri].request()
            self._check_dependents(uri)

    def _forget_done(self) -> None:
        """pygls keeps what it has started for every notification, although it is done."""
        started = self.protocol._request_futures
        for number in [number for number, future in started.items() if future.done()]:
            del started[number]

    def close(self, uri: str, parts: list[str]) -> None:
        """Forget a text or notebook, and take its diagnostics away."""
        analysis = self._analyses.pop(uri, None)
        if analysis is not None:
            analysis.close()
        for part in parts:
            self.withdraw(part)
        self.open_modules.discard(uri)
        self._check_dependents(uri)

    def withdraw(self, uri: str) -> None:
        """Take the diagnostics of a text away that is no longer there."""
        if self._published.pop(uri, (None, []))[1]:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def check_all_again(self) -> None:
        """After the configuration has changed."""
        for analysis in self._analyses.values():
            analysis.request()
        if self.client.refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)
        if self.client.refreshes_lenses:
            self.workspace_code_lens_refresh(None)

    def _check_dependents(self, uri: str) -> None:
        self.check_again_what_reads({module_path(uri)})

    def check_again_what_reads(self, modules: Set[str]) -> None:
        """After these modules have changed, appeared or gone: other files may read them."""
        again = [analysis.modules_changed(modules) for analysis in self._analyses.values()]
        if any(again) and self.client.refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    async def answer(self, uri: str, *, fixes: bool = False) -> FileAnswer | None:
        """The newest answer about an open text, a notebook or the notebook that a cell is in."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        analysis = self._analyses.get(notebook.uri if notebook is not None else uri)
        if analysis is None:
            return None
        return await (analysis.answer_with_fixes() if fixes else analysis.answer())

    # Checking.

    async def in_worker(self, job: Callable[[], _Result]) -> _Result:
        """Have something done outside the protocol's thread."""
        return await asyncio.wrap_future(self._worker.submit(job))

    async def limited(self, job: Callable[[], _Result]) -> _Result:
        """The same with a limit on CPU time."""
        return await self.in_worker(limited(job))

    async def _check(self, file: OpenFile, trust_fixes: bool) -> FileAnswer | None:
        configuration, client, modules = self.configuration, self.client, self.open_modules

        def job() -> FileAnswer:
            checked = checking.check(file, configuration, trust_fixes=trust_fixes)
            return FileAnswer(checked, DiagnosticWriter(checked, client, modules).by_uri())

        try:
            answer = await self.in_worker(job)
        except ConfigError as error:
            self.messages.tell_once(str(error))
            return None
        except Exception as error:
            self.messages.log_once(f"{file.path}: internal error: {_one_line(error)}")
            return None
        for problem in answer.checked.result.problems:
            if problem.message.startswith("internal error"):
                self.messages.log_once(f"{file.path}: {problem.message}")
        return answer

    def _publish(self, answer: FileAnswer) -> None:
        versions = {part.uri: part.version for part in answer.checked.file.parts.values()}
        for uri, diagnostics in answer.diagnostics.items():
            news = (versions[uri], diagnostics)
            if self._published.get(uri) != news:
                self._published[uri] = news
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, diagnostics, versions[uri])
                )

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        """Errors in a handler or in a message go to the log; the server lives on."""
        self.messages.log_once(f"internal error: {_one_line(error)}")


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def _keep(answer: FileAnswer) -> None:
    """The client asks for the answer when it wants it."""
