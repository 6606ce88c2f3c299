"""Makes two runs of one program draw the same random numbers, also where it asks for new ones."""

from __future__ import annotations

import itertools
import random
from typing import Any

_FIRST = 1_000_003
"""Far from the small numbers that programs seed with themselves."""


def make_repeatable() -> None:
    """Seed what draws random numbers, and what would be seeded by the system; use one thread."""
    import numpy
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    numpy.random.seed(0)
    _replace_seeds_of_the_system(torch, numpy)


def _replace_seeds_of_the_system(torch: Any, numpy: Any) -> None:
    """Give out one seed after the other, in each run the same ones."""
    seeds = itertools.count(_FIRST)
    seed_random, seed_numpy = random.seed, numpy.random.seed

    def next_seed(*_: object) -> int:
        return next(seeds)

    def seed_torch() -> int:
        seed = next_seed()
        torch.manual_seed(seed)
        return seed

    def seeded_random(a: Any = None, version: int = 2) -> None:
        seed_random(next_seed() if a is None else a, version)

    def seeded_numpy(seed: Any = None) -> None:
        seed_numpy(next_seed() if seed is None else seed)

    torch.seed = torch.random.seed = seed_torch
    random.seed = seeded_random
    numpy.random.seed = seeded_numpy
    # What numpy seeds `default_rng()` and `RandomState()` with.
    if hasattr(numpy.random.bit_generator, "randbits"):
        numpy.random.bit_generator.randbits = next_seed
