"""Integrated gradients worked by hand, and against Captum on networks of many shapes."""

from __future__ import annotations

import pytest
import torch
from captum.attr import IntegratedGradients
from torch import Tensor, nn

from nlpviz.analysis.attribution.class_score import ClassScore, class_score
from nlpviz.analysis.attribution.integrated_gradients import MOST, STEPS, TOLERANCE, additions, attribute, integrate
from nlpviz.networks.architectures.cnn import CNN, CNNConfig
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
    result = attribute(score, score.embedded)
    assert result.scores.item() == pytest.approx(expected, abs=1e-9)
    assert result.residual == pytest.approx(expected - result.scores.item(), abs=1e-9)


@pytest.mark.parametrize(("bias", "borders"), [(0.0, [0, 1]), (-1.5, [0, 0.5, 1]), (-3.0, [0, 1]), (-7.0, [0, 1])])
def test_the_way_is_halved_where_its_steps_miss_too_much(bias: float, borders: list[float]) -> None:
    """A leap at a quarter falls between two of fifty steps; in the middle of a stretch it does no harm."""
    score = one_filter(bias)
    result = integrate(score, score.embedded)
    assert sorted({border for stretch in result for border in (stretch.start, stretch.end)}) == borders
    assert attribute(score, score.embedded).steps == STEPS * len(result)


class Cliff(nn.Module):
    """A score that leaps by 8 at a share of the way that no halving meets, and else grows with the words."""

    def embed(self, ids: Tensor) -> Tensor:
        return torch.ones(*ids.shape, 1, dtype=torch.double)

    def mask(self, ids: Tensor) -> Tensor:
        return ids != PAD

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        means = embedded.mean(dim=(1, 2)).unsqueeze(1)
        return means + 8 * torch.sigmoid(self.steepness * (means - 0.0437)) * mask.any()

    steepness = 1e4


def test_a_cliff_near_zero_vectors_is_found() -> None:
    """Fifty steps, and four times as many evenly spread, miss the leap of a network that is sure of a few words."""
    score = class_score(Cliff(), torch.tensor([2, 3, 4]), target=1)
    result = attribute(score, score.embedded)
    gained = (score(score.embedded) - score(torch.zeros_like(score.embedded))).item()
    assert gained == pytest.approx(9, abs=0.01)
    even = IntegratedGradients(score).attribute(score.embedded.detach(), n_steps=4 * STEPS).sum().item()
    assert abs(gained - even) > 1
    assert abs(result.residual) <= TOLERANCE * gained
    assert result.scores.sum().item() == pytest.approx(gained - result.residual, abs=1e-9)
    assert STEPS < result.steps < MOST


def test_there_is_an_end_to_the_steps() -> None:
    """A leap that no number of steps takes: the residual says what they miss."""
    leaping = Cliff()
    leaping.steepness = 1e9
    score = class_score(leaping, torch.tensor([2]), target=1)
    result = attribute(score, score.embedded)
    assert result.steps == MOST
    assert result.residual == pytest.approx(8, abs=0.01)


def test_a_network_that_says_it_jumps_gets_no_more_steps() -> None:
    leaping = Cliff()
    leaping.steepness, leaping.jumps = 1e9, "a cliff is passed"
    score = class_score(leaping, torch.tensor([2]), target=1)
    result = attribute(score, score.embedded)
    assert result.steps == STEPS
    assert result.residual == pytest.approx(8, abs=0.01)


@pytest.mark.parametrize("target", [0, 1])
@pytest.mark.parametrize(
    "ids", [[2, 3, 4, 5, 6, 7, 8], [9, 3, 10, 2], [5, 6], [1]], ids=["long", "as a region", "shorter", "unknown word"]
)
@pytest.mark.parametrize("changes", [{}, {"pooled": 2}, {"pooled": 3, "classes": 3}, {"region_sizes": (3,)}], ids=str)
def test_captum_agrees(changes: dict[str, object], ids: list[int], target: int) -> None:
    built = network(**changes)
    score = class_score(built, torch.tensor(ids), target)
    words, captum = score.embedded.detach(), IntegratedGradients(score)
    expected = sum(
        captum.attribute(words * stretch.end, baselines=words * stretch.start, n_steps=STEPS)[0]
        for stretch in integrate(score, score.embedded)
    )
    result = attribute(score, score.embedded)
    assert expected.abs().max() > 0
    torch.testing.assert_close(result.matrix, expected.to(result.matrix), rtol=1e-6, atol=1e-9)
    torch.testing.assert_close(result.scores, result.matrix.sum(dim=1))
    whole = captum.attribute(words, n_steps=STEPS)
    torch.testing.assert_close(additions(score, score.embedded), whole.to(words), rtol=1e-6, atol=1e-9)


def test_text_without_words_has_no_gradient() -> None:
    score = class_score(network(), torch.zeros(0, dtype=torch.long), None)
    assert additions(score, score.embedded).shape == (1, 0, 4)
    assert attribute(score, score.embedded).residual == 0
    assert attribute(score, score.embedded).steps == STEPS
