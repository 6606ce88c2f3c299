"""Callbacks that audit the training of a framework's own loop; each file needs its framework."""
