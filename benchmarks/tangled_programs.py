"""Training programs made from one number: how many functions, tests, loops, and who calls whom."""

from __future__ import annotations

import random
from collections.abc import Callable

HEAD = """\
import torch

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""


def ifs(n: int) -> str:
    tests = "".join(
        f"    if a{k}:\n        optimizer.zero_grad()\n    if a{k} and b{k % 7}:\n        f(x)\n"
        for k in range(n)
    )
    return f"{HEAD}for x in data:\n{tests}    net(x).mean().backward()\n    optimizer.step()\n"


def chain(n: int) -> str:
    calls = "".join(
        f"def f{k}(x):\n    f{k + 1}(x)\n    if x:\n        optimizer.zero_grad()\n\n"
        for k in range(n)
    )
    end = f"def f{n}(x):\n    net(x).mean().backward()\n    optimizer.step()\n\n"
    return f"{HEAD}\n{calls}{end}for x in data:\n    f0(x)\n"


def diamonds(n: int) -> str:
    """Every function calls the next one twice: 2 ** n ways to the end."""
    calls = "".join(
        f"def f{k}(x):\n    if a{k}:\n        f{k + 1}(x)\n    f{k + 1}(x)\n\n" for k in range(n)
    )
    end = f"def f{n}(x):\n    net(x).mean().backward()\n    optimizer.step()\n\n"
    return f"{HEAD}\n{calls}{end}for x in data:\n    f0(x)\n"


def mutual(n: int) -> str:
    """Every function calls some of all the others."""
    return HEAD + "".join(
        f"\ndef f{k}(x):\n    net(x).mean().backward()\n    optimizer.step()\n"
        f"    f{(k * 7 + 1) % n}(x)\n    f{(k * 3 + 2) % n}(x)\n"
        for k in range(n)
    )


def functions(n: int) -> str:
    return "import torch\n" + "".join(
        f"\ndef train{k}(net, data):\n    opt = torch.optim.SGD(net.parameters(), lr=1.0)\n"
        "    for x in data:\n        net(x).mean().backward()\n        opt.step()\n"
        for k in range(n)
    )


def own_networks(n: int) -> str:
    """Every function trains a network of its own, and sets a variable of the module."""
    variables = "".join(f"seen{k} = verbose{k} = 0\n" for k in range(n))
    return f"import torch\n{variables}" + "".join(
        f"\ndef train{k}(data):\n    global seen{k}\n    net = torch.nn.Linear(2, 1)\n"
        "    opt = torch.optim.SGD(net.parameters(), lr=1.0)\n"
        f"    for x in data:\n        seen{k} = x\n        if verbose{k}:\n"
        "            opt.zero_grad()\n        net(x).mean().backward()\n        opt.step()\n"
        for k in range(n)
    )


def graph(callees: Callable[[int], list[int]], n: int) -> str:
    """Functions that train and call each other; a loop calls one in three, and any left over.

    So it repeats them all: a function that no loop in view repeats may be cleared by its caller.
    """
    called = [callees(k) for k in range(n)]
    functions = "".join(
        f"\ndef f{k}(x):\n    net(x).mean().backward()\n    optimizer.step()\n"
        + "".join(f"    f{callee}(x)\n" for callee in called[k])
        for k in range(n)
    )
    inner = {callee for each in called for callee in each}
    calls = "".join(f"    f{k}(x)\n" for k in range(n) if k % 3 == 0 or k not in inner)
    return f"{HEAD}{functions}\nfor x in data:\n{calls}"


def ring(n: int) -> str:
    return graph(lambda k: [(k + 1) % n], n)


def crowd(n: int) -> str:
    """Everybody calls five others."""
    chance = random.Random(n)
    return graph(lambda k: [chance.randrange(n) for _ in range(5)], n)


def cascade(n: int) -> str:
    """Everybody calls five of those after it: no recursion, and more ways than can be counted."""
    chance = random.Random(n)
    return graph(lambda k: [chance.randrange(k + 1, n) for _ in range(5)] if k + 1 < n else [], n)


def methods(n: int) -> str:
    made = "        self.net, self.optimizer = net, torch.optim.SGD(net.parameters(), lr=1.0)\n"
    return f"import torch\n\nclass Trainer:\n    def __init__(self, net):\n{made}" + "".join(
        f"\n    def f{k}(self, x):\n        self.net(x).mean().backward()\n"
        f"        self.optimizer.step()\n        self.f{(k * 7 + 1) % n}(x)\n"
        for k in range(n)
    )


def loops(n: int) -> str:
    text, indent = HEAD, ""
    for k in range(n):
        text += f"{indent}for x{k} in data:\n"
        indent += " "
    return f"{text}{indent}net(x0).mean().backward()\n{indent}optimizer.step()\n"


def lines(n: int) -> str:
    body = "    x = f(x, 1)\n    if x:\n        g(x)\n" * n
    return f"{HEAD}for x in data:\n{body}    net(x).mean().backward()\n    optimizer.step()\n"


def tries(n: int) -> str:
    body = "".join(
        f"    try:\n        f{k}(x)\n    except E{k}:\n        optimizer.zero_grad()\n"
        for k in range(n)
    )
    return f"{HEAD}for x in data:\n{body}    net(x).mean().backward()\n    optimizer.step()\n"
