"""The options of a run over many files, and the results of all of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..config.baseline import Baseline
    from .result import FileResult

CHECK, FIX, DIFF, SILENCE = "check", "fix", "diff", "silence"
"""The modes: report findings, fix them in the files, show the fixes, add `# noqa` comments."""


# Plain classes: the run over files that do not train must not pay for importing dataclasses.
class RunOptions:
    """What the command line says about a run, apart from each file's configuration."""

    __slots__ = (
        "baseline",
        "cache_folder",
        "cpu_limit",
        "jobs",
        "mode",
        "on_progress",
        "trust_fixes",
        "unsafe",
    )

    def __init__(
        self,
        *,
        mode: str = CHECK,
        unsafe: bool = False,
        jobs: int | None = None,
        cache_folder: str | None = None,
        baseline: Baseline | None = None,
        cpu_limit: float = 10.0,
        on_progress: Callable[[int, int], None] | None = None,
        trust_fixes: bool = False,
    ) -> None:
        self.mode = mode
        self.unsafe = unsafe
        self.jobs = jobs
        self.cache_folder = cache_folder
        self.baseline = baseline
        self.cpu_limit = cpu_limit
        self.on_progress = on_progress
        self.trust_fixes = trust_fixes


class CheckResult:
    """The results in order of discovery (only files that pass the gate have one) and a count."""

    __slots__ = ("commented", "files", "gone", "results")

    def __init__(self) -> None:
        self.files = 0
        """How many files were read, those that did not pass the gate included."""
        self.results: list[FileResult] = []
        self.commented: list[str] = []
        """Files in which `# noqa` names one of our codes."""
        self.gone: list[str] = []
        """Entries of the baseline that are no longer found."""
