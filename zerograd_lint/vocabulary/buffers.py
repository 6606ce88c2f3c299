"""Gradients touched by hand: the attributes that hold them, and what tensor methods do to them."""

from __future__ import annotations

GRADIENT_ATTRIBUTES = frozenset({"grad", "_grad"})
"""The attributes of a tensor that hold its gradient."""
SAME_GRADIENT = frozenset(
    "data detach detach_ requires_grad_ view view_as reshape flatten ravel squeeze unsqueeze "
    "t T transpose permute numpy storage untyped_storage".split()
)
"""Attributes and methods of a gradient that share its memory: `w.grad.data`."""

CLEARS = frozenset({"zero_"})
"""Methods of a gradient that clear it: `w.grad.zero_()`."""
CLEARS_IF_ZERO = frozenset({"fill", "fill_", "copy_", "mul_", "multiply_", "constant_"})
"""Methods of a gradient that clear it when they are given a zero: `w.grad.fill_(0)`."""
CLEARS_ARGUMENT = frozenset({"zeros_"})
"""Functions that clear the gradient they are given: `nn.init.zeros_(w.grad)`."""
CLAMPS = frozenset({"clamp_", "clip_"})
"""Methods of a gradient that keep it between two bounds; between two zeros nothing is left."""
OVERWRITES = frozenset({"fill_", "copy_", "set_"})
"""Methods of a gradient that put another one in its place: `w.grad.copy_(g)`."""
ADDS = frozenset({"add_"})
"""Methods of a gradient that add another one to it: `w.grad.add_(g)`."""
SUBTRACTS = frozenset({"sub_", "subtract_"})
"""Methods of a gradient that take another one from it; its own leaves nothing of it."""
CHANGES_BUFFER = CLEARS | CLEARS_IF_ZERO | CLEARS_ARGUMENT | CLAMPS | OVERWRITES | SUBTRACTS
"""All calls that may clear or overwrite a gradient."""
KEEPS_BUFFER = frozenset(
    "add_ addcdiv_ addcmul_ clamp_ clamp_max_ clamp_min_ clip_ copysign_ div_ divide_ index_fill_ "
    "masked_fill_ mul_ nan_to_num_ neg_ pow_ rsqrt_ sign_ sqrt_ sub_ subtract_ true_divide_".split()
)
"""Methods that change a gradient, and leave what was in it, or a part of that, in it."""

MEASURES = frozenset(
    "norm vector_norm abs max min amax amin mean sum std var item square pow "
    "clamp clamp_ clip clip_".split()
)
"""Methods and functions of a gradient that depend on how large it is: `w.grad.norm()`."""

UPDATES = frozenset({"sub_", "add_", "copy_", "mul_", "addcdiv_", "addcmul_", "lerp_", "set_"})
"""Methods that change a tensor in place; given its own gradient, they apply it."""
ZERO_FACTORIES = frozenset({"zeros_like", "zeros", "new_zeros"})
"""Functions and methods that give a tensor of zeros."""
FILLED_FACTORIES = frozenset({"full_like", "full", "new_full", "tensor"})
"""Functions and methods that give a tensor of the number they are given last by position."""
COPIES = frozenset({"clone"})
"""Methods of a tensor that give another one with the same content."""
GATHERS = "append"
"""The method of a list by which gradients are gathered, one by one."""
