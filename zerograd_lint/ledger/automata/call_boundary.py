"""The event between two calls of one function from outside the file."""

from __future__ import annotations


class CallBoundary:
    """One call of an entry point has ended and the next begins.

    What outlives the function, as an optimizer given as an argument does, is carried from one
    call to the next. Automata mark their states here: a path across calls holds only if no
    caller acts in between.
    """
