"""Regions, occlusion, LIME, Shapley values and SmoothGrad: worked by hand, against Captum and scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch
from captum.attr import (
    FeatureAblation,
    Lime,
    NoiseTunnel,
    Occlusion,
    Saliency,
    ShapleyValues,
    ShapleyValueSampling,
)
from sklearn.linear_model import Ridge
from torch import Tensor, nn

from nlpviz.analysis.attribution import lime, occlusion, regions, shapley, smoothgrad
from nlpviz.analysis.attribution.class_score import ClassScore, class_score
from nlpviz.networks.architectures.cnn import CNN, CNNConfig
from nlpviz.text.vocabulary import PAD

IDS = torch.tensor([2, 5, 3, 3, 7, 9, 4])


def network(**changes: object) -> CNN:
    """Return a small network in double precision; its weights are drawn wide, so that errors are seen."""
    torch.manual_seed(3)
    config: dict[str, object] = {"vocabulary_size": 12, "dimensions": 4, "region_sizes": (1, 2, 4), "filters": 5}
    built = CNN(CNNConfig(**config | changes)).double().eval()
    for parameter in built.parameters():
        nn.init.normal_(parameter)
    built.embedding.weight.data[PAD] = 0
    return built.requires_grad_(False)


class Formula(nn.Module):
    """A network whose log-odds are a formula of its words' numbers: a word's id is its number, less 2."""

    def __init__(self, formula: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.formula = formula

    def embed(self, ids: Tensor) -> Tensor:
        return (ids - 2).double().unsqueeze(-1)

    def mask(self, ids: Tensor) -> Tensor:
        return ids != PAD

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:  # noqa: ARG002
        return self.formula(embedded.squeeze(-1)).unsqueeze(-1)


def scored(formula: Callable[[Tensor], Tensor], *numbers: int) -> ClassScore:
    """Return the score of a text whose words are ``numbers``, by a formula of them (B, T)."""
    return class_score(Formula(formula), torch.tensor(numbers, dtype=torch.long) + 2, target=1)


def total(words: Tensor) -> Tensor:
    return words.sum(dim=1)


def product(words: Tensor) -> Tensor:
    return words.prod(dim=1)


def features(score: ClassScore) -> Tensor:
    """Return Captum's number of the feature that each entry of the words belongs to, (1, T, 1)."""
    return torch.arange(score.embedded.shape[1]).view(1, -1, 1)


# ------------------------------------------------------------------------------------------------ what is left out


@pytest.mark.parametrize("pooled", [1, 3])
@pytest.mark.parametrize("tokens", [0, 1, 2, 3, 5, 7])
def test_texts_with_words_left_out_at_once_are_those_one_by_one(pooled: int, tokens: int) -> None:
    """Also where regions are longer than the text, and pooling takes more of them than there are."""
    built, ids = network(pooled=pooled, classes=3), IDS[:tokens].unsqueeze(0)
    kept = torch.rand(20, tokens, generator=torch.Generator().manual_seed(0)) < 0.6
    words, mask = built.embed(ids), built.mask(ids)
    expected = built.classify(words * kept.unsqueeze(-1), mask.expand(20, -1))
    np.testing.assert_allclose(built.classify_occluded(words, mask, kept), expected, atol=1e-12)


def test_many_are_read_at_once_and_all_of_them() -> None:
    sizes = []

    def counted(words: Tensor) -> Tensor:
        sizes.append(len(words))
        return total(words)

    score = scored(counted, *range(1000))
    sizes.clear()
    kept = ~torch.eye(1000, dtype=torch.bool)[:20]
    assert score.occluded(score.embedded, kept).tolist() == [499_500 - left for left in range(20)]
    assert sizes == [7, 7, 6], "no more than 8,192 words"


# -------------------------------------------------------------------------------------------------------- occlusion


def test_occlusion_by_hand() -> None:
    """Of 2 · 3 · 4 nothing is left without any word: the losses are three times the score."""
    for formula, scores, residual in ((total, [2.0, 3.0, 4.0], 0.0), (product, [24.0, 24.0, 24.0], -48.0)):
        score = scored(formula, 2, 3, 4)
        result = occlusion.attribute(score, score.embedded)
        assert result.scores.tolist() == scores
        assert result.residual == residual


def test_occlusion_is_captums() -> None:
    score = class_score(network(), IDS, target=0)
    result = occlusion.attribute(score, score.embedded)
    theirs = Occlusion(score).attribute(score.embedded.detach(), sliding_window_shapes=(1, 4))[0]  # (T, D), all alike
    np.testing.assert_allclose(result.scores, theirs[:, 0], atol=1e-9)
    ablated = FeatureAblation(score).attribute(score.embedded.detach(), feature_mask=features(score))[0]
    np.testing.assert_allclose(result.scores, ablated[:, 0], atol=1e-9)


