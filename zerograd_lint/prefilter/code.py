"""The text of a function, with the words in it and what it binds, each worked out once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property

from .bindings import Binding, bindings

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_ATTRIBUTE = re.compile(r"\.\s*([^\W\d]\w*)")
_RECEIVER = re.compile(r"(\b\w+|[)\]])\s*\.\s*(?=([^\W\d]\w*))")
_NETWORK = re.compile(r"(\w+)\s*\.\s*(?:named_)?(?:parameters|zero_grad)\(")
_SETS_GLOBALS = re.compile(r"\bglobal[ \t]|\bglobals[ \t]*\(")
_OPERATORS = "+-*/%&|^@<>!"
_OWNER = re.compile(r"scaler|optim(?!al|um|i[sz](?:e\b|ed|es\b|ing|ation))|\bopt\w{0,2}\b")


class Code:
    """What follows from a function's text alone."""

    def __init__(self, text: str) -> None:
        self.text = text
        """Without docstring and comments between lines."""
        self._bindings: list[Binding] | None = None

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(_NAME.findall(self.text))

    @cached_property
    def attributes(self) -> frozenset[str]:
        return frozenset(attribute for _, attribute in self.attribute_uses)

    @cached_property
    def attribute_uses(self) -> frozenset[tuple[str, str]]:
        """Attributes, each with the word before it, or the bracket."""
        return frozenset(_RECEIVER.findall(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        return self.names | self.attributes

    @cached_property
    def mentions_owner(self) -> bool:
        """An optimizer or a loss scaler is made, chosen or passed on here."""
        return mentions_owner(self.text)

    @cached_property
    def sets_globals(self) -> bool:
        """It may give variables of its module another value."""
        return "global" in self.text and _SETS_GLOBALS.search(self.text) is not None

    @cached_property
    def networks(self) -> frozenset[str]:
        """The names of what it lists the parameters of, or clears."""
        if "parameters(" not in self.text and "zero_grad(" not in self.text:
            return frozenset()  # finding so is ten times as fast as the expression
        return frozenset(_NETWORK.findall(self.text))

    @cached_property
    def set_attributes(self) -> frozenset[str]:
        """The attributes it may give a value to, by themselves or in a tuple."""
        found: set[str] = set()
        for line in self.text.split("\n"):
            target, equals, value = line.partition("=")
            if not equals or value.startswith("="):
                continue
            target = target.strip(" \t(")
            if target.startswith(")"):
                return self.attributes  # a tuple over several lines
            if "." in target and "(" not in target and target[-1:] not in _OPERATORS:
                found.update(_ATTRIBUTE.findall(target))
        return frozenset(found)

    def bindings(self, nodes: Iterable[ast.AST]) -> list[Binding]:
        """What it binds; `nodes` are the statements that its text was parsed to."""
        if self._bindings is None:
            self._bindings = list(bindings(nodes))
        return self._bindings


def mentions_owner(words: str) -> bool:
    """Whether words are about an optimizer or a loss scaler."""
    # Most are not, and that is found ten times as fast as by the expression.
    return "scaler" in words or ("opt" in words and _OWNER.search(words) is not None)
