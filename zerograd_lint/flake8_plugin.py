"""The flake8 plugin; it imports only the standard library until a file passes the gate."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from . import __version__
from .check.gate import can_train
from .check.project_gate import may_run_training
from .config.errors import ConfigError
from .config.settings import Settings

if TYPE_CHECKING:
    import argparse
    import ast


class Plugin:
    """Checks one file; whatever goes wrong becomes a line about that file."""

    name = "zerograd-lint"
    version = __version__
    select: ClassVar[tuple[str, ...]] = ()

    def __init__(self, tree: ast.AST, filename: str, lines: list[str]) -> None:
        self._filename = filename
        self._lines = lines

    @classmethod
    def add_options(cls, manager: Any) -> None:
        """Add the plugin's option to flake8's; called by flake8."""
        manager.add_option(
            "--zerograd-select",
            default="",
            comma_separated_list=True,
            parse_from_config=True,
            help="Further zerograd-lint rules to run, such as ZG901, ZG9 or ALL.",
        )

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Take over the option's value; called by flake8."""
        cls.select = tuple(options.zerograd_select)

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Findings as flake8 wants them: columns from 0, one line of text each."""
        try:
            text = "".join(self._lines)
            settings = self._settings()
            if not can_train(text, settings.gate_names) and not may_run_training(
                self._filename, text, settings
            ):
                return
            from .check.python_text import check_python_text
            from .finding import SourceError

            try:
                findings = check_python_text(text, self._filename, settings).findings
            except SourceError as error:
                yield error.line, max(error.column - 1, 0), f"ZG000 {error.message}", Plugin
                return
            for finding in findings:
                yield (
                    finding.line,
                    finding.column - 1,
                    f"{finding.code} {finding.message}",
                    Plugin,
                )
        except ConfigError as error:
            yield 1, 0, f"ZG000 {error}", Plugin
        except Exception as error:
            # flake8 drops the findings of all files when a plugin raises.
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            yield 1, 0, f"ZG000 internal error, please report it: {reason}", Plugin

    def _settings(self) -> Settings:
        return _settings(os.path.dirname(os.path.abspath(self._filename)), self.select)


@functools.lru_cache(maxsize=1024)
def _settings(folder: str, select: tuple[str, ...]) -> Settings:
    """The settings of the nearest pyproject.toml, and the rules that flake8's option adds."""
    from dataclasses import replace

    from .config.pyproject import nearest

    settings = nearest(folder).settings()
    return replace(settings, extend_select=(*settings.extend_select, *select))