# ------------------------------------------------------------------------------------------------------------- LIME


def test_lime_is_captums_of_the_same_samples() -> None:
    score = class_score(network(), IDS, target=1)
    samples = lime.drawn(len(IDS))
    ours = lime.attribute(score, score.embedded)

    class WeightedRidge:
        """What Captum asks of a linear model, by scikit-learn."""

        def fit(self, batches: object) -> dict[str, float]:
            (there, answers, counts) = next(iter(batches))  # type: ignore[call-overload]
            self.fitted = Ridge(alpha=lime.RIDGE).fit(there.numpy(), answers.numpy(), counts.numpy())
            return {}

        def representation(self) -> Tensor:
            return torch.from_numpy(self.fitted.coef_)

    def similarity(_: Tensor, __: Tensor, there: Tensor, **___: object) -> float:
        cosine = torch.cosine_similarity(there.double(), torch.ones_like(there).double()).nan_to_num()
        return float(torch.exp(-((1 - cosine) ** 2) / (2 * lime.WIDTH**2)))

    def same_samples(*_: object, **__: object) -> Iterator[Tensor]:
        for row in samples:
            yield torch.from_numpy(row).long().unsqueeze(0)

    theirs = Lime(
        score,
        interpretable_model=WeightedRidge(),
        similarity_func=similarity,
        perturb_func=same_samples,
    ).attribute(score.embedded.detach(), feature_mask=features(score), n_samples=len(samples))
    np.testing.assert_allclose(ours.scores, theirs[0, :, 0], rtol=1e-4, atol=1e-5)


def test_lime_leaves_out_from_none_to_all_words() -> None:
    kept = lime.drawn(6)
    assert kept.shape == (lime.SAMPLES, 6)
    assert kept[0].all()
    counts = np.bincount(kept[1:].sum(axis=1), minlength=7)
    assert counts[6] == 0
    assert counts[:6].min() > 0.7 * lime.SAMPLES / 6
    assert abs(kept.mean(axis=0) - kept.mean()).max() < 0.05, "no word goes more often than another"


def test_lime_weighs_texts_by_likeness_and_finds_a_sum() -> None:
    kept = np.array([[True, True, True, True], [True, False, False, False], [False] * 4])
    assert lime.kernel(kept).tolist() == pytest.approx([1.0, np.exp(-(0.5**2) / 0.125), np.exp(-1 / 0.125)])
    score = scored(total, 8, 0, 1, 5)
    result = lime.attribute(score, score.embedded)
    np.testing.assert_allclose(result.scores, [8, 0, 1, 5], rtol=0.1, atol=0.05)
    assert (result.scores.abs().numpy() <= [8, 0.1, 1.1, 5]).all(), "the penalty shrinks the weights"


# ---------------------------------------------------------------------------------------------------------- Shapley


@pytest.mark.parametrize(("tokens", "orders"), [(1, 25), (113, 25), (160, 12), (400, 2), (2000, 2)])
def test_long_texts_get_fewer_orders(tokens: int, orders: int) -> None:
    assert shapley.orders_of(tokens) == orders


def test_shapley_values_of_a_sum_are_its_terms() -> None:
    score = scored(total, 3, 1, 4, 1, 5)
    result = shapley.attribute(score, score.embedded)
    assert result.scores.tolist() == pytest.approx([3, 1, 4, 1, 5])
    assert result.error is not None
    assert result.error.tolist() == pytest.approx([0] * 5)
    assert result.residual == pytest.approx(0)


def test_shapley_values_of_a_product_are_shares_of_it() -> None:
    """All of 2 · 3 comes with the last word: in a half of all orders that is the first one."""
    score = scored(product, 2, 3)
    result = shapley.attribute(score, score.embedded)
    first, second = result.scores.tolist()
    last = round(first / 6 * shapley.ORDERS)  # orders in which the first word came last
    assert 0 < last < shapley.ORDERS
    assert (first, second) == (pytest.approx(6 * last / 25), pytest.approx(6 * (25 - last) / 25))
    share = last / 25
    assert result.error is not None
    assert result.error.tolist() == pytest.approx([6 * (share * (1 - share) / 24) ** 0.5] * 2)


