"""Integrated gradients worked by hand, and against Captum on networks of many shapes."""

from __future__ import annotations

import pytest
import torch
from captum.attr import IntegratedGradients
from torch import nn

from nlpviz.attribution.class_score import ClassScore, class_score
from nlpviz.attribution.integrated_gradients import STEPS, attribute, mean_gradient
from nlpviz.models.cnn import CNN, CNNConfig
from nlpviz.text.vocabulary import PAD


def network(**changes: object) -> CNN:
    """Return a small network in double precision; its weights are drawn wide, so that errors are seen."""
    torch.manual_seed(3)
    config: dict[str, object] = {"vocabulary_size": 12, "dimensions": 4, "region_sizes": (1, 2, 4), "filters": 5}
    built = CNN(CNNConfig(**config | changes)).double().eval()
    for parameter in built.parameters():
        nn.init.normal_(parameter)
    built.embedding.weight.data[PAD] = 0
    return built.requires_grad_(False)


def one_filter(bias: float) -> ClassScore:
    """Return the score relu(2 x + bias) of one word of one dimension, x = 3, for the positive class."""
    built = network(region_sizes=(1,), filters=1, dimensions=1)
    built.embedding.weight[2] = 3.0
    built.convolutions[0].weight.fill_(2.0)
    built.convolutions[0].bias.fill_(bias)
    built.output.weight.fill_(1.0)
    built.output.bias.zero_()
    return class_score(built, torch.tensor([2]), target=1)


@pytest.mark.parametrize(("bias", "expected"), [(0.0, 6.0), (1.0, 6.0), (-1.5, 4.5), (-7.0, 0.0)])
def test_one_filter_by_hand(bias: float, expected: float) -> None:
    """The score grows by 6 for the whole way, but only from where 6 α + bias is above zero."""
    score = one_filter(bias)
    found = attribute(score, score.embedded)
    step = 6 * 0.04  # the integrand jumps between two of the fifty places
    assert found.scores.item() == pytest.approx(expected, abs=step if bias == -1.5 else 1e-9)
    assert found.residual == pytest.approx(expected - found.scores.item(), abs=1e-9)


@pytest.mark.parametrize("target", [0, 1])
@pytest.mark.parametrize(
    "ids", [[2, 3, 4, 5, 6, 7, 8], [9, 3, 10, 2], [5, 6], [1]], ids=["long", "as a region", "shorter", "unknown word"]
)
@pytest.mark.parametrize("changes", [{}, {"pooled": 2}, {"pooled": 3, "classes": 3}, {"region_sizes": (3,)}], ids=str)
def test_captum_agrees(changes: dict[str, object], ids: list[int], target: int) -> None:
    built = network(**changes)
    score = class_score(built, torch.tensor(ids), target)
    expected = IntegratedGradients(score).attribute(score.embedded.detach(), n_steps=STEPS)
    found = attribute(score, score.embedded)
    assert expected.abs().max() > 0
    torch.testing.assert_close(found.matrix, expected[0].to(found.matrix), rtol=1e-6, atol=1e-9)
    torch.testing.assert_close(found.scores, found.matrix.sum(dim=1))


def test_text_without_words_has_no_gradient() -> None:
    score = class_score(network(), torch.zeros(0, dtype=torch.long), None)
    assert mean_gradient(score, score.embedded).shape == (1, 0, 4)
    assert attribute(score, score.embedded).residual == 0
