"""What an object is, as far as gradients care: by constructor, annotation, use, or name."""

from __future__ import annotations

import enum
import re


class Thing(enum.Enum):
    OPTIMIZER = "optimizer"
    MODULE = "module"
    TENSOR = "tensor"
    SCALER = "scaler"
    LAUNCHER = "launcher"
    """Runs backward for somebody else's optimizer: Accelerator, Fabric."""
    ENGINE = "engine"
    """Runs backward and step, and zeroes by itself."""
    OTHER = "other"
    """Known to be none of the above."""


# Class names of optimizers, wherever they come from.
_OPTIMIZER_CLASS = re.compile(
    r"^(?:Fused|Sparse|Paged|Deep[Ss]peedCPU|CPU|Distributed|Ada|R|N|C|Q)*"
    r"(?:Adam\w*|ASGD|SGD\w*|Adagrad|Adadelta|Adafactor|AdaBelief|AdaBound|Delta|Grad|LBFGS"
    r"|RMSprop\w*|RMSProp\w*|Rprop|Lamb|LAMB|LARS|Lars|Lion\w*|Lookahead|Ranger\w*|Novograd"
    r"|NovoGrad|MADGRAD|MadGrad|Muon|Sophia\w*|Prodigy|Shampoo|SAM|KFAC\w*|Yogi|DAdapt\w*)$"
)
_OPTIMIZER_FACTORY = re.compile(r"optimi[sz]er|(?:^|_)optims?(?:$|_)", re.IGNORECASE)
_SCHEDULER = re.compile(r"sched|warm_?up|LR$|lr_|_lr(?:$|_)", re.IGNORECASE)
_MODULE_CLASS = re.compile(r"(?:^|\.)nn\.[A-Z]\w*$|^torchvision\.models\.")
_TENSOR_FACTORY = re.compile(
    r"^torch\.(?:tensor|randn|rand|zeros|ones|empty|full|randint|arange|linspace|as_tensor"
    r"|from_numpy|eye|normal|zeros_like|ones_like|randn_like|rand_like|autograd\.Variable"
    r"|nn\.Parameter|nn\.parameter\.Parameter)$"
)
_BY_NAME = re.compile(
    r"optimi[sz]er|(?:^|_)(?:optims?|opts?)(?=$|_|\d|[A-Z])"
    r"|[a-z](?:Optim|Opt)(?=$|_|\d|[A-Z])",
    re.IGNORECASE,
)
_MAYBE_BY_NAME = re.compile(
    r"(?:^|_)(?:updater|solver|adamw?|sgd|rmsprop|lbfgs)(?=$|_|\d)", re.IGNORECASE
)
_NOT_BY_NAME = re.compile(
    r"sched|lr_|_lr$|config|cfg|args|state|name|step|type|class|cls|fn$|func|count|idx|index|num_|size"
    r"|option|freq|interval|epoch|path|dir$|_str$|param|group|history|loss|time|level|hook|factory"
    r"|builder|result",
    re.I,
)
_LAUNCHERS = frozenset({"Accelerator", "Fabric", "LightningLite"})


def by_class(full_name: str) -> Thing | None:
    """What calling this class or factory gives, judged by its full dotted name."""
    last = full_name.rpartition(".")[2]
    if ".lr_scheduler." in full_name or _SCHEDULER.search(last):
        return Thing.OTHER
    if last == "GradScaler" or last.endswith("GradScaler"):
        return Thing.SCALER
    if last in _LAUNCHERS:
        return Thing.LAUNCHER
    if re.match(r"torch\.optim\.[A-Z]\w*$", full_name) or _OPTIMIZER_CLASS.match(last):
        return Thing.OPTIMIZER
    if _TENSOR_FACTORY.match(full_name):
        return Thing.TENSOR
    if _MODULE_CLASS.search(full_name):
        return Thing.MODULE
    if _OPTIMIZER_FACTORY.search(last):
        return Thing.OPTIMIZER
    return None


def by_annotation(text: str) -> Thing | None:
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


def by_name(name: str, *, made_elsewhere: bool = False) -> Thing | None:
    """The last resort. Only optimizers, loss scalers and launchers are worth guessing.

    Some names are too weak to stand against a constructor that does not speak of optimizers.
    """
    if _MAYBE_BY_NAME.search(name) and not made_elsewhere:
        return Thing.OPTIMIZER
    if _BY_NAME.search(name) and not _NOT_BY_NAME.search(name):
        return Thing.OPTIMIZER
    if re.search(r"(?:^|_)(?:grad_?)?scaler$", name, re.I):
        return Thing.SCALER
    if re.search(r"(?:^|_)(?:accelerator|fabric)$", name, re.I):
        return Thing.LAUNCHER
    return Thing.OTHER if _SCHEDULER.search(name) else None
