"""Events that automata take no step on."""

from __future__ import annotations

from ...events.event import Advance, Ask, Create, Forward, HandOver, UnreadCall

IGNORED_BY_ALL = (Advance, Forward)
"""No automaton takes a step on these; that they are there is all that counts."""
IGNORED = (*IGNORED_BY_ALL, HandOver, Create, Ask, UnreadCall)
"""The same for all automata but the one that asks whether there is a buffer at all."""
