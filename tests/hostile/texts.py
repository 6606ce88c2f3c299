"""Texts no person would write, made from one number: how long, how deep or how many."""

from __future__ import annotations

from collections.abc import Callable

BUG = """\
import torch

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(8, 4, 2):
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
"""
"""An ordinary bug, in front of each of them."""

Text = Callable[[int], str]

TEXTS: dict[str, Text] = {
    # brackets in brackets
    "parentheses": lambda n: "x = " + "(" * n + "1" + ")" * n,
    "lists": lambda n: "x = " + "[" * n + "]" * n,
    "dicts": lambda n: "x = " + "{1: " * n + "1" + "}" * n,
    "calls in calls": lambda n: "x = " + "f(" * n + "1" + ")" * n,
    "subscripts in subscripts": lambda n: "x = " + "a[" * n + "1" + "]" * n,
    "never closed": lambda n: "x = " + "(" * n,
    "never opened": lambda n: "x = " + ")" * n,
    "assignment expressions": lambda n: "x = " + "(a := " * n + "1" + ")" * n,
    "patterns in patterns": lambda n: f"match x:\n    case {'[' * n}y{']' * n}:\n        pass",
    "mappings in patterns": lambda n: f"match x:\n    case {'{1: ' * n}y{'}' * n}:\n        pass",
    "annotations": lambda n: "x: " + "a[" * n + "b" + "]" * n + " = 1",
    # chains
    "sum": lambda n: "x = " + " + ".join(["a"] * n),
    "sum over lines": lambda n: "x = (" + " +\n".join(["a"] * n) + ")",
    "sum over continued lines": lambda n: "x = 1" + " + \\\n    1" * n,
    "powers": lambda n: "x = " + " ** ".join(["a"] * n),
    "and": lambda n: "x = " + " and ".join(["a"] * n),
    "or over lines": lambda n: "x = (" + "\n    or ".join(["a"] * n) + ")",
    "comparisons": lambda n: "x = " + " < ".join(["a"] * n),
    "attributes": lambda n: "x = a" + ".a" * n,
    "calls of calls": lambda n: "x = a" + "()" * n,
    "methods": lambda n: "x = a" + ".f()" * n,
    "subscripts": lambda n: "x = a" + "[0]" * n,
    "not": lambda n: "x = " + "not " * n + "a",
    "minus": lambda n: "x = " + "-" * n + "a",
    "lambdas": lambda n: "x = " + "lambda: " * n + "1",
    "conditional expressions": lambda n: "x = " + "a if b else " * n + "a",
    "strings side by side": lambda n: "x = (" + "\n".join(['"a"'] * n) + ")",
    "comprehension loops": lambda n: "x = [a " + "for a in b " * n + "]",
    "comprehension tests": lambda n: "x = [a for a in b " + "if a " * n + "]",
    "targets": lambda n: "x = " * n + "1",
    # statements
    "elif": lambda n: "if a:\n    f()\n" + "elif a:\n    f()\n" * n,
    "except": lambda n: "try:\n    f()\n" + "except a:\n    f()\n" * n,
    "statements on a line": lambda n: "x = 1;" * n,
    "lines": lambda n: "x = 1\n" * n,
    "empty lines": lambda n: "\n" * n + "x = 1",
    "indentation": lambda n: _stairs(min(n, 1000)),
    "decorators": lambda n: "@a\n" * n + "def f():\n    pass",
    "with items": lambda n: "with " + ", ".join(["a"] * n) + ":\n    pass",
    # wide
    "list on a line": lambda n: "x = [" + "1, " * n + "]",
    "list over lines": lambda n: "x = [" + "1,\n" * n + "]",
    "dict over lines": lambda n: "x = {" + '1: "abc",\n' * n + "}",
    "arguments": lambda n: "f(" + "a=1, " * n + ")",
    "unpacked arguments": lambda n: "f(" + "*a, " * n + ")",
    "slices": lambda n: "x[" + "a:b, " * n + "]",
    "f-string": lambda n: 'x = f"' + "{a}" * n + '"',
    "never closed f-string": lambda n: 'x = f"' + "{" * n,
    "string": lambda n: 'x = "' + "a" * n + '"',
    "string over lines": lambda n: 'x = """' + "a\n" * n + '"""',
    "comment": lambda n: "#" + "a" * n,
    "spaces": lambda n: "x =" + " " * n + "1",
    "a long name": lambda n: "a" * n + " = 1",
    "a long number": lambda n: "x = " + "9" * n,
}

ODDITIES: dict[str, str] = {
    "null byte": BUG + "\0",
    "lone surrogate": BUG + "x = '\ud800'\n",
    "byte order mark": "\ufeff" + BUG,
    "carriage returns": BUG.replace("\n", "\r"),
    "mixed line ends": BUG.replace("\n", "\r\n", 3),
    "form feeds": BUG.replace("\n\n", "\n\f\n"),
    "separators Python does not know": BUG + "x = '\u2028\u2029\x85\x1c\x0b'\n",
    "tabs": BUG.replace("    ", "\t"),
    "tabs and spaces": BUG + "if x:\n\ty = 1\n        z = 1\n",
    "Python 2": BUG + "print 'x'\n",
    "Python 2 except": BUG + "try:\n    pass\nexcept A, e:\n    pass\n",
    "newer than some interpreters": BUG + "type X[T: int = str] = list[T]\nx = t'{x}'\n",
    "no newline at the end": BUG + "x = 1",
    "backslash at the end": BUG + "x = 1 \\",
    "unfinished string": BUG + "x = '''abc",
    "unfinished block": BUG + "if x:",
    "dedent to nowhere": BUG + "if x:\n        y\n    z\n",
    "empty tuple in a test": BUG + "if x == ():\n    optimizer.zero_grad()\n",
    "only words": "torch backward( .step( zero_grad",
    "unusual letters": BUG.replace("net", "наша_сеть").replace("loss", "損失"),
}


def _stairs(depth: int) -> str:
    return "".join(" " * level + "if a:\n" for level in range(depth)) + " " * depth + "pass"


def in_a_function(text: str) -> str:
    """The same inside a function that cannot be left out."""
    lines = "\n".join("    " + line for line in text.split("\n"))
    return f"def helper(optimizer):\n    optimizer.zero_grad()\n{lines}\n"
