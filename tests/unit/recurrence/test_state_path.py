"""The path of a text, its pushes, and the axes on which it is drawn, each against another computation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA

from nlpviz.analysis.inspection.state_path import fitted_axes, space_of_text, state_path
from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier, RecurrentConfig
from nlpviz.runs import Run, RunError, TrainedModel

TEXT = "the film was splendid and the music dreadful in town"
OF_ALL_SORTS = {
    "last": {},
    "mean": {"reading": "mean"},
    "max": {"reading": "max", "cell": "lstm", "layers": 2},
    "both ways": {"bidirectional": True},
    "both ways, max": {"bidirectional": True, "reading": "max"},
    "three classes": {"classes": 3},
}


@pytest.fixture
def trained(toy_classifiers: Callable[[str], Path]) -> TrainedModel:
    """The toy recurrent network at its best epoch."""
    return Run.open(toy_classifiers("recurrent-network")).load()


@pytest.fixture(params=OF_ALL_SORTS, ids=str)
def any_network(request: pytest.FixtureRequest, trained: TrainedModel) -> TrainedModel:
    """A random network over the toy's words, of one reading, direction and number of classes."""
    torch.manual_seed(0)
    size = len(trained.vocabulary)
    config = RecurrentConfig(size, dimensions=6, units=5, dropout=0.0, **OF_ALL_SORTS[request.param])
    names = ("one", "two", "three")[: config.classes]
    module = RecurrentClassifier(config).eval().requires_grad_(False)
    return TrainedModel(replace(trained.run, class_names=names), 0, module, trained.vocabulary)


@pytest.mark.parametrize("target", [0, 1])
def test_pushes_add_up_to_the_last_score_without_the_bias(any_network: TrainedModel, target: int) -> None:
    path = state_path(any_network, TEXT, target)
    ids = torch.from_numpy(path.text.row).unsqueeze(0)
    logits = any_network.module(ids)[0]
    output = any_network.module.output.bias
    if len(logits) == 1:
        score, bias = (float(one[0]) * (1 if target else -1) for one in (logits, output))
    else:
        # the mean of the log-odds against each other class
        others = [one for one in range(len(logits)) if one != target]
        score, bias = (float((one[target] - one[others]).mean()) for one in (logits, output))
    assert path.pushes.sum() == pytest.approx(score - bias, abs=1e-5)
    assert path.scores[0] == pytest.approx(bias)
    assert path.scores[-1] == pytest.approx(score, abs=1e-5)


def test_each_score_is_what_the_network_says_of_the_beginning(any_network: TrainedModel) -> None:
    path = state_path(any_network, TEXT, len(any_network.run.class_names) - 1)
    words = TEXT.split()
    for count in range(1, len(words) + 1):
        logits = any_network.module(torch.from_numpy(path.text.row[:count]).unsqueeze(0))[0]
        own = float(logits[0]) if len(logits) == 1 else float(logits[-1] - logits[:-1].mean())
        assert path.scores[count] == pytest.approx(own, abs=1e-5)
        if len(logits) == 1:
            assert path.after[count - 1, 1] == pytest.approx(1 / (1 + np.exp(-own)), abs=1e-5)


def test_of_two_classes_the_last_one_is_followed_of_more_the_predicted_one(any_network: TrainedModel) -> None:
    for text in (TEXT, ""):
        path = state_path(any_network, text)
        ids = torch.from_numpy(path.text.row).unsqueeze(0)
        logits = any_network.module(ids)[0]
        assert path.target == (1 if len(logits) == 1 else int(logits.argmax()))


def test_the_planted_words_push_most(trained: TrainedModel) -> None:
    path = state_path(trained, "the film was splendid and the music in town")
    (strongest,) = path.strongest(1)
    assert path.text.read[strongest].word == "splendid"
    assert path.pushes[strongest] > 0
    path = state_path(trained, "the film was dreadful and the music in town")
    assert path.pushes[3] < 0


@pytest.mark.parametrize("text", ["", "qwertz", "one", "film " * 900])
def test_any_text_has_a_path(trained: TrainedModel, text: str) -> None:
    path = state_path(trained, text)
    assert path.points.shape == (len(path.text.ids) + 1, len(path.direction))
    space = space_of_text(path)
    assert np.isfinite(space.project(path.points)).all()
    assert space.shares.sum() <= 1 + 1e-6


def test_axes_are_those_of_scikit_learn() -> None:
    points = np.random.default_rng(2).normal(size=(200, 7)) @ np.diag([5, 3, 2, 1, 1, 1, 0.5])
    mean, axes, shares = fitted_axes(points)
    peer = PCA(3).fit(points)
    assert np.allclose(shares, peer.explained_variance_ratio_, atol=1e-5)
    assert np.allclose(np.abs((axes * peer.components_).sum(axis=1)), 1, atol=1e-5)
    assert np.allclose(mean, peer.mean_, atol=1e-5)


def test_a_point_has_no_axes() -> None:
    _, axes, shares = fitted_axes(np.ones((1, 4)))
    assert not shares.any()
    assert not axes.any()


def test_a_network_without_states_has_no_path(toy_classifiers: Callable[[str], Path]) -> None:
    with pytest.raises(RunError, match="does not read word by word"):
        state_path(Run.open(toy_classifiers("cnn")).load(), TEXT)
