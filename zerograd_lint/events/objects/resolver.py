"""Everything that can be asked about the names and objects of one file."""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from ...config.settings import Settings
from ...program import Ref
from ..scopes.scope import FileIndex, Scope
from .aliases import Aliases
from .callables import Callables
from .classes import Classes
from .constructors import Constructors
from .coverage import Coverage
from .freezing import Freezing
from .gathered import Gathered
from .getters import Getters
from .given import Given
from .gradient_names import GradientNames
from .handed_on import HandedOn
from .identity import Identity
from .inventory import Inventory
from .known_calls import KnownCalls
from .losses import frozen_modules, modules_called
from .made_apart import MadeApart
from .makers import Makers
from .members import Members
from .parameters import Parameters
from .privacy import Privacy
from .provenance import Provenance
from .resolve import Objects
from .run_per_batch import RunPerBatch
from .scalers_on import ScalersOn


class Resolver:
    """The parts that answer, made once per file and read by all of the lowering."""

    def __init__(self, index: FileIndex, settings: Settings) -> None:
        self.index = index
        self.classes = Classes(index)
        self.objects = Objects(index, Getters(self.classes))
        self.makers = Makers(self.classes, frozenset(settings.self_zeroing_classes))
        self.known_calls = KnownCalls(self.classes)
        self.given = given = Given(index, self.classes)
        for definition in index.definitions:
            definition.scope.arguments = given.to
        gathered = Gathered(index)
        self.inventory = Inventory(
            index, self.objects, self.makers, self.known_calls, given, gathered
        )
        self.parameters = Parameters(self.objects, self.inventory.thing, gathered)
        self.coverage = Coverage(
            index, self.classes, self.inventory, self.objects, self.makers, self.parameters
        )
        self.freezing = Freezing(self.inventory)
        self.provenance = Provenance(index, self.objects, self.inventory, self.makers, gathered)
        callables = Callables(index, self.objects, self.classes, self.makers, self.inventory, given)
        constructors = Constructors(self.objects, self.classes, callables)
        self.identity = Identity(self.classes, self.inventory, constructors, given)
        self.privacy = Privacy(index, self.classes, self.known_calls)
        self.run_per_batch = RunPerBatch(index, self.classes)
        members = Members(index, self.objects, self.inventory, self.makers)
        self.aliases = Aliases(index, self.classes, self.inventory, members)
        self.made_apart = MadeApart(index, self.objects, self.inventory, self.makers, self.aliases)
        self.scalers_on = ScalersOn(self.inventory.assigned)
        self.gradient_names = GradientNames(index, self.objects)
        self.handed_on = HandedOn(index, self.objects, self.inventory, given)

    def take_apart(self) -> None:
        """Undo what its parts hold of each other; nothing can be asked of it after that."""
        self.index.take_apart()
        parts = [part for part in vars(self).values() if hasattr(part, "__dict__")]
        for part in (*parts, self):
            vars(part).clear()

    def sources(self, loss: cst.CSTNode, scope: Scope) -> frozenset[Ref]:
        """The modules a loss was computed with, where nothing detaches or freezes them."""
        return frozenset(modules_called(loss, scope, self.objects) - self._frozen)

    @cached_property
    def _frozen(self) -> set[Ref]:
        return frozen_modules(self.index, self.objects)
