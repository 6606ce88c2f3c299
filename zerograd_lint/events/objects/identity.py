"""Is an object surely what it is taken for: torch's optimizer, torch's loss scaler?

What is made in view by code that is not read is not known, whatever it is called. A name counts
only for what comes from outside the view; and it may always take a yes away.
"""

from __future__ import annotations

from ...argument import Answer, Question, Verdict, not_known, yes
from ...program import ANY_ELEMENT, Ref
from ...vocabulary import evidence
from ...vocabulary.things import Thing
from ..scopes.scope import Value
from .alternatives import generations, is_sure
from .classes import Classes
from .collections import is_empty
from .constructors import Constructors, Made
from .given import Given
from .inventory import Inventory

_QUESTIONS = {Thing.OPTIMIZER: Question.OPTIMIZER, Thing.SCALER: Question.SCALER}
_MAX_DEPTH = 8


class Identity:
    """Answers for the objects of one file."""

    def __init__(
        self, classes: Classes, inventory: Inventory, constructors: Constructors, given: Given
    ) -> None:
        self._classes = classes
        self._inventory = inventory
        self._constructors = constructors
        self._given = given
        self._known: dict[tuple[Ref, Thing, bool], Answer] = {}
        self._pending: set[tuple[Ref, Thing, bool]] = set()
        self._met_again: set[tuple[Ref, Thing, bool]] = set()
        """Those of the pending ones that an answer on the way did without."""

    def of(self, ref: Ref, thing: Thing, *, always: bool = False) -> Answer:
        """Whether an object surely is an optimizer, a loss scaler, or a tensor of torch's.

        Of alternatives that the settings of a run choose between, one is enough; with `always` it
        has to be each.
        """
        if thing is Thing.TENSOR:
            return self._tensor(ref)
        answer = self._followed(ref, thing, always, 0)
        return answer if answer is not None else self._outside(ref, thing)

    def _tensor(self, ref: Ref) -> Answer:
        """A tensor that is updated by hand takes the place of an optimizer."""
        for value in self._inventory.assigned.get(ref, ()):
            maker = self._constructors.foreign(value)
            if maker is not None:
                return not_known(Question.OPTIMIZER, f"{maker} makes '{ref}', and is not torch's")
        return yes(Question.OPTIMIZER, f"'{ref}' is updated by hand")

    def _followed(self, ref: Ref, thing: Thing, always: bool, depth: int) -> Answer | None:
        """The answer; None for a name on the way round to itself, which says nothing new."""
        key = (ref, thing, always)
        known = self._known.get(key)
        if known is not None:
            return known
        if key in self._pending:
            self._met_again.add(key)
            from_outside = self._given.is_parameter(ref) and not self._given.to(ref)
            return self._outside(ref, thing) if from_outside else None
        self._pending.add(key)
        known = self._answer(ref, thing, always, depth)
        self._pending.discard(key)
        self._met_again.discard(key)
        if not self._met_again:  # else it lacks what one of those may be
            self._known[key] = known
        return known

    def _answer(self, ref: Ref, thing: Thing, always: bool, depth: int) -> Answer:
        question = _QUESTIONS[thing]
        if depth > _MAX_DEPTH:
            return not_known(question, f"'{ref}' is made in too many steps")
        annotated = self._annotated(ref, thing)
        if annotated is not None and annotated.verdict is Verdict.YES:
            return annotated
        given = self._given.to(ref)
        assigned = self._inventory.assigned.get(ref, [])
        if not assigned and not given and ref.path:
            whole = self._as_attribute(ref)
            if whole is None and ref.path[-1].startswith("["):
                whole = self._collection(ref)
            if whole is not None:
                followed = self._followed(whole, thing, always, depth + 1)
                return followed if followed is not None else self._outside(ref, thing)
        surest = _least if always else _most
        answers: list[Answer | None] = []
        element = ref.child(ANY_ELEMENT)
        if element in self._inventory.assigned:
            # `optimizers = []` says nothing; what is put into it does.
            assigned = [value for value in assigned if not is_empty(value.expression)]
            answers.append(self._followed(element, thing, always, depth + 1))
        for alternatives in (given, *generations(assigned)):
            made = [
                self._made(parts, ref, thing, always, depth)
                for value in alternatives
                for parts in self._constructors.makes(value, thing)
            ]
            known = [answer for answer in made if answer is not None]
            if alternatives is not given and self._may_be_given(ref, alternatives, given):
                known.append(self._outside(ref, thing))
            if known:
                answers.append(surest(known))
        found = [answer for answer in answers if answer is not None]
        return _least(found) if found else self._outside(ref, thing)

    def _may_be_given(self, ref: Ref, assigned: list[Value], given: list[Value]) -> bool:
        """A parameter that is assigned on some ways only: `if opt is None: opt = SGD(…)`."""
        return not given and self._given.is_parameter(ref) and not is_sure(assigned)

    def _made(
        self, parts: tuple[Made, ...], ref: Ref, thing: Thing, always: bool, depth: int
    ) -> Answer | None:
        """The answer for a value that consists of parts; None if it says nothing new."""
        answers = [
            self._followed(part, thing, always, depth + 1)
            if isinstance(part, Ref)
            else Answer(_QUESTIONS[thing], *part)
            for part in parts
            if part != ref
        ]
        found = [answer for answer in answers if answer is not None]
        return _least(found) if found else None

    def _as_attribute(self, ref: Ref) -> Ref | None:
        """`trainer.optimizer` as the class of the trainer knows it: `self.optimizer`."""
        unnamed = self._classes.of_unnamed(ref)
        if unnamed is not None:
            return Ref(*unnamed.instance[:2], ref.path)
        for value in self._inventory.assigned.get(ref.root, ()):
            owner = self._classes.class_of(value.expression, value.scope)
            if owner is not None:
                return Ref(*owner.instance[:2], ref.path)
        return None

    def _collection(self, ref: Ref) -> Ref:
        """What is put into the collection that an element is of, or else the collection itself."""
        collection = Ref(ref.scope, ref.name, ref.path[:-1])
        any_element = collection.child(ANY_ELEMENT)
        return any_element if any_element in self._inventory.assigned else collection

    def _annotated(self, ref: Ref, thing: Thing) -> Answer | None:
        annotation = self._inventory.annotated.values.get(ref)
        known = annotation and self._constructors.annotated(annotation, thing)
        return Answer(_QUESTIONS[thing], *known) if known else None

    def _outside(self, ref: Ref, thing: Thing) -> Answer:
        """What the name and the use of an object say that nothing in view makes."""
        question = _QUESTIONS[thing]
        annotated = self._annotated(ref, thing)
        if annotated is not None:
            return annotated
        if evidence.says_another_role(str(ref)):
            return not_known(question, f"the name '{ref}' says another role")
        if self._inventory.thing(ref) is thing:
            return yes(question, f"'{ref}' comes from outside, named and used as one")
        return not_known(question, f"nothing in view makes '{ref}'")


def _certainty(answer: Answer) -> int:
    return [Verdict.NOT_KNOWN, Verdict.NO, Verdict.YES].index(answer.verdict)


def _least(answers: list[Answer]) -> Answer:
    return min(answers, key=_certainty)


def _most(answers: list[Answer]) -> Answer:
    return max(answers, key=_certainty)
