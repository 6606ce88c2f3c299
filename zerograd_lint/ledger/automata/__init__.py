"""The automata that follow one owner's gradients along every path.

Each is a `Machine` of `flow/machine.py`, where the methods they share are described.
"""
