"""The gate: a search over a file's bytes that says whether it can train anything at all.

Of 30,501 modules in published packages 95.8 % end here, unparsed. It works before decoding: every
encoding in which people write Python keeps ASCII. The words it looks for are the vocabulary's.
"""

from __future__ import annotations

import functools
import re

from ..vocabulary.buffers import GRADIENT_ATTRIBUTES
from ..vocabulary.calls import ON_RECEIVER_ONLY, ZEROING_METHODS, Effect, names_with
from ..vocabulary.frameworks import FOREIGN_METHODS, FRAMEWORKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def _shortest(words: Iterable[str]) -> tuple[bytes, ...]:
    """These words without those that contain another: `backward` finds `manual_backward`."""
    all_words = sorted(words)
    return tuple(
        word.encode()
        for word in all_words
        if not any(other in word for other in all_words if other != word)
    )


def _any_of(words: Iterable[bytes]) -> bytes:
    return b"(?:" + b"|".join(words) + b")"


_DEPOSIT_WORDS = _shortest(names_with(Effect.DEPOSIT))
_ZERO_WORDS = _shortest(names_with(Effect.ZERO))
_FRAMEWORK_WORDS = tuple(word.encode() for word in FRAMEWORKS)
_FOREIGN_CALLS = tuple(b"." + word.encode() + b"(" for word in FOREIGN_METHODS)
_STEP_NAMES = names_with(Effect.CONSUME)
_STEP_CALLS = tuple(b"." + word.encode() + b"(" for word in _STEP_NAMES)
_STEP_WORDS = tuple(word.encode() for word in _STEP_NAMES if word not in ON_RECEIVER_ONLY)


def can_train_bytes(data: bytes, configured: Iterable[bytes] = ()) -> bool:
    """Whether any rule could report anything about a file with this content.

    `configured` are names that the configuration gives a meaning to: using one is evidence enough.
    """
    return _has(data, configured) or can_train_together([GateText(data)])


class GateText:
    """What the gate looks for in one text, each search made once and when it is asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @functools.cached_property
    def deposits(self) -> bool:
        return _has(self.data, _DEPOSIT_WORDS)

    @functools.cached_property
    def zeroes(self) -> bool:
        return _has(self.data, _ZERO_WORDS)

    @functools.cached_property
    def uses_framework(self) -> bool:
        return _has(self.data, _FRAMEWORK_WORDS)

    @functools.cached_property
    def calls_foreign(self) -> bool:
        return _has(self.data, _FOREIGN_CALLS)

    @functools.cached_property
    def calls_deposit(self) -> bool:
        # A differentiable function merely defines one.
        return self.deposits and any(
            self.data[max(call.start() - 4, 0) : call.start()] != b"def "
            for call in _deposit_call().finditer(self.data)
        )

    @functools.cached_property
    def applies(self) -> bool:
        return _has(self.data, _STEP_WORDS) or any(
            pattern.search(self.data) for pattern in _applying_attributes()
        )

    @functools.cached_property
    def calls_step(self) -> bool:
        return _has(self.data, _STEP_CALLS)

    @functools.cached_property
    def names_zeroing(self) -> bool:
        return self.zeroes and _uncalled_zero().search(self.data) is not None


def can_train_together(texts: Sequence[GateText]) -> bool:
    """Whether texts that are run together could be reported."""
    # The rarest words first: most files end here, after two searches at the speed of memory.
    deposits, zeroes = any(t.deposits for t in texts), any(t.zeroes for t in texts)
    if not deposits and not zeroes:
        return False
    if not any(t.uses_framework for t in texts) or any(t.calls_foreign for t in texts):
        return False
    if any(t.calls_deposit for t in texts) and (zeroes or any(t.applies for t in texts)):
        return True
    return zeroes and any(t.names_zeroing or t.calls_step for t in texts)


def _has(data: bytes, words: Iterable[bytes]) -> bool:
    for word in words:  # noqa: SIM110 - `any` with a generator costs as much as the search itself
        if word in data:
            return True
    return False


# Compiled when first asked for: for most files, and so in most runs over one file, none of them is.


@functools.cache
def _deposit_call() -> re.Pattern[bytes]:
    return re.compile(_any_of(_DEPOSIT_WORDS) + rb"\w*\s*\(")


@functools.cache
def _uncalled_zero() -> re.Pattern[bytes]:
    """A zeroing at the end of a line, or before a comment."""
    names = _any_of(name.encode() for name in sorted(ZEROING_METHODS))
    return re.compile(rb"\." + names + rb"[ \t]*(?:#[^\r\n]*)?\r?$", re.MULTILINE)


@functools.cache
def _applying_attributes() -> tuple[re.Pattern[bytes], ...]:
    """One pattern per word: with a fixed beginning it is ten times as fast as with alternatives."""
    steps = (name for name in _STEP_NAMES if name in ON_RECEIVER_ONLY)
    words = (*steps, *sorted(GRADIENT_ATTRIBUTES))
    return tuple(re.compile(rb"\." + word.encode() + rb"\b") for word in words)


def can_train(text: str, configured: Iterable[str] = ()) -> bool:
    """Whether any rule could report anything about this text."""
    return can_train_bytes(text.encode("utf-8", "surrogatepass"), encode_words(configured))


def encode_words(names: Iterable[str]) -> tuple[bytes, ...]:
    """The last part of each qualified name, as bytes: what a call of it must spell out."""
    return tuple(name.rpartition(".")[2].encode() for name in names)
