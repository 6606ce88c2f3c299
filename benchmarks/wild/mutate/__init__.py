"""Ten ways to break a training function that works, one per file, found by name."""

from __future__ import annotations

from . import (
    drop_all,
    drop_in_called_function,
    drop_in_closure,
    drop_none_guard,
    drop_one_of_several,
    drop_parentheses,
    every_micro_batch,
    hoist,
    move_between,
    zero_the_other,
)
from .mutant import Mutant, Operator

OPERATORS: dict[str, Operator] = {
    "drop every zeroing": drop_all.mutants,
    "move it between backward and step": move_between.mutants,
    "hoist it before the loop": hoist.mutants,
    "drop its parentheses": drop_parentheses.mutants,
    "remove the None guard": drop_none_guard.mutants,
    "drop one optimizer's among several": drop_one_of_several.mutants,
    "drop it in a closure": drop_in_closure.mutants,
    "drop it in a function a loop calls": drop_in_called_function.mutants,
    "run it every micro-batch": every_micro_batch.mutants,
    "swap two optimizers": zero_the_other.mutants,
}

__all__ = ["OPERATORS", "Mutant", "Operator"]
