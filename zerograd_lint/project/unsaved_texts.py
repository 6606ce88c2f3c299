"""The unsaved texts of files that are open in an editor: they count instead of what is on disk."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class UnsavedTexts:
    """Where open files are looked up; nothing is open unless a language server says so."""

    def __init__(self) -> None:
        self.look_up: Callable[[str], bytes | None] = lambda path: None


UNSAVED = UnsavedTexts()
"""Those of this process."""
