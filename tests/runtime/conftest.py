"""What the tests of the runtime share: programs, devices and a pool that runs them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the runtime verifier needs torch")

from zerograd_lint.runtime.running.program_pool import ProgramPool, open_pool  # noqa: E402

from .second_device import build  # noqa: E402

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session", params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> str:
    """Every device there is; the others are skipped and say why."""
    name: str = request.param
    if name == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch.cuda.is_available() is false on this machine")
    return name


@pytest.fixture(scope="session")
def second_device(request: pytest.FixtureRequest) -> Path:
    """A folder for PYTHONPATH that gives PyTorch a second device, called `second`."""
    reason = build.why_not_buildable()
    if reason is not None:
        pytest.skip(reason)
    cache: pytest.Cache = request.config.cache  # type: ignore[assignment]
    return build.build(cache.mkdir(f"second_device_{build.key()}"))


@pytest.fixture(scope="session")
def pool() -> Iterator[ProgramPool]:
    with open_pool(device="cpu", steps=None, timeout=120, jobs=1) as started:
        yield started
