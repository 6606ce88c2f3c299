"""The vocabulary is data that gate, prefilter and events share."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from zerograd_lint import check_source, vocabulary
from zerograd_lint.check.gate import can_train
from zerograd_lint.prefilter.call_words import call_words
from zerograd_lint.vocabulary import evidence, libraries, unread_calls
from zerograd_lint.vocabulary.buffers import GRADIENT_ATTRIBUTES
from zerograd_lint.vocabulary.calls import (
    EFFECTS,
    METHODS,
    Effect,
    function_idiom,
    method_idiom,
    names_with,
)
from zerograd_lint.vocabulary.name_set import NameSet
from zerograd_lint.vocabulary.things import Thing

KNOWN = libraries.LIBRARIES
EVENTS = Effect.DEPOSIT | Effect.CONSUME | Effect.ZERO


def test_it_imports_nothing_of_the_package_and_next_to_nothing_else() -> None:
    (folder,) = vocabulary.__path__
    own = {path.stem for path in Path(folder).glob("*.py")}
    for path in Path(folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= {"enum", "re"}, path.name
            elif isinstance(node, ast.ImportFrom):
                # `collections.abc` is for the type checker only; `re` loads `functools` anyway.
                plain = {"__future__", "collections.abc", "functools"}
                known = plain if node.level == 0 else own
                assert node.level <= 1, path.name
                assert node.module in known, path.name


@pytest.mark.parametrize("word", names_with(EVENTS))
def test_the_prefilter_looks_at_every_word_that_acts(word: str) -> None:
    assert call_words(EVENTS).occur_in(f"thing.{word}(other)")
    assert call_words(EVENTS).effects[word] & EVENTS


@pytest.mark.parametrize("step", names_with(Effect.CONSUME))
@pytest.mark.parametrize("deposit", names_with(Effect.DEPOSIT))
def test_the_gate_lets_every_deposit_and_step_pass(deposit: str, step: str) -> None:
    assert can_train(f"import torch\nx.{deposit}(loss)\nx.{step}(opt)\n")
    assert not can_train(f"x.{deposit}(loss)\nx.{step}(opt)\n")
    assert not can_train(f"import torch\nx.{deposit}(loss)\n")


@pytest.mark.parametrize("attribute", sorted(GRADIENT_ATTRIBUTES))
def test_gradients_are_known_by_either_attribute(attribute: str) -> None:
    text = (
        "import torch\nw = torch.zeros(1, requires_grad=True)\nfor x in range(3):\n"
        f"    (w - x).pow(2).sum().backward()\n    w.data -= 0.1 * w.{attribute}\n"
    )
    assert can_train(text)
    assert [finding.code for finding in check_source(text)] == ["ZG001"]
    guarded = f"    if w.{attribute} is not None:\n        w.{attribute}.zero_()\n"
    assert check_source(text + guarded) == []


def test_the_first_meaning_that_fits_counts() -> None:
    closure, scaled, plain = METHODS["step"]
    assert method_idiom("step", {Thing.OPTIMIZER}, given=True) is closure
    assert method_idiom("step", {Thing.OPTIMIZER, Thing.SCALER}, given=True) is closure
    assert method_idiom("step", {Thing.SCALER}, given=True) is scaled
    assert method_idiom("step", {Thing.OPTIMIZER}, given=False) is plain
    assert method_idiom("step", {None, Thing.OTHER}, given=False) is None
    assert method_idiom("zero_grad", set(), given=False) is METHODS["zero_grad"][0]
    assert method_idiom("unheard_of", {Thing.OPTIMIZER}, given=False) is None


def test_a_function_is_known_by_its_qualified_name_or_its_last_part() -> None:
    deposit = function_idiom("torch.autograd.backward")
    assert deposit is not None
    assert deposit.effect is Effect.DEPOSIT
    assert function_idiom("other.backward") is None
    assert function_idiom("torch_xla.core.xla_model.optimizer_step") is not None
    assert EFFECTS["backward"] is Effect.DEPOSIT


def test_a_name_set_matches_whole_names_and_parts() -> None:
    names = NameSet(
        exact=("len print", "id"),
        starts=("log",),
        ends=("_mode",),
        starts_and_ends=(("compute_", "loss"),),
        parts=("sched",),
        words=("lr",),
        word_starts=("step",),
        word_ends=("fit",),
    )
    inside = "len id log_it logger eval_mode compute_my_loss reschedule set_lr lr_of lr "
    inside += "step_on one_stepper refit fit_it"
    outside = "length my_len relog mode_x compute lossy lrs relr restep fits Log"
    assert [name for name in inside.split() if name not in names] == []
    assert [name for name in outside.split() if name in names] == []
    assert "SCHEDULER" in NameSet(parts=("sched",), ignore_case=True)


UNREAD = {
    "MAY_ZERO": ("zero_grads resetGrad clear_all_grads null_the_grad set_zero_", "zero grads_zero"),
    "CLOSES_WINDOW": ("self.sync_gradients accum_iter==0 should_Step do_update", "step==0 update"),
}


@pytest.mark.parametrize("table", UNREAD)
def test_what_names_of_unread_functions_say(table: str) -> None:
    names: NameSet = getattr(unread_calls, table)
    inside, outside = UNREAD[table]
    assert [name for name in inside.split() if name not in names] == []
    assert [name for name in outside.split() if name in names] == []


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.names[0])
def test_what_is_said_of_a_library_says_where_it_was_read(known: libraries.KnownNames) -> None:
    assert known.source and known.version
    assert all("." in name for name in known.names)


def test_an_optimizer_that_clears_by_itself_is_none_that_needs_zeroing() -> None:
    assert evidence.by_library("torchao.optim.AdamW8bit") is Thing.OPTIMIZER
    assert evidence.by_library("torchao.optim.CPUOffloadOptimizer") is None


@pytest.mark.parametrize(
    "name",
    "geoopt.optim.RiemannianAdam geoopt.RiemannianSGD gpytorch.optim.NGD pytorch_transformers.AdamW"
    " pytorch_pretrained_bert.optimization.BertAdam pytorch_pretrained_bert.OpenAIAdam"
    " torchtuples.optim.AdamWR".split(),
)
def test_optimizers_of_libraries_are_known_by_their_qualified_names(name: str) -> None:
    assert evidence.by_library(name) is Thing.OPTIMIZER
    assert evidence.by_library(f"mine.{name}") is None


def test_networks_of_libraries_are_known_by_their_qualified_names() -> None:
    assert evidence.by_class("gpytorch.models.ExactGP") is Thing.MODULE
    assert evidence.by_class("mine.models.ExactGP") is None


def test_a_name_that_says_settings_is_no_optimizer() -> None:
    optimizers, settings = "solver adamw sgd_1 optimizer", "solver_kw adam_config sgd_kwargs opt_lr"
    assert {evidence.by_name(name) for name in optimizers.split()} == {Thing.OPTIMIZER}
    assert Thing.OPTIMIZER not in {evidence.by_name(name) for name in settings.split()}


@pytest.mark.parametrize(
    ("annotation", "plain"),
    [
        ("str", True),
        ("Optional[str]", True),
        ("'int | None'", True),
        ('Literal["sgd", "adam"]', True),
        ("typing.Union[bool, float]", True),
        ("Optimizer | str", False),
        ("dict[str, Any]", False),
        ("strategy", False),
    ],
)
def test_annotations_of_texts_numbers_and_flags(annotation: str, plain: bool) -> None:
    assert evidence.is_plain_type(annotation) is plain
