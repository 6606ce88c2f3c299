"""What libraries do to gradients, by qualified name, each with where that was read and of which
version.

A name that ends in a dot stands for all that a module holds. The tables of `frameworks` and
`evidence` are made from this one.
"""

from __future__ import annotations

import enum


class Meaning(enum.Enum):
    """What a class, function or method is to gradients."""

    OPTIMIZERS = "classes that are optimizers, as their names say, and clear nothing by themselves"
    CLEARS = "a class that is an optimizer, and clears gradients by itself"
    MODULES = "classes that are networks, and add nothing to torch's that acts on gradients"
    SCALERS = "classes that are loss scalers, as their names say"
    LAUNCHER = "a class that runs backward for others, but neither steps nor zeroes by itself"
    ENGINE = "a function that makes an engine, which zeroes by itself when it steps"
    ACCUMULATES = "a context that lets steps and zeroings of optimizers through once per window"
    RUNS_STEPS = "a base whose training_step its trainer calls for every batch, clearing nothing"
    STEPS_BEHIND = "a base whose trainer steps and clears behind its training_step"
    CALLS_PER_BATCH = "a class that calls the function it is given for every batch, and no other"
    UNSYNCHRONISED = "a context that keeps processes from exchanging the gradients of a backward"
    CLEARS_IF_TOLD = "a method of an optimizer that applies gradients, and clears if zero_grad=True"
    GIVES_BACK = "a method that gives back, wrapped, the module, the optimizer and more it is given"
    SCALES_LOSS = "a context that scales a loss, and keeps older gradients aside while it lasts"


class KnownNames:
    """One entry: what some names mean, and how that is known."""

    __slots__ = ("meaning", "names", "source", "version")

    def __init__(self, meaning: Meaning, names: str, source: str, version: str) -> None:
        self.meaning = meaning
        self.names = tuple(names.split())
        self.source = source
        """A page of documentation, or the module whose code was read."""
        self.version = version


