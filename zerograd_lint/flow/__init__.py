"""Abstract interpretation of a `program`: which states can reach which event, on which paths."""
