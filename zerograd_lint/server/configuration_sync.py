"""Asks the client for its settings, folder by folder, and to say when a pyproject.toml changes."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types

from ..config.errors import ConfigError
from .configuration import SECTION, Configuration, client_options
from .language_server import ZerogradServer
from .open_files import path_of

Options = Mapping[str, object]


def watch_projects(server: ZerogradServer) -> None:
    """Have changed configuration files announced, by a client that can watch them."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    watcher = types.FileSystemWatcher("**/pyproject.toml")
    registration = types.Registration(
        "zerograd-lint-projects",
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.DidChangeWatchedFilesRegistrationOptions([watcher]),
    )
    server.client_register_capability(types.RegistrationParams([registration]))


async def read_configuration(server: ZerogradServer, pushed: object = None) -> None:
    """Take over the client's settings: asked for where it answers, else those it has sent."""
    folders = [folder.uri for folder in server.workspace.folders.values()]
    if not folders and server.workspace.root_uri:
        folders = [server.workspace.root_uri]
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.configuration:
        wanted = [types.ConfigurationItem(uri, SECTION) for uri in folders]
        wanted.append(types.ConfigurationItem(None, SECTION))
        answer = await server.workspace_configuration_async(types.ConfigurationParams(wanted))
        settings = [*answer, *[None] * len(wanted)][: len(wanted)]
    else:
        server.pushed_settings = pushed if pushed is not None else server.pushed_settings
        settings = [server.pushed_settings] * (len(folders) + 1)
    options = [_options(server, item) for item in settings]
    by_folder = dict(zip(map(path_of, folders), options, strict=False))
    server.configuration = Configuration(by_folder, options[-1])
    server.check_all_again()


def _options(server: ZerogradServer, settings: object) -> Options:
    try:
        return client_options(settings)
    except ConfigError as error:
        server.tell_once(f"settings of the editor: {error}")
        return {}
