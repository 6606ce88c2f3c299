"""A running server for the tests of a module, and a folder for each test."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..cli.conftest import lint, project  # noqa: F401
from .client import Client

if importlib.util.find_spec("pygls") is None:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for a whole module: starting one takes a second."""
    folder = tmp_path_factory.mktemp("workspace")
    client = Client(tmp_path_factory.mktemp("cache"), cwd=folder)
    client.start(folder)
    yield client
    assert client.stop() == 0


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Client]:
    """A server that the test itself shakes hands with."""
    client = Client(tmp_path / "cache", cwd=tmp_path)
    yield client
    client.process.kill()
    client.process.wait()