LIBRARIES = (
    KnownNames(Meaning.OPTIMIZERS, "torch.", "docs.pytorch.org/docs/stable/optim.html", "2.13.0"),
    KnownNames(Meaning.OPTIMIZERS, "apex.", "github.com/NVIDIA/apex: apex/optimizers", "6424da3b"),
    KnownNames(Meaning.OPTIMIZERS, "bitsandbytes.", "bitsandbytes/optim", "0.50.2"),
    KnownNames(Meaning.OPTIMIZERS, "deepspeed.ops.", "deepspeed/ops/adam", "0.19.8"),
    KnownNames(Meaning.OPTIMIZERS, "transformers.", "transformers/optimization.py", "5.23.0"),
    KnownNames(Meaning.OPTIMIZERS, "timm.optim", "timm/optim", "1.0.30"),
    KnownNames(Meaning.OPTIMIZERS, "torch_optimizer.", "torch_optimizer", "0.3.0"),
    KnownNames(Meaning.OPTIMIZERS, "pytorch_optimizer.", "pytorch_optimizer/optimizer", "4.1.0"),
    KnownNames(Meaning.OPTIMIZERS, "fairscale.optim", "fairscale/optim", "0.4.13"),
    KnownNames(Meaning.OPTIMIZERS, "lion_pytorch.", "lion_pytorch/lion_pytorch.py", "0.2.5"),
    KnownNames(Meaning.OPTIMIZERS, "adabelief_pytorch.", "adabelief_pytorch", "0.2.1"),
    KnownNames(Meaning.OPTIMIZERS, "schedulefree.", "schedulefree", "1.4.1"),
    KnownNames(Meaning.OPTIMIZERS, "dadaptation.", "dadaptation", "3.2"),
    KnownNames(Meaning.OPTIMIZERS, "prodigyopt.", "prodigyopt/prodigy.py", "1.1.2"),
    KnownNames(Meaning.OPTIMIZERS, "madgrad.", "madgrad", "1.3"),
    KnownNames(Meaning.OPTIMIZERS, "galore_torch.", "galore_torch", "1.0"),
    KnownNames(Meaning.OPTIMIZERS, "came_pytorch.", "came_pytorch/CAME.py", "0.1.3"),
    KnownNames(Meaning.OPTIMIZERS, "geoopt.", "geoopt/optim", "0.5.1"),
    KnownNames(Meaning.OPTIMIZERS, "gpytorch.optim", "gpytorch/optim/ngd.py", "1.15.2"),
    KnownNames(Meaning.OPTIMIZERS, "adamp.", "adamp", "0.3.0"),
    KnownNames(Meaning.OPTIMIZERS, "adabound.", "adabound/adabound.py", "0.0.5"),
    KnownNames(Meaning.OPTIMIZERS, "pytorch_lamb.", "pytorch_lamb/lamb.py", "1.0.0"),
    KnownNames(Meaning.OPTIMIZERS, "ranger21.", "ranger21", "0.1.0"),
    KnownNames(
        Meaning.OPTIMIZERS, "pytorch_transformers.", "pytorch_transformers/optimization.py", "1.2.0"
    ),
    KnownNames(
        Meaning.OPTIMIZERS,
        "pytorch_pretrained_bert.",
        "pytorch_pretrained_bert/optimization.py, optimization_openai.py",
        "0.6.2",
    ),
    KnownNames(Meaning.OPTIMIZERS, "torch_xla.", "torch_xla.amp.syncfree", "2.9.0"),
    KnownNames(Meaning.OPTIMIZERS, "torchtuples.optim", "torchtuples/optim.py", "0.2.2"),
    KnownNames(Meaning.OPTIMIZERS, "torchao.", "torchao/optim", "0.18.0"),
    KnownNames(
        Meaning.CLEARS,
        "torchao.optim.CPUOffloadOptimizer",
        "torchao/optim/cpu_offload.py",
        "0.18.0",
    ),
    KnownNames(Meaning.MODULES, "gpytorch.models.", "gpytorch/models; module.py", "1.15.2"),
    KnownNames(Meaning.SCALERS, "torch.", "docs.pytorch.org/docs/stable/amp.html", "2.13.0"),
    KnownNames(Meaning.LAUNCHER, "accelerate.Accelerator", "accelerate/accelerator.py", "1.15.0"),
    KnownNames(
        Meaning.LAUNCHER,
        "lightning.fabric.Fabric lightning_fabric.Fabric pytorch_lightning.lite.LightningLite",
        "lightning.ai/docs/fabric/stable/api/fabric_methods.html",
        "2.6.6",
    ),
    KnownNames(Meaning.ENGINE, "deepspeed.initialize", "deepspeed/runtime/engine.py", "0.19.8"),
    KnownNames(
        Meaning.ACCUMULATES,
        "accelerate.Accelerator.accumulate",
        "accelerate/optimizer.py: step and zero_grad ask sync_gradients",
        "1.15.0",
    ),
    KnownNames(
        Meaning.RUNS_STEPS,
        "lightning.LightningModule lightning.pytorch.LightningModule "
        "lightning.pytorch.core.LightningModule lightning.pytorch.core.module.LightningModule "
        "pytorch_lightning.LightningModule pytorch_lightning.core.LightningModule "
        "pytorch_lightning.core.module.LightningModule "
        "pytorch_lightning.core.lightning.LightningModule",
        "lightning.ai/docs/pytorch/stable/model/manual_optimization.html",
        "2.6.6",
    ),
    KnownNames(
        Meaning.STEPS_BEHIND,
        "transformers.Trainer transformers.trainer.Trainer transformers.Seq2SeqTrainer",
        "transformers/trainer.py: _run_epoch",
        "5.23.0",
    ),
    KnownNames(
        Meaning.CALLS_PER_BATCH,
        "ignite.engine.Engine ignite.engine.engine.Engine ignite.engine.DeterministicEngine "
        "ignite.engine.deterministic.DeterministicEngine",
        "docs.pytorch.org/ignite/generated/ignite.engine.engine.Engine.html",
        "0.5.5",
    ),
    KnownNames(
        Meaning.UNSYNCHRONISED,
        "torch.nn.parallel.DistributedDataParallel.no_sync "
        "torch.distributed.fsdp.FullyShardedDataParallel.no_sync",
        "docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",
        "2.13.0",
    ),
    KnownNames(
        Meaning.UNSYNCHRONISED,
        "accelerate.Accelerator.no_sync lightning.fabric.Fabric.no_backward_sync",
        "accelerate/accelerator.py; lightning/fabric/fabric.py",
        "1.15.0; 2.6.6",
    ),
    KnownNames(
        Meaning.CLEARS_IF_TOLD,
        "pytorch_optimizer.SAM.first_step pytorch_optimizer.SAM.second_step "
        "pytorch_optimizer.WSAM.first_step pytorch_optimizer.WSAM.second_step "
        "pytorch_optimizer.FriendlySAM.first_step pytorch_optimizer.FriendlySAM.second_step",
        "pytorch_optimizer/optimizer/sam.py",
        "4.1.0",
    ),
    KnownNames(
        Meaning.GIVES_BACK,
        "opacus.PrivacyEngine.make_private opacus.PrivacyEngine.make_private_with_epsilon",
        "opacus/privacy_engine.py; opacus/optimizers/optimizer.py: step clears nothing",
        "1.6.0",
    ),
    KnownNames(Meaning.SCALES_LOSS, "apex.amp.scale_loss", "nvidia.github.io/apex/amp.html", "0.1"),
)


def names_of(meaning: Meaning) -> tuple[str, ...]:
    """All names with a meaning."""
    return tuple(name for entry in LIBRARIES if entry.meaning is meaning for name in entry.names)


def last_names_of(meaning: Meaning) -> frozenset[str]:
    """The last parts of all names with a meaning: how a method is called on its object."""
    return frozenset(name.rpartition(".")[2] for name in names_of(meaning))
