"""Asks the client for its settings, folder by folder, and to say when files change on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lsprotocol import types

from ..config.errors import ConfigError
from .configuration import SECTION, Configuration, client_options
from .language_server import ZerogradServer
from .open_files import path_of

Options = Mapping[str, object]


PROJECT_FILE = "pyproject.toml"


def watch_files(server: ZerogradServer) -> None:
    """Have changed modules and configurations announced, by a client that can watch them."""
    if not server.client.watches_files:
        return
    watchers = [types.FileSystemWatcher(f"**/{name}") for name in (PROJECT_FILE, "*.py")]
    registration = types.Registration(
        "zerograd-lint-files",
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.DidChangeWatchedFilesRegistrationOptions(watchers),
    )
    server.client_register_capability(types.RegistrationParams([registration]))


async def read_configuration(server: ZerogradServer, pushed: object = None) -> None:
    """Take over the client's settings: what it answers when asked, else what it has sent."""
    if pushed is not None:
        server.pushed_settings = pushed
    take_over(server, await _ask(server, [*_folders(server), None]))
    server.check_all_again()


def take_over(server: ZerogradServer, answers: Sequence[object] = ()) -> None:
    """Use these settings, one for each folder and one for all that is in none."""
    folders = _folders(server)
    answers = [*answers, *[None] * len(folders), None][: len(folders) + 1]
    options = [_options(server, server.pushed_settings if a is None else a) for a in answers]
    by_folder = dict(zip(map(path_of, folders), options, strict=False))
    server.configuration = Configuration(by_folder, options[-1])


def _folders(server: ZerogradServer) -> list[str]:
    folders = [folder.uri for folder in server.workspace.folders.values()]
    root = server.workspace.root_uri
    return folders or ([root] if root else [])


async def _ask(server: ZerogradServer, folders: Sequence[str | None]) -> Sequence[object]:
    """The client's settings for each folder; None where it has none or cannot be asked."""
    if not server.client.has_settings:
        return ()
    wanted = [types.ConfigurationItem(folder, SECTION) for folder in folders]
    return await server.workspace_configuration_async(types.ConfigurationParams(wanted))


def _options(server: ZerogradServer, settings: object) -> Options:
    try:
        return client_options(settings)
    except ConfigError as error:
        server.messages.tell_once(f"settings of the editor: {error}")
        return {}
