"""Runs the protocol in a thread of its own beside the worker, from the first byte to the last."""

from __future__ import annotations

import gc
import io
import logging
import os
import sys
import threading
import warnings
from functools import partial
from typing import BinaryIO, NoReturn

from ..check.versions import VERSIONS
from ..project.unsaved_texts import UNSAVED
from . import requests, synchronising
from .language_server import ZerogradServer
from .worker import Worker

_SWITCH_SECONDS = 0.001
"""How long a check may keep the interpreter while a message waits; Python's default is 0.005."""
_FILES_KEPT = 8
_READINGS_KEPT = 4
"""What is kept between two checks, so that a change costs as little as it changes."""
_SAMPLE = """\
import torch
def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
"""


def serve(stdin: BinaryIO, stdout: BinaryIO) -> NoReturn:
    """Serve one client until it leaves, and end the process: with 0 if it took its leave."""
    # Nothing but the protocol may write there. A text that may crash the parser is checked in
    # another process, which closes standard input: it must not wait for the thread that reads it.
    sys.stdout, sys.stdin = sys.stderr, io.StringIO()
    sys.setswitchinterval(_SWITCH_SECONDS)
    warnings.simplefilter("ignore")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what goes wrong is said to the client
    worker = Worker()
    server = ZerogradServer(worker)
    synchronising.register(server)
    requests.register(server)
    UNSAVED.look_up = server.open_modules.content
    VERSIONS.most = _FILES_KEPT
    worker.submit(partial(_load, worker))
    talk = threading.Thread(target=_talk, args=(server, stdin, stdout), daemon=True)
    talk.start()
    try:
        worker.run()
    finally:
        # Interrupted: the thread that reads standard input would wait for its next byte.
        os._exit(130)


def _talk(server: ZerogradServer, stdin: BinaryIO, stdout: BinaryIO) -> None:
    status = 1
    try:
        server.start_io(stdin, stdout)
        status = 0 if server.shut_down else 1
    finally:
        os._exit(status)  # a check that is under way has no one left to report to


def _load(worker: Worker) -> None:
    """Load the parser and the rules before the first file needs them; try them, if none waits."""
    from ..check import diagnose, engine, reading  # noqa: F401 (the engine imports it late)
    from ..config.settings import DEFAULT
    from ..rules.registry import all_rules

    all_rules()
    if not worker.has_more:
        engine.check(_SAMPLE, "sample.py", DEFAULT)
        gc.collect()
    gc.freeze()  # what is loaded now stays: looking through it again and again costs time
    reading.UNDERSTOOD.most = _READINGS_KEPT
