"""Checks of a training step of one's own, for its tests."""
