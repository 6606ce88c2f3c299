"""What the names of PyTorch and its frameworks mean: data only, one place for all of it."""
