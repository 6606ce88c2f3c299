"""The configuration that holds for a file: a project's table with the command line on top."""

from __future__ import annotations

import os

from .selectors import strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .settings import Settings

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)


class Config:
    """One project's table, or nothing but the defaults; `root` is what its paths are relative to.

    `options` come from the command line and go before the table; their paths are relative to
    the current folder. A plain class: the run over files that do not train must not pay for
    importing dataclasses.
    """

    __slots__ = ("file", "options", "root", "values")

    def __init__(
        self,
        root: str,
        values: Mapping[str, object] | None = None,
        file: str | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.root = root
        self.values = values or {}
        self.file = file
        self.options = options or {}

    def with_options(
        self, options: Mapping[str, object], settings: Mapping[str, object] | None = None
    ) -> Config:
        """The same table under other options of the command line, and with other settings."""
        return Config(self.root, {**self.values, **(settings or {})}, self.file, options)

    def flag(self, key: str, default: bool = False) -> bool:
        """The value of a key that is true or false."""
        return bool(self._either(key, default))

    def string(self, key: str) -> str | None:
        """The value of a key that is a string; None if it is not set."""
        value = self._either(key, None)
        return value if isinstance(value, str) else None

    def count(self, key: str) -> int | None:
        """The value of a key that is a number; None if it is not set."""
        value = self._either(key, None)
        return value if isinstance(value, int) else None

    def _either(self, key: str, default: object) -> object:
        return self.options.get(key, self.values.get(key, default))

    def per_file_ignores(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """(folder, pattern in it, codes ignored there) for every entry that holds."""
        ignores: list[tuple[str, str, tuple[str, ...]]] = []
        for base, table in ((self.root, self.values), (os.getcwd(), self.options)):
            entries = table.get("per-file-ignores")
            if isinstance(entries, dict):
                ignores += [(base, pattern, tuple(codes)) for pattern, codes in entries.items()]
        return ignores

    def excludes(self) -> list[tuple[str, tuple[str, ...]]]:
        """(folder, patterns in it) of everything a walk leaves out."""
        here = os.getcwd()
        if "exclude" in self.options:
            first = (here, strings(self.options, "exclude"))
        elif "exclude" in self.values:
            first = (self.root, strings(self.values, "exclude"))
        else:
            first = (self.root, DEFAULT_EXCLUDE)
        return [
            first,
            (self.root, strings(self.values, "extend-exclude")),
            (here, strings(self.options, "extend-exclude")),
        ]

    def gate_names(self) -> tuple[str, ...]:
        """The configured names that let a file pass the gate, as `Settings.gate_names`."""
        names = strings(self.values, "backward-functions") + strings(self.values, "step-functions")
        return (*names, "noqa") if self.flag("unused-noqa") else names

    def source_folders(self) -> tuple[str, ...]:
        """The configured folders that absolute imports start from."""
        return tuple(
            os.path.normpath(os.path.join(self.root, name)) for name in strings(self.values, "src")
        )

    def settings(self) -> Settings:
        """What the analysis reads of it: rule selection and configured names."""
        from .settings import Settings

        table, options = self.values, self.options
        if "select" in options:  # a new selection starts from nothing, as in ruff
            table = {k: v for k, v in table.items() if k not in ("extend-select", "ignore")}
        added = strings(options, "extend-select")
        # What is asked for on the command line beats the same words in the table's ignore.
        ignored = tuple(code for code in strings(table, "ignore") if code not in added)
        chosen = options if "select" in options else table
        return Settings(
            select=strings(chosen, "select") if "select" in chosen else None,
            extend_select=strings(table, "extend-select") + added,
            ignore=ignored + strings(options, "ignore"),
            zeroing_helpers=strings(table, "zeroing-helpers"),
            backward_functions=strings(table, "backward-functions"),
            step_functions=strings(table, "step-functions"),
            self_zeroing_classes=strings(table, "self-zeroing-classes"),
            unused_noqa=self.flag("unused-noqa"),
            project=self.flag("project", True),
            source_folders=self.source_folders(),
        )
