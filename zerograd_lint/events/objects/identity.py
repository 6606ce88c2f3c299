"""Is an object surely what it is taken for: torch's optimizer, torch's loss scaler?

What is made in view by code that is not read is not known, whatever it is called. A name counts
only for what comes from outside the view; and it may always take a yes away.
"""

from __future__ import annotations

from ...argument import Answer, Question, Verdict, not_known, yes
from ...program import Ref
from ...vocabulary import evidence
from ...vocabulary.things import Thing
from .classes import Classes
from .constructors import Constructors
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
        self._known: dict[tuple[Ref, Thing], Answer] = {}

    def of(self, ref: Ref, thing: Thing, depth: int = 0) -> Answer:
        """Whether an object surely is an optimizer, or a loss scaler."""
        known = self._known.get((ref, thing))
        if known is None:
            # A name defined by way of itself is not known on the way round.
            self._known[ref, thing] = not_known(_QUESTIONS[thing], f"'{ref}' goes round in circles")
            known = self._known[ref, thing] = self._answer(ref, thing, depth)
        return known

    def _answer(self, ref: Ref, thing: Thing, depth: int) -> Answer:
        question = _QUESTIONS[thing]
        if depth > _MAX_DEPTH:
            return not_known(question, f"'{ref}' is made in too many steps")
        if self._inventory.annotated.get(ref) is thing:
            return yes(question, f"'{ref}' is annotated as one")
        values = self._inventory.assigned.get(ref, []) + self._given.to(ref)
        if not values and ref.path:
            whole = self._as_attribute(ref)
            if whole is None and ref.path[-1].startswith("["):
                whole = Ref(ref.scope, ref.name, ref.path[:-1])
            if whole is not None:
                return self.of(whole, thing, depth + 1)
        made = [self._constructors.makes(value, thing) for value in values]
        answers = [
            self.of(part, thing, depth + 1) if isinstance(part, Ref) else Answer(question, *part)
            for parts in made
            for part in parts
            if part != ref
        ]
        return min(answers, key=_certainty) if answers else self._outside(ref, thing)

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

    def _outside(self, ref: Ref, thing: Thing) -> Answer:
        """What the name and the use of an object say that nothing in view makes."""
        question = _QUESTIONS[thing]
        if evidence.says_another_role(str(ref)):
            return not_known(question, f"the name '{ref}' says another role")
        if self._inventory.thing(ref) is thing:
            return yes(question, f"'{ref}' comes from outside, named and used as one")
        return not_known(question, f"nothing in view makes '{ref}'")


def _certainty(answer: Answer) -> int:
    return [Verdict.NOT_KNOWN, Verdict.NO, Verdict.YES].index(answer.verdict)