def test_shapley_values_are_captums_of_the_same_orders() -> None:
    score = class_score(network(), IDS, target=1)
    ours = shapley.attribute(score, score.embedded)
    draw, sampling = torch.Generator().manual_seed(shapley.SEED), ShapleyValueSampling(score)
    sampling.permutation_generator = lambda count, orders: (
        torch.randperm(count, generator=draw).tolist() for _ in range(orders)
    )
    arguments = {"feature_mask": features(score), "n_samples": shapley.orders_of(len(IDS))}
    theirs = sampling.attribute(score.embedded.detach(), **arguments)[0, :, 0]
    np.testing.assert_allclose(ours.scores, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.filterwarnings("ignore:You are attempting to compute Shapley Values")
def test_shapley_values_are_near_those_over_all_orders() -> None:
    """Within four standard errors of what Captum finds over all 120."""
    score = class_score(network(), IDS[:5], target=1)
    ours = shapley.attribute(score, score.embedded)
    exact = ShapleyValues(score).attribute(score.embedded.detach(), feature_mask=features(score))[0, :, 0]
    assert ours.error is not None
    assert (abs(ours.scores - exact) <= 4 * ours.error + 1e-6).all()
    assert ours.error.max() > 0.01
    assert ours.residual == pytest.approx(0, abs=1e-9)


# ------------------------------------------------------------------------------------------------------- SmoothGrad


def test_smoothgrad_of_a_sum_is_its_gradient() -> None:
    score = scored(lambda words: -3 * words.sum(dim=1), 2, 7)
    result = smoothgrad.attribute(score, score.embedded)
    assert result.matrix is not None
    assert result.matrix.flatten().tolist() == pytest.approx([-3, -3])
    assert result.scores.tolist() == pytest.approx([3, 3])


def test_smoothgrad_sees_as_far_as_its_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean of 3 (x + e)² is 3 (x² + s²); s is a tenth of the range from 0 to 50."""
    monkeypatch.setattr(smoothgrad, "SAMPLES", 20_000)
    score = scored(lambda words: (words**3).sum(dim=1), 0, 50, 2)
    result = smoothgrad.attribute(score, score.embedded)
    assert result.scores.tolist() == pytest.approx([3 * 25, 3 * 2525, 3 * 29], rel=0.05)


def test_smoothgrad_is_captums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of other noise, of so much of it that it does not matter."""
    monkeypatch.setattr(smoothgrad, "SAMPLES", 4000)
    score = class_score(network(), IDS, target=0)
    ours = smoothgrad.attribute(score, score.embedded).matrix
    assert ours is not None
    words = score.embedded.detach()
    spread = smoothgrad.NOISE * float(words.max() - words.min())
    torch.manual_seed(1)
    theirs = NoiseTunnel(Saliency(score)).attribute(words, nt_samples=4000, stdevs=spread, abs=False)[0]
    assert float((ours - theirs).norm() / theirs.norm()) < 0.05
    plain = Saliency(score).attribute(words.requires_grad_(), abs=False)[0]
    assert float((ours - plain).norm() / theirs.norm()) > 0.1, "without noise it is another one"


# ---------------------------------------------------------------------------------------------------------- regions


@pytest.mark.parametrize("pooled", [1, 2])
@pytest.mark.parametrize("tokens", [1, 2, 3, 7])
def test_regions_add_up_to_the_score_less_its_bias(pooled: int, tokens: int) -> None:
    built = network(pooled=pooled, classes=3)
    for target in range(3):
        score = class_score(built, IDS[:tokens], target)
        result = regions.attribute(score, score.embedded)
        assert result.scores.shape == (tokens,)
        expected = float(score(score.embedded).detach() - built.output.bias[target])
        assert float(result.scores.sum()) == pytest.approx(expected)


def test_words_of_a_region_share_alike() -> None:
    """One filter of two words answers 2 x + 3 y: of 1, 5, 4 it picks 5, 4 and adds 22 times 10."""
    built = network(region_sizes=(2,), filters=1, dimensions=1)
    for word, value in ((2, 1.0), (3, 5.0), (4, 4.0)):
        built.embedding.weight[word] = value
    built.convolutions[0].weight.copy_(torch.tensor([[[2.0, 3.0]]]))
    built.convolutions[0].bias.zero_()
    built.output.weight.fill_(10.0)
    for target, sign in ((1, 1), (0, -1)):
        score = class_score(built, torch.tensor([2, 3, 4]), target)
        assert regions.attribute(score, score.embedded).scores.tolist() == pytest.approx([0, sign * 110, sign * 110])


# ---------------------------------------------------------------------------------------------------------- nothing


@pytest.mark.parametrize("method", [smoothgrad, occlusion, lime, shapley, regions])
def test_an_empty_text_has_no_scores(method: object) -> None:
    score = class_score(network(), IDS[:0], target=1)
    result = method.attribute(score, score.embedded)  # type: ignore[attr-defined]
    assert result.scores.shape == (0,)
    assert not result.residual
