"""Why something is reported or not: questions, each answered yes, no or not known, with a reason.

A rule reports nothing unless every answer is yes. What cannot be answered is never guessed.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Question(enum.Enum):
    """What the argument of a finding needs to know."""

    OPTIMIZER = "Is this an optimizer that does not clear by itself?"
    WIPES = "Does its zero_grad() clear what its step() applies?"
    SCALER = "Is this torch's loss scaler?"
    NAMED = "Does the statement only name the method?"
    REACHED = "Can a loss reach its parameters?"
    REPEATED = "Does the step come round again?"
    CALLERS = "Are all callers in view?"
    UNCLEARED = "Does nothing clear it in between?"


STEP_TO_STEP = (
    Question.OPTIMIZER,
    Question.REACHED,
    Question.REPEATED,
    Question.CALLERS,
    Question.UNCLEARED,
)
"""What must be known to say that a step applies what an earlier one has applied already."""


class Verdict(enum.Enum):
    """The three answers."""

    YES = "yes"
    NO = "no"
    NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question, and why."""

    question: Question
    verdict: Verdict
    reason: str

    def __bool__(self) -> bool:
        return self.verdict is Verdict.YES


Argument = tuple[Answer, ...]
"""The answers a finding rests on."""


def yes(question: Question, reason: str) -> Answer:
    """It is so."""
    return Answer(question, Verdict.YES, reason)


def no(question: Question, reason: str) -> Answer:
    """It is not so."""
    return Answer(question, Verdict.NO, reason)


def not_known(question: Question, reason: str) -> Answer:
    """It cannot be said."""
    return Answer(question, Verdict.NOT_KNOWN, reason)


def holds(argument: Argument) -> bool:
    """Whether an argument consists of yes."""
    return all(argument)
