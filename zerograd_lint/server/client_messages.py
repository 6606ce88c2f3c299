"""Messages for the user or for the client's log, each said once."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

_MOST_REMEMBERED = 1000


class ClientMessages:
    """Sends messages to the client."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._sent: set[str] = set()

    def log_once(self, line: str) -> None:
        """One line in the client's log, however often the same goes wrong."""
        if self._is_news(line):
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Error, line))

    def tell_once(self, line: str) -> None:
        """One line for the user to see."""
        if self._is_news(line):
            self.tell(line)

    def tell(self, line: str) -> None:
        """The same every time: the answer to what the user has asked for."""
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, line))

    def _is_news(self, line: str) -> bool:
        if line in self._sent or len(self._sent) > _MOST_REMEMBERED:
            return False
        self._sent.add(line)
        return True
