"""How much explanations change when words are moved a little, as Captum finds it, and with other networks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from captum.metrics import sensitivity_max
from torch import Tensor

from nlpviz.analysis.attribution import explain, methods, methods_for
from nlpviz.analysis.attribution import stability as stabilities
from nlpviz.analysis.attribution.class_score import class_score
from nlpviz.analysis.attribution.randomisation import randomised, scores_at
from nlpviz.analysis.attribution.stability import MOVES, RADIUS, stability
from nlpviz.results.stability import Stability
from nlpviz.runs import Run, TrainedModel
from nlpviz.stats.rank_correlation import rank_correlation
from tests import toy

TEXT = next(text for text in toy.read("test").texts if len(text.split()) >= 8)


@pytest.fixture
def trained(toy_trained: Path) -> TrainedModel:
    return Run.open(toy_trained / "toy-cnn").load()


def test_every_method_is_moved_and_asked_of_every_other_network(trained: TrainedModel) -> None:
    explained = [explain(trained, TEXT, method) for method in methods_for(trained.run)]
    told: list[float] = []
    before = trained.run.load(0)
    result = stability(trained, explained, before, told.append)
    stages = randomised(trained)
    assert result.networks == ("before training", *(stage.layer for stage in stages))
    assert told == sorted(told)
    for row, one in enumerate(explained):
        earlier = explain(before, TEXT, one.method, one.target).scores
        assert result.correlation[row, 0] == pytest.approx(rank_correlation(one.scores, earlier))
        last = rank_correlation(one.scores, scores_at(stages[-1], one))
        assert result.correlation[row, -1] == pytest.approx(last)
    assert (result.sensitivity > 0).all()
    assert (result.sensitivity < 1).all(), "a move of a hundredth turns no explanation round"
    assert stability(trained, explained, None).networks == result.networks[1:]


@pytest.mark.parametrize("method", ["saliency", "occlusion", "shapley"])
def test_sensitivity_is_captums_of_the_same_moves(trained: TrainedModel, method: str) -> None:
    one = explain(trained, TEXT, method)
    moves, radius = stabilities._moves(trained, one)
    score = class_score(trained.module, torch.from_numpy(one.encoded.row), one.target)  # type: ignore[arg-type]
    words = score.embedded.detach()
    assert radius == pytest.approx(RADIUS * float(words.max() - words.min()))
    assert max(float((moved - words).abs().max()) for moved in moves) <= radius * 1.001
    assert len(moves) == MOVES
    left = iter(moves)

    def said(inputs: tuple[Tensor]) -> tuple[Tensor]:
        return (methods()[method].attribute(score, inputs[0]).scores.detach().unsqueeze(0),)

    theirs = sensitivity_max(
        said, words, perturb_func=lambda *_: (next(left),), n_perturb_samples=MOVES, max_examples_per_batch=1
    )
    assert stability(trained, [one]).sensitivity[0] == pytest.approx(float(theirs), rel=1e-3)


def test_a_text_without_words_has_no_sensitivity(trained: TrainedModel) -> None:
    result = stability(trained, [explain(trained, "", "saliency")], trained.run.load(0))
    assert np.isnan(result.sensitivity).all()
    assert np.isnan(result.correlation).all()
    assert (result.radius, result.words) == (0, 0)


def test_results_of_other_shapes_are_refused() -> None:
    one = Stability("r", 1, ("m",), np.ones(1), 5, 0.1, ("n",), np.ones((1, 1)), 3, 0)
    with pytest.raises(ValueError, match="per method and network"):
        replace(one, correlation=np.ones((1, 2)))
