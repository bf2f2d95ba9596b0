"""What every network that predicts the next word promises besides its contract, whichever it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from nlpviz.networks.architectures import Architecture, untrained_instance
from nlpviz.networks.language_networks import LanguageNetwork
from nlpviz.results.history import LanguageEpoch
from nlpviz.training.language_fit import LanguageFit, Texts, fit_language_model
from nlpviz.training.language_loss import CONTEXT, mean_loss
from tests.promises import Promises

SIZE, BOUNDARY = 40, 2
pytestmark = pytest.mark.architectures(meet=LanguageNetwork)
promise = Promises()


def test_a_network_that_predicts_the_next_word_keeps_its_promises(
    architecture: Architecture, subtests: pytest.Subtests
) -> None:
    torch.manual_seed(0)
    network = architecture.build(architecture.config(vocabulary_size=SIZE, dimensions=16, cutoffs=(12, 25))).eval()
    promise.ask(subtests, architecture=architecture, network=network, ids=words(), logits=network(words()))


def words(rows: int = 3, length: int = 20) -> Tensor:
    """Return ids (B, T)."""
    return torch.from_numpy(np.random.default_rng(0).integers(1, SIZE, (rows, length)))


def text(length: int = 2_000) -> np.ndarray:
    """Return a text that can be learnt: the word after next is one more, but for some noise."""
    rng, found = np.random.default_rng(0), [3, 20]
    for _ in range(length - 2):
        found.append(2 + (found[-2] - 1) % (SIZE - 2) if rng.random() < 0.9 else int(rng.integers(2, SIZE)))
    return np.array(found)


@pytest.mark.parametrize("name", ["recurrent-language-model", "neural-ngram", "causal-transformer"])
def test_there_are_some(name: str) -> None:
    assert isinstance(untrained_instance(name, {"vocabulary_size": SIZE}), LanguageNetwork)


@promise
def read_in_pieces_is_read_as_one(network: LanguageNetwork, ids: Tensor, logits: Tensor) -> None:
    embedded, state, pieces = network.embed(ids), network.start(3), []
    for piece in torch.split(embedded, [1, 8, 3, 8], dim=1):
        hidden, state = network.read_on(piece, state)
        pieces.append(network.predict(hidden))
    torch.testing.assert_close(torch.cat(pieces, dim=1), logits)


@promise
def rows_with_enough_context_are_measured_as_one_stream(network: LanguageNetwork) -> None:
    some = text(4 * CONTEXT + 300)
    exact = mean_loss(network, some, BOUNDARY)
    assert mean_loss(network, some, BOUNDARY, rows=3) == pytest.approx(exact, abs=1e-4)
    assert mean_loss(network, some[:100], BOUNDARY, rows=3) == mean_loss(network, some[:100], BOUNDARY)


@promise
def a_later_word_changes_no_earlier_prediction(network: LanguageNetwork, ids: Tensor, logits: Tensor) -> None:
    changed = ids.clone()
    changed[:, 12] = 3
    same = torch.isclose(logits, network(changed)).all(dim=2)
    assert same[:, :12].all()
    assert not same[:, 12].any()


@promise
def candidates_have_the_logits_of_all_words(network: LanguageNetwork, ids: Tensor) -> None:
    hidden, _ = network.read_on(network.embed(ids), network.start(len(ids)))
    candidates = torch.tensor([1, 7, 12, 30, 39])
    torch.testing.assert_close(network.predict(hidden, candidates), network.predict(hidden)[..., candidates])


@promise
def padding_and_what_training_lacks_are_never_predicted(architecture: Architecture, ids: Tensor) -> None:
    for predicts_unknown, never in ((True, 1), (False, 2)):
        config = architecture.config(vocabulary_size=SIZE, predicts_unknown=predicts_unknown)
        probabilities = architecture.build(config).eval()(ids).softmax(dim=2)
        assert not probabilities[..., :never].any()
        assert (probabilities[..., never:] > 0).all()


@promise
def states_are_those_of_the_words_so_far(network: LanguageNetwork, ids: Tensor) -> None:
    unrolled = network.unroll(network.embed(ids), network.mask(ids))
    assert unrolled.states.shape[:2] == ids.shape
    for part in unrolled.parts.values():
        assert part.shape == unrolled.states.shape
    shorter = network.unroll(network.embed(ids[:, :9]), network.mask(ids[:, :9]))
    torch.testing.assert_close(shorter.states, unrolled.states[:, :9])


@pytest.mark.ci
def test_it_learns_what_can_be_learnt_and_a_stopped_training_goes_on(
    architecture: Architecture, tmp_path: Path
) -> None:
    whole = text()
    texts = Texts(whole[:1_700], whole[1_700:], BOUNDARY)
    settings = LanguageFit(epochs=4, rows=8, steps=10, learning_rate=1e-2, warmup=10, averaging=0.9, sampled=0)

    def fresh() -> LanguageNetwork:
        torch.manual_seed(0)
        dropout = {"input_dropout": 0.0, "dropout": 0.0, "output_dropout": 0.0}
        module = architecture.build(architecture.config(vocabulary_size=SIZE, dimensions=16, **dropout))
        assert isinstance(module, LanguageNetwork)
        return module

    folders = tmp_path / "whole", tmp_path / "stopped"
    for folder in folders:
        folder.mkdir()
    records = fit_language_model(fresh(), texts, settings, folders[0])
    assert all(isinstance(record, LanguageEpoch) for record in records)
    assert records[0].validation_loss == pytest.approx(np.log(SIZE - 1), abs=0.6), "before training it knows nothing"
    assert records[-1].validation_loss < np.log(SIZE - 1) - 0.7, "half as many words to choose among"

    class StoppedError(Exception):
        pass

    def interrupted(*_: object) -> float:
        calls.append(1)
        if len(calls) > 5:
            raise StoppedError
        return mean_loss(*_)  # type: ignore[arg-type]

    calls: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nlpviz.training.language_fit.mean_loss", interrupted)
        with pytest.raises(StoppedError):
            fit_language_model(fresh(), texts, settings, folders[1])
    again = fit_language_model(fresh(), texts, settings, folders[1])
    assert [record.validation_loss for record in again] == [record.validation_loss for record in records]
