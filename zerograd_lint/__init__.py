"""zerograd-lint finds backward, step and zero_grad in an order that breaks training.

Importing this package costs next to nothing: even its own data classes load when they are
first asked for, the parser when a file that can train something is checked, torch when code
is run.
"""

from __future__ import annotations

# A type checker takes this for True; importing `typing` for it would cost every start 10 ms.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .config.settings import Settings
    from .finding import Edit, Finding, Fix, Position, Related, SourceError, Span
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
    text: str, filename: str = "<string>", *, settings: Settings | None = None
) -> list[Finding]:
    """All findings in one file's text, in order of place; `SourceError` if it cannot be parsed."""
    from .check.gate import can_train
    from .check.project_gate import may_run_training
    from .config.settings import DEFAULT

    settings = settings or DEFAULT
    if not can_train(text, settings.gate_names) and not may_run_training(filename, text, settings):
        return []
    from .check.engine import check

    return check(text, filename, settings)


def __getattr__(name: str) -> object:
    if name == "audit":
        from .runtime import audit

        return audit
    from importlib import import_module

    if name == "Settings":
        return import_module(".config.settings", __name__).Settings
    if name in __all__:
        return getattr(import_module(".finding", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
