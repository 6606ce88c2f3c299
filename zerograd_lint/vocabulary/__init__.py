"""What the names of PyTorch and its frameworks mean: data that gate, prefilter and events share.

It imports nothing of the package and no more of the standard library than `enum` and `re`: the
gate reads `calls`, `things`, `buffers` and `frameworks` at every start.
"""
