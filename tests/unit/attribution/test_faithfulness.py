"""The best and the worst order against all orders there are, measures by hand, and what methods agree in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr
from torch import Tensor, nn

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.faithfulness import (
    EXACT,
    GROUPS,
    ORDERS,
    WIDTH,
    GroupReader,
    measure,
    order_of,
    search,
    starts,
)
from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier, RecurrentConfig
from nlpviz.results.agreement import MethodAgreement, agreement
from nlpviz.results.explanation import Explanation
from nlpviz.results.faithfulness import Bounds, Faithfulness, area, fall, shortfall
from nlpviz.runs import Run, TrainedModel
from nlpviz.text.vocabulary import PAD, Vocabulary
from tests import toy

WORDS = Vocabulary([f"w{number}" for number in range(60)], [1] * 60)


class Formula(nn.Module):
    """A network whose log-odds are a formula of which words are there: (B, 60), how often each one is."""

    def __init__(self, formula: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.formula = formula

    def embed(self, ids: Tensor) -> Tensor:
        return nn.functional.one_hot(ids, 62).double()

    def mask(self, ids: Tensor) -> Tensor:
        return ids != PAD

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        return self.formula((embedded * mask.unsqueeze(-1)).sum(dim=1)[:, 2:]).unsqueeze(-1)


WEIGHTS = torch.linspace(1.5, -1, 60, dtype=torch.double)


def additive(there: Tensor) -> Tensor:
    return there @ WEIGHTS


def tangled(there: Tensor) -> Tensor:
    """Words that need each other, and one that undoes another."""
    return 2 * there[:, 0] * there[:, 1] + there[:, 2] - 3 * there[:, 3] * (1 - there[:, 4]) + 0.5


@pytest.fixture
def thinking(toy_trained: Path) -> Callable[[Callable[[Tensor], Tensor]], TrainedModel]:
    """Return what makes a model of a formula; the run about it does not matter."""
    trained = Run.open(toy_trained / "toy-cnn").load()
    return lambda formula: replace(trained, module=Formula(formula).eval())


def explained(
    trained: TrainedModel, tokens: int, scores: list[float] | None = None, signed: bool = True
) -> Explanation:
    """Return an explanation of the first words of the vocabulary, towards the positive class."""
    encoded = WORDS.encode(" ".join(f"w{number}" for number in range(tokens)), 99)
    own = np.arange(tokens, 0, -1) if scores is None else np.array(scores)
    with torch.no_grad():
        logits = trained.module.classify(
            *(of(torch.from_numpy(encoded.row)[None]) for of in (trained.module.embed, trained.module.mask))
        )
    positive = float(torch.sigmoid(logits))
    return Explanation(
        run="formula", epoch=1, method="truth", encoded=encoded, scores=own.astype(np.float32), matrix=None,
        signed=signed, target=1, class_names=("bad", "good"), class_score=float(logits),
        probabilities=np.array([1 - positive, positive], np.float32),
    )  # fmt: skip


def sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


# ----------------------------------------------------------------------------------------------------- best and worst


def test_of_few_groups_the_best_and_the_worst_of_all_orders_are_found(
    thinking: Callable[[Callable[[Tensor], Tensor]], TrainedModel],
) -> None:
    trained = thinking(tangled)
    one = explained(trained, 6)
    found = search(trained, one)
    reader = GroupReader(trained, one.encoded, 1)
    every = [float(fall(reader.curve(order))) for order in permutations(range(6))]
    assert (found.width, found.tokens, found.groups) == (0, 6, 6)
    assert float(fall(found.best)) == pytest.approx(max(every))
    assert float(fall(found.worst)) == pytest.approx(min(every))
    assert found.readings <= 2**6


def test_of_many_groups_a_beam_finds_the_order_of_a_sum(
    thinking: Callable[[Callable[[Tensor], Tensor]], TrainedModel],
) -> None:
    trained = thinking(additive)
    one = explained(trained, 20)
    told: list[float] = []
    reader = GroupReader(trained, one.encoded, 1, groups=20)
    found = search(trained, one, told.append, reader)
    assert found.width == WIDTH
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, pytest.approx(39 / 40))
    np.testing.assert_allclose(found.best, reader.curve(range(20)))
    np.testing.assert_allclose(found.worst, reader.curve(range(19, -1, -1)))


@pytest.mark.parametrize(("tokens", "groups"), [(0, 0), (1, 1), (GROUPS, GROUPS), (GROUPS + 1, GROUPS), (1000, GROUPS)])
def test_groups_are_about_equally_long(tokens: int, groups: int) -> None:
    begins = starts(tokens)
    assert len(begins) == groups
    lengths = np.diff([*begins, tokens])
    assert lengths.sum() == tokens
    assert groups == 0 or lengths.max() - lengths.min() <= 1


def test_a_text_without_groups_is_the_shorter_text(toy_trained: Path) -> None:
    trained = Run.open(toy_trained / "toy-cnn").load()
    text = next(text for text in toy.read("test").texts if len(text.split()) >= 8)
    one, words = explain(trained, text, "saliency"), text.split()
    reader = GroupReader(trained, one.encoded, one.target)
    sets = [0, 0b1, 0b10110, (1 << len(words)) - 1]
    for gone, probability in zip(sets, reader.without(sets), strict=True):
        left = " ".join(word for position, word in enumerate(words) if not gone >> position & 1)
        assert probability == pytest.approx(
            float(explain(trained, left, "saliency").probabilities[one.target]), abs=1e-5
        )
    assert reader.readings == 4
    reader.without(sets)
    assert reader.readings == 4, "what was read is known"


def test_texts_that_are_read_together_are_the_shorter_texts(toy_trained: Path) -> None:
    trained = Run.open(toy_trained / "toy-cnn").load()
    torch.manual_seed(0)
    module = RecurrentClassifier(RecurrentConfig(len(trained.vocabulary), dimensions=5, units=6)).eval()
    encoded, sets = trained.encode("the film was dreadful in town"), [0, 0b1, 0b10110, 0b111111]
    found = GroupReader(replace(trained, module=module), encoded, 1).without(sets)
    for gone, probability in zip(sets, found, strict=True):
        left = torch.tensor([[word for place, word in enumerate(encoded.ids) if not gone >> place & 1]]).long()
        with torch.no_grad():
            alone = torch.sigmoid(module.classify(module.embed(left), module.mask(left)))
        assert probability == pytest.approx(float(alone), abs=1e-5)


# ----------------------------------------------------------------------------------------------------------- measures


def test_measures_by_hand() -> None:
    removed, kept = np.array([0.9, 0.5, 0.4, 0.5]), np.array([0.5, 0.8, 0.7, 0.9])
    assert float(fall(removed)) == pytest.approx((0.4 + 0.5 + 0.4) / 3)
    assert float(shortfall(kept)) == pytest.approx((0.1 + 0.2 + 0) / 3)
    assert float(area(removed)) == pytest.approx((0.45 + 0.5 + 0.4 + 0.25) / 3)
    assert float(area(np.array([0.7]))) == 0.7


def test_all_measures_of_a_sum_by_hand(thinking: Callable[[Callable[[Tensor], Tensor]], TrainedModel]) -> None:
    """Log-odds 1 and -2 of two words, with 3 besides: removed in either order, and kept."""
    trained = thinking(lambda there: 3 + there[:, 0] - 2 * there[:, 1])
    good = explained(trained, 2)
    bad = replace(good, method="lie", scores=np.array([0.0, 1.0], np.float32))
    result = measure(trained, [good, bad], search(trained, good))
    whole, alone, other, none = (sigmoid(x) for x in (2, 4, 1, 3))
    assert result.removed.tolist() == [pytest.approx([whole, other, none]), pytest.approx([whole, alone, none])]
    assert result.kept.tolist() == [pytest.approx([none, alone, whole]), pytest.approx([none, other, whole])]
    assert result.comprehensiveness.tolist() == pytest.approx([(2 * whole - one - none) / 2 for one in (other, alone)])
    assert result.sufficiency.tolist() == pytest.approx([(whole - one) / 2 for one in (alone, other)])
    assert result.deletion.tolist() == pytest.approx([(whole + 2 * one + none) / 4 for one in (other, alone)])
    assert result.insertion.tolist() == pytest.approx([(whole + 2 * one + none) / 4 for one in (alone, other)])
    for number, values in enumerate((result.comprehensiveness, result.sufficiency)):
        assert result.normalised(values, number).tolist() == pytest.approx([1, 0])
    assert result.methods == ("truth", "lie")
    assert result.areas == pytest.approx((result.deletion[0], result.deletion[1]))
    assert result.areas == pytest.approx((result.insertion[1], result.insertion[0]))
    assert {round(float(one), 9) for one in result.random_deletion} == {round(float(one), 9) for one in result.areas}
    assert {round(float(one), 9) for one in result.random_insertion} == {round(float(one), 9) for one in result.areas}
    assert len(result.random_comprehensiveness) == len(result.random_sufficiency) == ORDERS
    assert set(result.normalised(result.random_comprehensiveness, 0).round(9)) == {0, 1}


@pytest.mark.parametrize("tokens", [1, 3, EXACT, 15, 40])
def test_every_order_lies_between_the_best_and_the_worst(
    thinking: Callable[[Callable[[Tensor], Tensor]], TrainedModel], tokens: int
) -> None:
    def rough(there: Tensor) -> Tensor:
        return 1 + additive(there) + torch.sin(there @ torch.arange(60).double() ** 2)

    trained = thinking(rough)
    draw = np.random.default_rng(1)
    ones = [explained(trained, tokens, draw.normal(size=tokens).tolist(), signed) for signed in (True, False)]
    assert ones[0].predicted == 1
    result = measure(trained, ones, search(trained, ones[0]))
    spread = result.best[0] - result.worst[0]
    for number, sets in enumerate(
        ((result.comprehensiveness, result.random_comprehensiveness), (result.sufficiency, result.random_sufficiency))
    ):
        for values in sets:
            said = result.normalised(values, number)
            assert ((said >= -1e-9) & (said <= 1 + 1e-9)).all() if tokens > 1 else np.isnan(said).all()
    assert result.worst[1] - result.best[1] == pytest.approx(spread), "one search serves both"
    backwards = [order_of(one, result.bounds.starts)[::-1] for one in ones]
    reader = GroupReader(trained, ones[0].encoded, 1)
    turned = [float(fall(reader.curve(order))) for order in backwards]
    constant = (result.removed[0, -1] - result.removed[0, 0]) / result.bounds.groups
    assert result.sufficiency.tolist() == pytest.approx([one + constant for one in turned])


def test_what_an_order_is() -> None:
    """Means of groups, not sums, of magnitudes where there is no sign; equal ones as they are read."""
    encoded = WORDS.encode(" ".join(f"w{number}" for number in range(5)), 99)
    one = Explanation(
        "r", 1, "m", encoded, np.array([1, 1, -4, 2, 0], np.float32), None, True, 0, ("a", "b"),
        np.array([0.6, 0.4], np.float32), 1.0,
    )  # fmt: skip
    begins = np.array([0, 2, 3])  # means 1, -4, 1
    assert order_of(one, begins) == [0, 2, 1]
    assert order_of(replace(one, signed=False), begins) == [1, 0, 2]
    assert order_of(one, begins[:0]) == []


def test_only_the_predicted_class_is_measured(toy_trained: Path) -> None:
    trained = Run.open(toy_trained / "toy-cnn").load()
    text = toy.read("test").texts[0]
    predicted = explain(trained, text, "saliency").target
    other = explain(trained, text, "saliency", 1 - predicted)
    with pytest.raises(ValueError, match="predicted class"):
        measure(trained, [other], search(trained, other))


@pytest.mark.parametrize("text", ["", "splendid", "zzz qqq"])
def test_texts_that_say_little(toy_trained: Path, text: str) -> None:
    trained = Run.open(toy_trained / "toy-cnn").load()
    ones = [explain(trained, text, method) for method in methods_for(trained.run)]
    result = measure(trained, ones, search(trained, ones[0]))
    assert np.isfinite(result.comprehensiveness).all()
    assert np.isfinite(result.insertion).all()
    assert np.isnan(result.normalised(result.comprehensiveness, 0)).all()
    assert agreement(ones).tokens == len(text.split())


def test_results_of_other_shapes_are_refused() -> None:
    bounds = Bounds(np.array([0]), 1, 0, np.array([0.5, 0.4]), np.array([0.5, 0.4]), 2)
    with pytest.raises(ValueError, match="bounds need one probability"):
        replace(bounds, best=np.array([0.5]))
    curves, wrong = np.array([[0.5, 0.4]]), np.array([[0.5]])
    assert Faithfulness("r", 1, "t", ("m",), curves, curves, curves, curves, bounds, 0).comprehensiveness[0] > 0
    with pytest.raises(ValueError, match="one probability per order"):
        Faithfulness("r", 1, "t", ("m",), wrong, wrong, curves, curves, bounds, 0)
    with pytest.raises(ValueError, match="orders in which groups"):
        Faithfulness("r", 1, "t", ("m",), curves, wrong, curves, curves, bounds, 0)


# ---------------------------------------------------------------------------------------------------------- agreement


def test_agreement_by_hand_and_by_scipy() -> None:
    encoded = WORDS.encode(" ".join(f"w{number}" for number in range(12)), 99)
    draw = np.random.default_rng(0)

    def one(method: str, scores: np.ndarray, signed: bool = True) -> Explanation:
        return Explanation(
            "r", 1, method, encoded, scores.astype(np.float32), None, signed, 0, ("a", "b"),
            np.array([0.6, 0.4], np.float32), 1.0,
        )  # fmt: skip

    first, second = draw.normal(size=12), draw.normal(size=12)
    ones = [one("a", first), one("b", second), one("c", abs(first), signed=False), one("d", np.ones(12))]
    result = agreement(ones)
    assert (result.methods, result.top, result.tokens) == (("a", "b", "c", "d"), 6, 12)
    assert result.correlation[0, 1] == pytest.approx(spearmanr(first, second).statistic)
    assert result.correlation[1, 2] == pytest.approx(spearmanr(abs(second), abs(first)).statistic)
    assert result.correlation[0, 2] == pytest.approx(1), "magnitudes, where one has no sign"
    assert np.isnan(result.correlation[3]).all()
    tops = [set(np.argsort(-abs(values))[:6]) for values in (first, second)]
    assert result.overlap[0, 1] == len(tops[0] & tops[1]) / 6
    assert np.diag(result.overlap).tolist() == [1] * 4
    assert result.by_chance == pytest.approx(6 / 12)
    assert result.unrelated == pytest.approx(1.96 / 11**0.5)
    with pytest.raises(ValueError, match="same tokens"):
        agreement([ones[0], replace(ones[1], encoded=WORDS.encode("w1", 9), scores=np.ones(1, np.float32))])
    with pytest.raises(ValueError, match="pairs of methods"):
        MethodAgreement(("a",), np.eye(2), np.eye(1), 1, 1)
