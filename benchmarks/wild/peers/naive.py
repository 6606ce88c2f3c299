"""The rule everyone writes first: a loop with backward and step in it, and no zero_grad."""

from __future__ import annotations

import ast
from pathlib import Path


def alarms(files: list[Path]) -> set[tuple[str, int]]:
    """File and line of every loop the rule dislikes."""
    found: set[tuple[str, int]] = set()
    for path in files:
        tree = ast.parse(path.read_text("utf-8"))
        for loop in ast.walk(tree):
            if isinstance(loop, ast.For | ast.AsyncFor | ast.While):
                called = {
                    node.func.attr
                    for node in ast.walk(loop)
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                }
                if {"backward", "step"} <= called and "zero_grad" not in called:
                    found.add((path.name, loop.lineno))
    return found
