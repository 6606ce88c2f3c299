"""Which rules run, and which functions and classes of a project have a configured meaning."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What the configuration says to the analysis; can be pickled and compared."""

    select: tuple[str, ...] | None = None
    """Codes or prefixes to run; `None` means the rules that are on by default."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    zeroing_helpers: tuple[str, ...] = ()
    backward_functions: tuple[str, ...] = ()
    step_functions: tuple[str, ...] = ()
    self_zeroing_classes: tuple[str, ...] = ()

    unused_noqa: bool = False
    """Whether `# noqa` comments that silence nothing are reported."""
    project: bool = True
    """Whether the modules of the project that a file imports are read."""
    source_folders: tuple[str, ...] = ()
    """Further folders that absolute imports start from."""
    trust_fixes: bool = False
    """Whether the best fix is taken unchecked: an editor shows findings first, and checks then."""

    @property
    def gate_names(self) -> tuple[str, ...]:
        """The words that let a file pass the gate: configured backwards and steps, or a comment
        that silences one of our rules."""
        comments = ("noqa",) if self.unused_noqa else ()
        return self.backward_functions + self.step_functions + comments

    @property
    def own_names(self) -> tuple[str, ...]:
        """All configured names, without the modules they live in."""
        names = (*self.gate_names, *self.zeroing_helpers, *self.self_zeroing_classes)
        return tuple(name.rpartition(".")[2] for name in names)

    def enables(self, code: str, *, by_default: bool) -> bool:
        """Whether a rule runs: the most specific selector decides, `ignore` wins a tie."""
        chosen = (*(self.select or ()), *self.extend_select)
        wanted = max((_specificity(selector, code) for selector in chosen), default=-1)
        if self.select is None and by_default:
            wanted = max(wanted, 0)
        unwanted = max((_specificity(selector, code) for selector in self.ignore), default=-1)
        return wanted > unwanted


def _specificity(selector: str, code: str) -> int:
    if selector == "ALL":
        return 0
    return len(selector) if code.startswith(selector) else -1


DEFAULT = Settings()
