"""Methods of tensors, of Python's own objects and of loggers, in which no backward runs.

And functions of Python's own, by whether they run what they are given.
"""

from __future__ import annotations

_TENSOR = (
    "abs add all amax amin any arange argmax argmin argsort bernoulli bmm bool ceil chunk "
    "clamp clamp_max clamp_min clip clone contiguous cos count_nonzero cpu cuda cumsum detach "
    "diag dim div dot double element_size eq exp expand expand_as fill_diagonal_ flatten flip "
    "float floor gather ge get_device gt half index_select int item le log log_softmax "
    "logsumexp long lt masked_fill masked_select matmul max mean median min mm mul mv narrow "
    "ndimension ne neg nelement nonzero norm numel numpy permute pow prod reciprocal "
    "register_hook relu repeat repeat_interleave requires_grad_ reshape retain_grad roll "
    "round rsqrt scatter scatter_add select sigmoid sign sin size softmax sort split sqrt "
    "square squeeze std stride sub sum t take tan tanh tile to tolist topk transpose tril "
    "triu type type_as unbind unfold unique unsqueeze var view view_as where"
)
_PYTHON = (
    "append extend insert pop popleft items keys values get setdefault index count remove "
    "discard union format join strip lower upper startswith endswith replace encode decode "
    "rstrip lstrip mkdir exists read write close flush"
)
_LOGGING = (
    "info debug warning error exception critical add_scalar add_scalars set_postfix set_description"
)
PLAIN_METHODS = frozenset(f"{_TENSOR} {_PYTHON} {_LOGGING}".split())
"""Names of methods that, whatever they are called on, compute a value or write one down."""
PLAIN_FUNCTIONS = frozenset(
    "abs all any bool dict divmod enumerate float format frozenset getattr hasattr hash id int "
    "isinstance issubclass iter len list next open print range repr reversed round set setattr "
    "str sum super tuple type vars zip".split()
)
"""Functions of Python that run nothing that they are given."""
RUNS_FUNCTIONS = frozenset({"functools", "itertools", "concurrent", "threading", "multiprocessing"})
"""Modules of Python whose functions run what they are given."""
