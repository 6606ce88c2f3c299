"""What the constructor, the annotation or the name of an object says it is."""

from __future__ import annotations

import re
from functools import lru_cache

from .libraries import Meaning, last_names_of, names_of
from .name_set import NameSet
from .things import Thing

_PREFIXES = (
    "Fused Sparse Paged DeepSpeedCPU DeepspeedCPU CPU Distributed Riemannian Bert OpenAI "
    "Ada R N C Q"
).split()
"""What may stand before the name of an optimizer's class, any number of them."""
_FAMILIES = "Adam SGD RMSprop RMSProp Lion Ranger Sophia KFAC DAdapt".split()
"""Optimizers by how the names of their classes begin."""
_CLASSES = (
    "ASGD Adan Adagrad Adadelta Adafactor AdaBelief AdaBound Delta Grad LBFGS Rprop Lamb LAMB LARS "
    "Lars Lookahead Novograd NovoGrad MADGRAD MadGrad Muon NGD OSS Prodigy Shampoo SAM Yogi"
).split()
"""Optimizers by the whole names of their classes."""
_OPTIMIZER_CLASS = re.compile(
    rf"^(?:{'|'.join(_PREFIXES)})*(?:(?:{'|'.join(_FAMILIES)})\w*|{'|'.join(_CLASSES)})$"
)
_TORCH_OPTIMIZER = re.compile(r"torch\.optim\.[A-Z]\w*$")
_OPTIMIZER_FACTORY = NameSet(
    parts=("optimizer optimiser",), words=("optim optims",), ignore_case=True
)
_SCHEDULER = NameSet(parts=("sched warmup warm_up lr_",), ends=("lr",), ignore_case=True)
_WITHOUT_SCHEDULE = "ScheduleFree"
"""What optimizers are called that need no schedule."""
_MODULE_CLASS = re.compile(
    r"(?:^|\.)nn\.[A-Z]\w*$|^torchvision\.models\.|^torch\.optim\.swa_utils\.AveragedModel$"
)
_TENSOR_FACTORIES = frozenset(
    f"torch.{name}"
    for name in (
        "tensor as_tensor from_numpy autograd.Variable nn.Parameter nn.parameter.Parameter "
        "randn rand zeros ones empty full randint arange linspace eye normal "
        "zeros_like ones_like randn_like rand_like"
    ).split()
)
_MODULES = names_of(Meaning.MODULES)
_LAUNCHERS = last_names_of(Meaning.LAUNCHER)

_OPTIMIZER_NAME = re.compile(
    r"optimi[sz]er|(?:^|_)(?:optims?|opts?)(?=$|_|\d|(?-i:[A-Z]))"
    r"|(?-i:[a-z](?:Optim|Opt)(?=$|_|\d|[A-Z]))",
    re.IGNORECASE,
)
_WEAK_OPTIMIZER_NAME = re.compile(
    r"(?:^|_)(?:updater|solver|adamw?|sgd|rmsprop|lbfgs)(?=$|_|\d)", re.IGNORECASE
)
"""Names that count only where no unread constructor makes the object."""
_OPTIONS = re.compile(r"(?:^|_)opts?$", re.IGNORECASE)
"""Names that are short for an optimizer, or for options."""
_ASKED_OF_OPTIMIZERS = frozenset(
    "param_groups state defaults lr learning_rate closure scaler scheduler params".split()
)
"""What an optimizer, or a wrapper of one, may be asked for, apart from methods."""
_ABOUT_OPTIMIZERS = NameSet(
    parts=(
        "sched lr_ config cfg args state name step type class cls func count idx index num_ size",
        "option freq interval epoch path param group history loss time level hook factory builder",
        "result",
    ),
    ends=("_lr fn dir _str _kw",),
    starts=("n_",),
    ignore_case=True,
)
"""Names of settings, counters and factories: `optimizer_config` is no optimizer."""
_OTHER_ROLE = re.compile(r"(?:^|[_.])(?:ema|meta|swa|diff|shadow)(?=$|_|opt)", re.IGNORECASE)
_LIBRARIES: dict[Thing, tuple[str, ...]] = {
    Thing.OPTIMIZER: names_of(Meaning.OPTIMIZERS),
    Thing.SCALER: names_of(Meaning.SCALERS),
}
"""Modules whose classes are what their names say, and clear no gradients by themselves."""
_CLEARS_ITSELF = last_names_of(Meaning.CLEARS)
_PLAIN_TYPE = re.compile(
    r"(?:Literal\[[^\]]*\]|\b(?:str|bytes|int|float|bool|None|Optional|Union|typing)\b|[\s.,|\[\]'\"])+"
)
"""Annotations of what holds no object at all: `str | None`."""
_WORD = re.compile(r"\w+")
_BESIDE = frozenset({"None", "Optional", "Union", "typing"})
"""Words that stand beside a type."""
_SCALER_NAME = re.compile(r"(?:^|_)(?:grad_?)?scaler$", re.IGNORECASE)
_LAUNCHER_NAME = re.compile(r"(?:^|_)(?:accelerator|fabric)$", re.IGNORECASE)
_MOST_NAMES = 2_000
"""Names of which is remembered what they say: a file asks about few of them, again and again."""


