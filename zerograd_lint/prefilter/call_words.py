"""The words in a text by which calls act on gradients."""

from __future__ import annotations

import functools
import re

from ..vocabulary.buffers import GRADIENT_ATTRIBUTES
from ..vocabulary.calls import EFFECTS, FUNCTION_NAMES, ON_RECEIVER_ONLY, Effect


class CallWords:
    """The names by which calls have one of the effects that count.

    Names without such an effect are not looked for.
    """

    def __init__(self, counted: Effect) -> None:
        self.effects = {name: effect for name, effect in EFFECTS.items() if effect & counted}
        self._renamed = {
            name: re.compile(name + r"[ \t]+as[ \t]+(\w+)")
            for name in FUNCTION_NAMES & self.effects.keys()
        }
        anywhere = sorted(self.effects.keys() - ON_RECEIVER_ONLY)
        attributes = sorted(GRADIENT_ATTRIBUTES | (self.effects.keys() & ON_RECEIVER_ONLY))
        self._any_word = re.compile(rf"{'|'.join(anywhere)}|\.\s*(?:{'|'.join(attributes)})\b")

    def occur_in(self, text: str) -> bool:
        """Whether code could act on gradients at all, other names of functions aside."""
        return self._any_word.search(text) is not None

    def renamed(self, text: str) -> dict[str, Effect]:
        """What imports give another name: `from torch.autograd import backward as run_back`."""
        return {
            alias: self.effects[name]
            for name, pattern in self._renamed.items()
            if name in text
            for alias in pattern.findall(text)
        }


@functools.cache
def call_words(counted: Effect) -> CallWords:
    return CallWords(counted)
