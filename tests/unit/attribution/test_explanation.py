"""Ranks of scores, and curves of deletion, against other computations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from scipy.stats import spearmanr
from torch import Tensor, nn

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.deletion import ORDERS, deletion_curve
from nlpviz.results.deletion import DeletionCurve
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Run, TrainedModel, open_run
from nlpviz.text.vocabulary import PAD, Vocabulary
from tests import toy

WORDS = Vocabulary(["good", "fair", "bad", "dire", "the"], [5, 4, 3, 2, 1])
LOG_ODDS = {"good": 2.0, "fair": 0.5, "bad": -1.0, "dire": -3.0, "the": 0.0}


def explanation(text: str, target: int = 1, signed: bool = True) -> Explanation:
    """Return what is true of :class:`Sum`: each word's own log-odds."""
    encoded = WORDS.encode(text, 99)
    towards = 1 if target == 1 else -1
    scores = np.array([towards * LOG_ODDS[token.word] for token in encoded.read], np.float32)
    total = float(sum(LOG_ODDS[token.word] for token in encoded.read))
    return Explanation(
        run="sum", epoch=1, method="truth", encoded=encoded, scores=scores if signed else abs(scores),
        matrix=scores[:, np.newaxis], signed=signed, target=target, class_names=("bad", "good"),
        probabilities=np.array([sigmoid(-total), sigmoid(total)], np.float32), class_score=towards * total,
    )  # fmt: skip


def sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


class Sum(nn.Module):
    """A classifier whose log-odds are the sum of its words': every order of deletion can be worked by hand."""

    def embed(self, ids: Tensor) -> Tensor:
        return torch.tensor([LOG_ODDS.get(word, 0.0) for word in WORDS.words])[ids].unsqueeze(-1)

    def mask(self, ids: Tensor) -> Tensor:
        return ids != PAD

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        return (embedded.squeeze(-1) * mask).sum(dim=1, keepdim=True)


@pytest.fixture
def trained(toy_trained: Path) -> TrainedModel:
    """The model that adds words up; the run about it does not matter."""
    return replace(Run.open(toy_trained / "toy-cnn").load(), module=Sum().eval())


# ------------------------------------------------------------------------------------------------------------ ranks


@given(pairs=some.lists(some.tuples(some.integers(-4, 4), some.integers(-4, 4)), min_size=2, max_size=30))
def test_rank_correlation_is_scipys(pairs: list[tuple[int, int]]) -> None:
    given_first, given_second = (np.array(column, np.float32) for column in zip(*pairs, strict=True))
    of = explanation(" ".join(["the"] * len(pairs)))
    result = replace(of, scores=given_first).rank_correlation(replace(of, scores=given_second))
    if len(set(given_first.tolist())) < 2 or len(set(given_second.tolist())) < 2:
        assert result is None
    else:
        assert result == pytest.approx(spearmanr(given_first, given_second).statistic, abs=1e-9)


def test_rank_correlation_by_hand() -> None:
    """Ranks 1, 2, 3 against 3, 2, 1, and against 1, 2.5, 2.5."""
    of = explanation("good fair bad")
    ordered = replace(of, scores=np.array([0.1, 0.2, 0.9], np.float32))
    assert ordered.rank_correlation(replace(of, scores=np.array([5, 3, -1], np.float32))) == pytest.approx(-1)
    assert ordered.rank_correlation(replace(of, scores=np.array([0, 1, 1], np.float32))) == pytest.approx(0.75**0.5)


def test_ranks_of_no_tokens_and_of_other_tokens() -> None:
    assert explanation("").rank_correlation(explanation("")) is None
    assert explanation("good").rank_correlation(explanation("bad")) is None
    with pytest.raises(ValueError, match="same tokens"):
        explanation("good").rank_correlation(explanation("good bad"))


# --------------------------------------------------------------------------------------------------------- deletion


