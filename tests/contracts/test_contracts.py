"""What every model promises, whatever its kind: a new file in nlpviz/networks/architectures is tested as it is."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture, Penalised, RegionEncoder, padded
from nlpviz.run_kinds import kinds
from nlpviz.run_kinds.contract import Contract
from nlpviz.runs.weights import read_weights, write_weights
from nlpviz.text.vocabulary import PAD, SPECIALS
from tests.promises import Promises

WORDS = 50


class Promise(NamedTuple):
    """An untrained model, and what its kind promises of it."""

    module: nn.Module
    contract: Contract

    def answer(self, ids: Tensor) -> Tensor:
        """Return what the model makes of ids (B, T), zero at padding where an answer is one for each word."""
        answers = self.contract.answer(self.module, ids)
        if not self.contract.of_words:
            return answers
        return torch.where((ids != PAD).view(*ids.shape, *[1] * (answers.dim() - 2)), answers, 0.0)


def build(architecture: Architecture, seed: int = 0) -> nn.Module:
    """Return an untrained module of the default size, over fifty words."""
    torch.manual_seed(seed)
    return architecture.build(architecture.config(vocabulary_size=WORDS))


def promised(architecture: Architecture) -> Promise:
    """Return the architecture's model in evaluation mode, and the contract that it meets; one that meets none fails."""
    module = build(architecture).eval()
    contracts = [kind.contract() for kind in kinds().values() if kind.contract is not None]
    met = [contract for contract in contracts if isinstance(module, contract.protocol)]
    if not met:
        known = ", ".join(contract.protocol.__name__ for contract in contracts)
        pytest.fail(f"{architecture.name} meets the contract of no kind: it is none of {known}")
    return Promise(module, met[0])


def batch() -> Tensor:
    """Return texts of many lengths, one word among them, as one batch (B, T)."""
    numbers = torch.Generator().manual_seed(0)
    lengths = (7, 12, 1, 3, 12, 5)
    return padded([torch.randint(len(SPECIALS), WORDS, (length,), generator=numbers).numpy() for length in lengths])


every = Promises()


def test_a_model_keeps_its_promises(architecture: Architecture, tmp_path: Path, subtests: pytest.Subtests) -> None:
    promise, ids = promised(architecture), batch()
    every.ask(
        subtests,
        architecture=architecture,
        promise=promise,
        ids=ids,
        answers=promise.answer(ids).detach(),
        tmp_path=tmp_path,
    )


@every
def regions_are_told_by_the_configuration(architecture: Architecture) -> None:
    """Pages that draw a stored survey ask the manifest for ``region_sizes``, which needs no torch."""
    has_regions = isinstance(build(architecture), RegionEncoder)
    assert has_regions == ("region_sizes" in {field.name for field in fields(architecture.config)})


@every
def architecture_says_what_it_is(architecture: Architecture) -> None:
    assert architecture.name == architecture.name.lower().strip()
    assert architecture.title
    assert any(sign.isdigit() for sign in architecture.source), "author and year"
    assert is_dataclass(architecture.config)
    assert architecture.config.__dataclass_params__.frozen


@every
def config_survives_json(architecture: Architecture) -> None:
    config = architecture.config(vocabulary_size=50)
    assert architecture.config(**json.loads(json.dumps(asdict(config)))) == config
    assert build(architecture).config == config
    assert fields(config)[0].name == "vocabulary_size"


@every
def terms_add_up_to_the_number_of_trainable_parameters(architecture: Architecture) -> None:
    module = build(architecture)
    trainable = sum(weight.numel() for weight in module.parameters() if weight.requires_grad)
    assert sum(term.value for term in module.parameter_terms()) == trainable
    assert all(term.name and term.formula for term in module.parameter_terms())


@every
def same_seed_same_model(architecture: Architecture) -> None:
    first, same, other = (build(architecture, seed).state_dict() for seed in (0, 0, 1))
    assert all(torch.equal(tensor, same[name]) for name, tensor in first.items())
    assert not all(torch.equal(tensor, other[name]) for name, tensor in first.items())


@every
def a_model_meets_the_contract_of_a_kind(promise: Promise, ids: Tensor, answers: Tensor) -> None:
    assert answers.shape[0] == len(ids)
    assert not promise.contract.of_words or answers.shape[1] == ids.shape[1]


@every
def loss_reaches_every_trained_parameter(architecture: Architecture) -> None:
    promise = promised(architecture)
    promise.module.train()
    answered = promise.answer(torch.arange(2, WORDS).reshape(4, 12))
    if isinstance(answered, Penalised):
        answered = answered.logits + answered.penalty.unsqueeze(1)
    answered.square().sum().backward()
    trained = {name: weight for name, weight in promise.module.named_parameters() if weight.requires_grad}
    assert [name for name, weight in trained.items() if weight.grad is None] == []


@every
def padding_changes_no_answer(promise: Promise, ids: Tensor, answers: Tensor) -> None:
    for more in (1, 9):
        wider = promise.answer(torch.cat([ids, torch.full((len(ids), more), PAD)], dim=1))
        torch.testing.assert_close(wider[:, : ids.shape[1]] if promise.contract.of_words else wider, answers)


@every
def answers_of_a_batch_are_those_of_its_rows(promise: Promise, ids: Tensor, answers: Tensor) -> None:
    for row, expected in zip(ids, answers, strict=True):
        own = row[row != PAD]
        (alone,) = promise.answer(own.unsqueeze(0))
        torch.testing.assert_close(alone, expected[: len(own)] if promise.contract.of_words else expected)


@every
def answers_are_finite_and_the_same_every_time(promise: Promise, ids: Tensor, answers: Tensor) -> None:
    assert answers.isfinite().all()
    assert torch.equal(promise.answer(ids), answers)
    assert promise.answer(torch.full((1, 3), 1)).isfinite().all()


@every
def answers_tell_words_apart(promise: Promise) -> None:
    first, other = promise.answer(torch.tensor([[2, 3, 4], [5, 6, 7]]))
    assert not torch.allclose(first, other)


@every
def weights_that_are_kept_give_the_same_answers(
    promise: Promise, architecture: Architecture, ids: Tensor, answers: Tensor, tmp_path: Path
) -> None:
    """Half precision on disk."""
    write_weights(tmp_path / "weights", promise.module.state_dict())
    loaded = build(architecture, seed=1).eval()
    loaded.load_state_dict(read_weights([tmp_path / "weights"]))
    torch.testing.assert_close(Promise(loaded, promise.contract).answer(ids), answers, rtol=5e-3, atol=5e-3)
