"""Calls that say how many elements there are to loop over, by the last part of their names."""

from __future__ import annotations

AS_MANY = frozenset("tqdm enumerate list tuple iter reversed sorted set frozenset stack".split())
"""As many as what they are given has."""
FEWEST = frozenset({"zip", "map", "filter"})
"""As many as the shortest of what they are given, behind a function, has."""
SECOND_NUMBER = frozenset({"repeat", "chunk", "array_split", "tensor_split"})
"""As many as the number that they are given second."""
FIRST_SIZE = frozenset("randn rand zeros ones empty".split())
"""Tensors of as many rows as the first size they are given."""
LOADERS = frozenset({"DataLoader"})
"""What gives a data set in batches: all of it at once, if a batch is as large as the set."""
SAME_MEMBERS = frozenset({"values", "items", "keys"})
"""Methods of a table that give its members."""
NEW_FIRST_AXIS = frozenset({"unsqueeze"})
"""Methods of a tensor that, given 0, give one with a single row."""
IN_SO_MANY = frozenset({"chunk", "tensor_split", "view", "reshape"})
"""Methods of a tensor that give as many rows or parts as the number they are given first."""
