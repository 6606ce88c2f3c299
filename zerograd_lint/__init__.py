"""zerograd-lint tells right from wrong in the order of backward, step and zero_grad.

Importing this package costs nothing but the standard library: the parser loads when a file
that can train something is checked, torch when code is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .finding import Edit, Finding, Fix, Position, Related, SourceError, Span
from .settings import DEFAULT, Settings

if TYPE_CHECKING:
    from .runtime import audit as audit

__version__ = "0.1.0"

__all__ = [
    "Edit",
    "Finding",
    "Fix",
    "Position",
    "Related",
    "Settings",
    "SourceError",
    "Span",
    "audit",
    "check_source",
]


def check_source(
    text: str, filename: str = "<string>", *, settings: Settings = DEFAULT
) -> list[Finding]:
    """All findings in one file's text, in order of place; `SourceError` if it cannot be parsed."""
    from .gate import can_train

    if not can_train(text):
        return []
    from .engine import check

    return check(text, filename, settings)


def __getattr__(name: str) -> object:
    if name == "audit":
        from .runtime import audit

        return audit
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
