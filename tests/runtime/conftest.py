"""What the tests of the runtime share: programs, devices and a pool that runs them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the runtime verifier needs torch")

from zerograd_lint.runtime.running.program_pool import ProgramPool, open_pool  # noqa: E402

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session", params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> str:
    """Every device there is; the others are skipped and say why."""
    name: str = request.param
    if name == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch.cuda.is_available() is false on this machine")
    return name


@pytest.fixture(scope="session")
def pool() -> Iterator[ProgramPool]:
    with open_pool(device="cpu", steps=None, timeout=120, jobs=1) as started:
        yield started
