"""Which objects expressions stand for, and what those objects are."""
