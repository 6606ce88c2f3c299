"""Which rules run, and which of a project's own functions count as gradient events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Immutable and picklable, so that it survives fork, spawn and a cache key."""

    select: tuple[str, ...] | None = None
    """Codes or prefixes to run; `None` means the rules that are on by default."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    zeroing_helpers: tuple[str, ...] = ()
    backward_functions: tuple[str, ...] = ()
    step_functions: tuple[str, ...] = ()
    self_zeroing_classes: tuple[str, ...] = ()

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The names by which this project's own code starts or applies gradients."""
        return self.backward_functions + self.step_functions

    @property
    def own_names(self) -> tuple[str, ...]:
        """All names this project gives a meaning to, without the modules they live in."""
        names = (*self.vocabulary, *self.zeroing_helpers, *self.self_zeroing_classes)
        return tuple(name.rpartition(".")[2] for name in names)

    def enables(self, code: str, *, by_default: bool) -> bool:
        """The most specific selector decides, as in ruff; `ignore` wins a tie."""
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
