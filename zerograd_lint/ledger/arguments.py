"""The arguments of findings: answers to the questions that a rule asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from ..argument import Answer, Argument, Question, Verdict, holds, not_known, yes
from ..events.event import Consume, Deposit, Event, Uncalled, Zero, scaler_of
from ..program import ANY_ELEMENT
from ..vocabulary.evidence import says_another_role
from ..vocabulary.things import Thing
from .account import Account
from .analysis import Analysis
from .file_facts import Identify
from .questions import Line, callers, reached, repeated, uncleared
from .reach import Reach


class Arguments:
    """Puts together the arguments of one file's findings."""

    def __init__(self, analysis: Analysis, identify: Identify, line: Line) -> None:
        self._analysis = analysis
        self._identify = identify
        self._line = line

    def of(self, asks: Sequence[Question], events: Sequence[Event]) -> Argument:
        """The argument for a report about these events, the first of which it stands on.

        Where several entry points lead there, one whose answers are all yes is enough.
        """
        if isinstance(events[0], Uncalled):
            return (yes(Question.NAMED, "a method that is not called does nothing"),)
        step = next((event for event in events if isinstance(event, Consume)), events[0])
        found = [self.about(account, step, asks) for account in self.accounts(step)]
        own = next(filter(holds, found), found[0] if found else _of_buffers(step))
        return own + self._scalers(events) if Question.SCALER in asks else own

    def accounts(self, event: Event) -> list[Account]:
        """The accounts in which an event plays a part."""
        analyses = (self._analysis, *self._analysis.configured)
        found = (account for a in analyses for account in (*a.accounts, *a.parts))
        return [account for account in found if _concerns(event, account)]

    def about(self, account: Account, event: Event, asks: Iterable[Question]) -> Argument:
        """The answers for one owner, at one event."""
        answers: list[Answer] = []
        for question in asks:
            match question:
                case Question.OPTIMIZER:
                    answers.append(self._optimizer(account))
                case Question.WIPES:
                    answers.append(self._wipes(account))
                case Question.REACHED:
                    answers.append(reached(account, self._line))
                case _ if isinstance(event, Consume):
                    answers += self._way_round(question, account, event)
        return tuple(answers)

    def _optimizer(self, account: Account) -> Answer:
        owner = account.owner
        if owner.thing is Thing.MODULE:
            return yes(Question.OPTIMIZER, f"'{owner.ref}' is updated by hand")
        if owner.thing is not Thing.OPTIMIZER:
            return self._identify(owner.ref, Thing.TENSOR)
        clearing = (zero for zero, far in account.clearing.zeros.items() if far is not Reach.NONE)
        spelt = {event.spelling for event in (*account.arrivals, *clearing)}
        chosen = sorted(name for name in spelt if name.endswith("]"))
        if ANY_ELEMENT in owner.ref.path and len(chosen) > 1:
            reason = f"'{chosen[0]}' and '{chosen[1]}' may be one, or two"
            return not_known(Question.OPTIMIZER, reason)
        # A step knows its optimizer by another name: `self.opt`, which its class has set.
        names = dict.fromkeys(step.subject for step in account.arrivals if step.subject)
        # Of several, a setting of the run may choose just the one that is not known.
        always = account not in (*self._analysis.accounts, *self._analysis.parts)
        answers = [
            self._identify(name, Thing.OPTIMIZER, always=always) for name in (*names, owner.ref)
        ]
        return next((answer for answer in answers if not answer), answers[0])

    def _wipes(self, account: Account) -> Answer:
        """Whoever made it: what one object clears and applies is one and the same."""
        answer = self._optimizer(account)
        own = {zero.subject for zero in account.clearing.zeros if not zero.by_hand}
        spelt = {step.spelling for step in account.arrivals if step.subject in own}
        if answer.verdict is Verdict.NOT_KNOWN and spelt - {""}:
            name = min(spelt)
            if not says_another_role(name):
                return yes(Question.WIPES, f"'{name}' has both a zero_grad() and a step()")
        return Answer(Question.WIPES, answer.verdict, answer.reason)

    def _way_round(self, question: Question, account: Account, step: Consume) -> Argument:
        match question:
            case Question.REPEATED:
                return (repeated(account, step),)
            case Question.CALLERS:
                return (callers(account, step),)
            case Question.UNCLEARED:
                return (uncleared(account, step, self._line),)
        return ()

    def _scalers(self, events: Iterable[Event]) -> Argument:
        """The answers for the loss scalers that events go through."""
        scalers = {scaler_of(event) for event in events} - {None}
        # The methods of a stand-in for it are entered where they are in view.
        identify = partial(self._identify, thing=Thing.SCALER, always=True)
        return tuple(identify(ref) for ref in sorted(filter(None, scalers)))


def _of_buffers(event: Event) -> Argument:
    """The argument where no step plays a part."""
    reason = f"it is about the gradients of '{event.spelling}', whatever applies them"
    return (yes(Question.OPTIMIZER, reason),)


def _concerns(event: Event, account: Account) -> bool:
    match event:
        case Consume():
            return event in account.arrivals
        case Deposit():
            return event in account.deposits
        case Zero():
            return account.clearing.zeros.get(event, Reach.NONE) is Reach.ALL
    return event.subject is not None and event.subject == account.owner.ref
