"""Checking: the gate, one file from bytes to result, and a whole run."""
