"""The names of functions and methods that ask whether numbers are finite."""

from __future__ import annotations

FINITE = frozenset({"isfinite"})
"""They hold where a number is finite."""
NOT_FINITE = frozenset({"isnan", "isinf"})
"""They hold only where a number is not finite."""
FINITENESS = FINITE | NOT_FINITE
"""All of them, of torch, math and numpy alike."""
SAME_ANSWER = frozenset({"all", "any", "item", "bool"})
"""What is asked of such an answer, or it is turned into, without changing it."""
ASSERTS = "assert"
"""How the names of functions begin that say what a test expects: `assert_close`, `assertTrue`."""
