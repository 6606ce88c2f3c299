"""Why the linter is silent about a random program that goes wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set

from .audited_runs import Run
from .configured_programs import HELPERS
from .sample import MAIN, Sample

UNEXPLAINED = "not explained"
_TEST = re.compile(r"^ +if (.*):$", re.MULTILINE)
_ACT = re.compile(r"\w+_\d\.(?:backward|step|zero_grad)\(")
_SETTING = re.compile(r"args\.(?:amp|clip|accum > 1)|scaler is not None")
_UNKNOWN = "a test whose answer is not known: any branch may be the usual one"
_DOUBLED = "one window with two backwards, steps or zeroings: each makes up for the other"


def reason(sample: Sample, runs: list[Run], wrong: set[str]) -> str:
    """Why silence is what we want here, or all that can be had."""
    tests = set(_TEST.findall(sample.text)) - {"True"}
    counters = {test for test in tests if "%" in test}
    unknown = {test for test in tests - counters if not _SETTING.search(test)}
    if unknown:
        return _UNKNOWN
    if len({_counted(test) if sample.changes else test for test in counters}) > 1:
        return "two counters that need not agree"
    if sample.changes:
        return _reason_in_configurations(sample, runs)
    return _reason_in_one(sample.text, bool(tests), wrong)


def _reason_in_one(text: str, tested: bool, wrong: set[str]) -> str:
    if not tested and wrong == {"defeated"}:
        return "a backward always cleared before a step: an attack or a probe looks the same"
    if tested and "def clear(" in text:
        return "a function that nothing here calls may clear, from elsewhere"
    calls = Counter(_ACT.findall(text))
    if tested and any(times > 1 for times in calls.values()):
        return _DOUBLED
    return UNEXPLAINED


def _reason_in_configurations(sample: Sample, runs: list[Run]) -> str:
    text, changes = sample.text, sample.changes
    if not any(run.report.kinds() for run in runs):
        return "the scaler stops the program in its first steps: no rule asks for what it misses"
    if "setting" in changes:
        return "a setting that switches nothing but a zeroing: somebody's choice"
    if "for opt in" in text and re.search(r"opts\[|net_\d\.zero_grad", text):
        return "a loop over a list, and one of it by itself: which one the loop has is not followed"
    if f"{HELPERS}.py" in sample.files and ".backward(" not in sample.files[MAIN]:
        return "the other module is given a loss and no optimizer: it is not read for that"
    if len(re.findall(r"\badvance\(", text)) > 2:
        return "one line steps several optimizers, of which not all are wrong"
    if "double" in changes:
        return _DOUBLED
    return _reason_in_windows(text, changes)


def _reason_in_windows(text: str, changes: Set[str]) -> str:
    if "make_optimizer(" in text:
        return "a factory makes the optimizers: what each of them owns is not known"
    if "for opt in" in text:
        return "a loop over a list is a loop of its own: windows are compared within one loop"
    if "unguard" in changes and "args.accum" in text:
        return "the length of the window is a setting, and may be 1: then it is right"
    if "opts[" in text and re.search(r"net_\d\.zero_grad", text):
        return "an optimizer made in a list: clearing a network may clear what it owns"
    if changes & {"move", "guard"}:
        return "open: parts of a window in another order, beside other optimizers or in a helper"
    return UNEXPLAINED


def _counted(test: str) -> str:
    """`(i + 1) % args.accum == 0` and `i % self.args.accum == …` count to one number."""
    return re.sub(r".*%\s*(?:self\.)?([\w.]+).*", r"\1", test)