def test_supporting_words_go_first(trained: TrainedModel) -> None:
    curve = deletion_curve(trained, explanation("fair good the good bad"))
    assert curve.taken.tolist() == [0, 1, 3, 5]
    expected = [sigmoid(x) for x in (3.5, 1.5, -1.0, 0.0)]
    assert curve.probability.tolist() == pytest.approx(expected, abs=1e-6)
    assert (curve.target, curve.tokens, curve.share[1]) == ("good", 5, 0.2)
    assert curve.random.shape == (ORDERS, 4)
    assert (curve.probability <= curve.random + 1e-6).all(), "no order empties a sum faster"


def test_words_against_a_class_that_is_not_predicted_go_first(trained: TrainedModel) -> None:
    """Its probability rises, as far as it can."""
    curve = deletion_curve(trained, explanation("fair dire the bad good"))
    assert curve.probability.tolist() == pytest.approx([sigmoid(x) for x in (-1.5, 1.5, 2.5, 0.0)], abs=1e-6)
    assert (curve.probability >= curve.random - 1e-6).all()
    other = deletion_curve(trained, explanation("fair dire the bad good", target=0))
    np.testing.assert_allclose(other.probability, 1 - curve.probability, atol=1e-6)


def test_magnitudes_without_a_sign_go_largest_first(trained: TrainedModel) -> None:
    curve = deletion_curve(trained, explanation("bad good fair", signed=False))
    assert curve.probability.tolist() == pytest.approx([sigmoid(x) for x in (1.5, -0.5, 0.5, 0.0)], abs=1e-6)


def test_random_orders_begin_and_end_like_the_methods(trained: TrainedModel) -> None:
    curve = deletion_curve(trained, explanation("good bad fair the dire good " * 20))
    assert curve.taken.tolist() == [0, 1, 5, 10, 20, 50, 99]
    for end in (0, -1):
        np.testing.assert_allclose(curve.random[:, end], curve.probability[end], atol=1e-6)
    assert len({tuple(order) for order in curve.random.tolist()}) == ORDERS, "ten different orders"
    again = deletion_curve(trained, explanation("good bad fair the dire good " * 20))
    np.testing.assert_array_equal(curve.random, again.random)


@pytest.mark.parametrize(("text", "taken"), [("", [0]), ("good", [0, 1])])
def test_short_texts(trained: TrainedModel, text: str, taken: list[int]) -> None:
    curve = deletion_curve(trained, explanation(text))
    assert curve.taken.tolist() == taken
    assert curve.probability[-1] == pytest.approx(0.5)
    assert np.isfinite(curve.share).all()


@pytest.mark.parametrize("method", sorted(methods_for(open_run("imdb-cnn"))))
def test_what_is_left_is_what_a_shorter_text_gets(toy_trained: Path, method: str) -> None:
    """The network reads the words that are left as if nobody had ever typed the others."""
    trained = Run.open(toy_trained / "toy-cnn").load()
    text = next(text for text in toy.read("test").texts if len(text.split()) >= 10)
    explained = explain(trained, text, method)
    order = np.argsort(-explained.scores, kind="stable")
    curve = deletion_curve(trained, explained)
    for taken, probability in zip(curve.taken, curve.probability, strict=True):
        left = " ".join(word for position, word in enumerate(text.split()) if position not in order[:taken])
        shorter = explain(trained, left, method, explained.target)
        assert probability == pytest.approx(float(shorter.probabilities[explained.target]), abs=1e-5)
    assert curve.probability[1] < curve.random[:, 1].mean(), "the planted word goes first"


@pytest.fixture
def curve() -> DeletionCurve:
    """A curve of two points."""
    ends = np.array([0.9, 0.5], np.float32)
    return DeletionCurve("toy", 1, "truth", "good", 4, np.array([0, 4]), ends, np.stack([ends, ends]), 0)


def test_a_curve_cannot_be_changed(curve: DeletionCurve) -> None:
    for name in ("taken", "probability", "random"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(curve, name)[0] = 1
    with pytest.raises(FrozenInstanceError):
        curve.epoch = 2  # type: ignore[misc]


@pytest.mark.parametrize("name", ["probability", "random"])
def test_a_curve_has_one_probability_for_each_number_of_tokens(curve: DeletionCurve, name: str) -> None:
    change: Callable[..., DeletionCurve] = replace
    with pytest.raises(ValueError, match="one probability per number"):
        change(curve, **{name: np.zeros((2, 3), np.float32)})
