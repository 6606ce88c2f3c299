"""Following paths stays cheap, however a program is entangled, and grows with its size alone."""

from __future__ import annotations

import time

import pytest

from zerograd_lint import check_source

HEAD = """\
import torch

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""


def seconds(text: str) -> float:
    started = time.process_time()
    check_source(text)
    return time.process_time() - started


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


def loops(n: int) -> str:
    text, indent = HEAD, ""
    for k in range(n):
        text += f"{indent}for x{k} in data:\n"
        indent += " "
    return f"{text}{indent}net(x0).mean().backward()\n{indent}optimizer.step()\n"


def tries(n: int) -> str:
    body = "".join(
        f"    try:\n        f{k}(x)\n    except E{k}:\n        optimizer.zero_grad()\n"
        for k in range(n)
    )
    return f"{HEAD}for x in data:\n{body}    net(x).mean().backward()\n    optimizer.step()\n"


@pytest.mark.parametrize(
    ("shape", "size"),
    [(ifs, 300), (chain, 300), (diamonds, 60), (mutual, 400), (loops, 90), (tries, 150)],
)
def test_a_tangle_ends_soon(shape: object, size: int) -> None:
    assert callable(shape)
    assert seconds(shape(size)) < 12


def test_deep_call_chains_keep_their_finding() -> None:
    text = chain(20).replace("    if x:\n        optimizer.zero_grad()\n", "")
    assert [finding.code for finding in check_source(text)] == ["ZG001"]


def test_cost_grows_with_the_number_of_functions() -> None:
    check_source(functions(10))
    small, large = seconds(functions(100)), seconds(functions(400))
    assert len(check_source(functions(100))) == 100
    assert large < 4 * small * 2.5 + 0.5


def test_cost_grows_with_the_number_of_lines() -> None:
    body = "    x = f(x, 1)\n    if x:\n        g(x)\n"

    def text(n: int) -> str:
        return (
            f"{HEAD}for x in data:\n{body * n}    net(x).mean().backward()\n    optimizer.step()\n"
        )

    check_source(text(10))
    small, large = seconds(text(200)), seconds(text(800))
    assert large < 4 * small * 2.5 + 0.5