def is_scheduler(name: str) -> bool:
    """Whether a name says that this is the schedule of a learning rate."""
    return name in _SCHEDULER


@lru_cache(_MOST_NAMES)
def by_class(full_name: str) -> Thing | None:
    """What calling this class or factory gives, judged by its full dotted name."""
    last = full_name.rpartition(".")[2]
    if ".lr_scheduler." in full_name or (last in _SCHEDULER and _WITHOUT_SCHEDULE not in last):
        return Thing.OTHER
    if last.endswith("GradScaler"):
        return Thing.SCALER
    if last in _LAUNCHERS:
        return Thing.LAUNCHER
    if _TORCH_OPTIMIZER.match(full_name) or _OPTIMIZER_CLASS.match(last):
        return Thing.OPTIMIZER
    if full_name in _TENSOR_FACTORIES:
        return Thing.TENSOR
    if _MODULE_CLASS.search(full_name) or full_name.startswith(_MODULES):
        return Thing.MODULE
    return Thing.OPTIMIZER if last in _OPTIMIZER_FACTORY else None


def by_library(full_name: str) -> Thing | None:
    """What a class or factory of a well-known library makes, by its qualified name."""
    found = by_class(full_name)
    if full_name.rpartition(".")[2] in _CLEARS_ITSELF:
        return None
    libraries = _LIBRARIES.get(found) if found is not None else None
    return found if libraries is not None and full_name.startswith(libraries) else None


def says_another_role(name: str) -> bool:
    """`ema_optimizer`: the name says that it is not stepped as optimizers are."""
    return _OTHER_ROLE.search(name) is not None


def abbreviates_options(name: str) -> bool:
    """Whether a name may be short for options as well: `opt`, `train_opts`."""
    return _OPTIONS.search(name) is not None


def is_asked_of_optimizers(attribute: str) -> bool:
    """Whether optimizers, or what holds some, have an attribute of this name."""
    said = attribute.startswith("_") or _OPTIMIZER_NAME.search(attribute)
    return attribute in _ASKED_OF_OPTIMIZERS or bool(said)


def by_annotation(text: str) -> Thing | None:
    """What an annotation says, by the words in it."""
    if "Scheduler" in text:
        return Thing.OTHER
    if "Optimizer" in text or _OPTIMIZER_CLASS.match(text.rpartition(".")[2]):
        return Thing.OPTIMIZER
    if "GradScaler" in text:
        return Thing.SCALER
    if re.search(r"\bAccelerator\b|\bFabric\b", text):
        return Thing.LAUNCHER
    if re.search(r"\bModule\b", text):
        return Thing.MODULE
    if re.search(r"\bTensor\b|\bParameter\b", text):
        return Thing.TENSOR
    return None


def is_plain_type(annotation: str) -> bool:
    """Whether an annotation says that this is a text, a number or a flag."""
    return _PLAIN_TYPE.fullmatch(annotation) is not None


def is_number_type(annotation: str) -> bool:
    """Whether an annotation says that this is a whole number, if it is anything."""
    return is_plain_type(annotation) and set(_WORD.findall(annotation)) - _BESIDE == {"int"}


def makes_by_name(name: str) -> Thing | None:
    """What a class or factory that comes from outside makes, by its name: `optimizer_class`."""
    return Thing.OPTIMIZER if _OPTIMIZER_NAME.search(name) else None


@lru_cache(_MOST_NAMES)
def by_name(name: str, *, made_elsewhere: bool = False) -> Thing | None:
    """What a bare name says, asked last: optimizers, loss scalers and launchers only.

    `made_elsewhere`: a call gives the object its value, and its name says nothing of optimizers.
    """
    if name not in _ABOUT_OPTIMIZERS:
        if _WEAK_OPTIMIZER_NAME.search(name) and not made_elsewhere:
            return Thing.OPTIMIZER
        if _OPTIMIZER_NAME.search(name):
            return Thing.OPTIMIZER
    if _SCALER_NAME.search(name):
        return Thing.SCALER
    if _LAUNCHER_NAME.search(name):
        return Thing.LAUNCHER
    return Thing.OTHER if name in _SCHEDULER else None
