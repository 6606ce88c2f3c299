"""The frameworks whose code is checked, and what is special about some of them."""

from __future__ import annotations

from .libraries import Meaning, last_names_of, names_of

FRAMEWORKS = ("torch", "lightning", "accelerate")
"""A file that mentions none of these trains nothing with PyTorch."""
FOREIGN_METHODS = ("attach_grad",)
"""Methods of frameworks whose backward overwrites gradients instead of adding to them: MXNet."""

ACCUMULATING_CONTEXTS = last_names_of(Meaning.ACCUMULATES)
"""`with accelerator.accumulate(model):` lets steps and zeroings through once per window only."""
WINDOW_SETTINGS = frozenset({"gradient_accumulation_steps", "gradient_accumulation_plugin"})
"""What an accelerator is given to make a window longer than one micro-batch."""
UNSYNCHRONISED_CONTEXTS = last_names_of(Meaning.UNSYNCHRONISED)
"""`with model.no_sync():` keeps processes from exchanging the gradients of a backward."""
LOSS_CONTEXTS = last_names_of(Meaning.SCALES_LOSS)
"""`with amp.scale_loss(loss, optimizer) as scaled:` saves gradients when it is entered."""
ENGINE_FACTORIES = names_of(Meaning.ENGINE)
"""Functions that make an engine which runs backward and step, and zeroes by itself."""
KNOWN_BASES = ("torch.", "lightning.", "pytorch_lightning.", "unittest.", "abc.", "typing.")
"""Modules whose classes call the methods of a subclass as their documentation says, and no others
with a zeroing of their own around them."""
PLAIN_DECORATORS = (
    *("torch.", "functools.", "contextlib.", "typing.", "abc.", "dataclasses.", "numba."),
    *("pytest.", "unittest.", "staticmethod", "classmethod", "property", "override", "overload"),
)
"""Decorators, by how their qualified names begin, that run nothing around a function but itself."""
PROPERTIES = frozenset({"property", "cached_property", "getter", "setter", "deleter"})
"""Decorators, by the last part of their names, after which naming an attribute runs a function."""
RUN_BY_TORCH = frozenset({"forward"})
"""Methods of a network that calling it runs."""
MODULES_TAKEN_FOR_CLASSES = frozenset({"torch", "torch.nn", "torch.optim"})
"""Modules that annotations name where one of their classes is meant: `optimizer: torch.optim`."""
IMPORTING_CALLS = frozenset({"pytest.importorskip", "importlib.import_module"})
"""Calls that give back the module they name."""
TEST_PREFIX = "test"
"""How the names of functions begin that unittest and pytest call as tests."""
CALLED_PER_BATCH = {"training_step": names_of(Meaning.RUNS_STEPS)}
"""Methods that a trainer calls for every batch, with nothing in between, by the bases of which
that is known: other trainers clear after each call."""
CONFIGURES_OPTIMIZERS = "configure_optimizers"
"""The method of those bases that returns the optimizers which their `optimizers()` hands out."""
HANDED_OUT = "optimizers()"
"""How a reference says that: `self.optimizers()`."""
STEPPED_BEHIND = {"training_step": names_of(Meaning.STEPS_BEHIND)}
"""Methods behind which a trainer steps and clears, by the bases of which that is known."""
CALLS_PER_BATCH = names_of(Meaning.CALLS_PER_BATCH)
"""Classes that call the function they are made with for every batch, and clear nothing."""

KNOWN_BY_NAME = frozenset({"torch"})
"""Packages whose names say what they do: they are not read, not even where a project holds them."""
