"""Why the linter is silent about a random program that goes wrong."""

from __future__ import annotations

import re
from collections import Counter

from .audited_runs import Run
from .sample import Sample

UNEXPLAINED = "not explained"
_TEST = re.compile(r"^ +if (.*):$", re.MULTILINE)
_ACT = re.compile(r"\w+_\d\.(?:backward|step|zero_grad)\(")


def reason(sample: Sample, runs: list[Run], wrong: set[str]) -> str:
    """Why silence is what we want here, or all that can be had."""
    text = sample.text
    tests = set(_TEST.findall(text)) - {"True"}
    counters = {test for test in tests if "%" in test}
    if not tests and wrong == {"defeated"}:
        return "a backward always cleared before a step: an attack or a probe looks the same"
    if tests - counters:
        return "a test whose answer is not known: any branch may be the usual one"
    if len(counters) > 1:
        return "two counters that need not agree"
    if counters and "def clear(" in text:
        return "a function that nothing here calls may clear, from elsewhere"
    if counters and _doubled(text):
        return "one window with two backwards, steps or zeroings: each makes up for the other"
    return UNEXPLAINED


def _doubled(text: str) -> bool:
    """Some backward, step or zeroing of one owner stands in the loop more than once."""
    calls = Counter(_ACT.findall(text))
    return any(times > 1 for times in calls.values())
