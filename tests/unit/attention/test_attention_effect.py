"""Does attention matter? Interventions, leave-one-out and Kendall's tau against numbers worked by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from nlpviz.analysis.inspection.attention_effect import (
    DRAWS,
    REMOVED,
    SHUFFLES,
    attention_effect,
    equal_mass,
    replacements,
)
from nlpviz.analysis.inspection.attention_survey import asked_of, sample, survey_attention
from nlpviz.results.attention_effect import Agreement, AttentionEffect, AttentionSurvey, Intervention
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.runs.attention_effects import ATTENTION, attention_survey, write_attention
from nlpviz.text.vocabulary import PAD, Vocabulary

WORDS = ["good", "bad", "film", "very", "dull"]
VALUES = torch.tensor([0.0, 0.0, 2.0, -1.0, 0.0, 0.5, -3.0])  # of padding, unknown, then WORDS: what a word says
KEYS = torch.tensor([0.0, 0.0, 3.0, 1.0, 0.0, 2.0, -1.0])  # how much it is attended to
VOCABULARY = Vocabulary(WORDS, [1] * len(WORDS))


class Weighing(nn.Module):
    """The log-odds are the mean of the words' values, weighted by a softmax of their keys."""

    def embed(self, ids: Tensor) -> Tensor:
        return torch.stack([VALUES[ids], KEYS[ids]], dim=-1)

    def mask(self, ids: Tensor) -> Tensor:
        return ids != PAD

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        return self.classify_attending(embedded, mask, self.attend(embedded, mask))

    def attend(self, embedded: Tensor, mask: Tensor) -> Tensor:
        return torch.softmax(embedded[..., 1].masked_fill(~mask, -torch.inf), dim=1).nan_to_num()

    def classify_attending(self, embedded: Tensor, _mask: Tensor, weights: Tensor) -> Tensor:
        return (weights * embedded[..., 0]).sum(dim=1, keepdim=True)


class Heads(Weighing):
    """Two layers of one head, of which the second adds nothing; the mean word decides."""

    attend = None

    def heads(self, embedded: Tensor, _mask: Tensor) -> Tensor:
        length = embedded.shape[1]
        row = torch.softmax(embedded[..., 1], dim=1)[:, None, None, None, :]
        return row.expand(-1, 2, 1, length, -1)

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        return self.classify_attending(embedded, mask, self.heads(embedded, mask))

    def classify_attending(self, embedded: Tensor, _mask: Tensor, heads: Tensor) -> Tensor:
        taken = heads[:, 0, 0] @ embedded[..., :1]  # (B, T, 1)
        return taken.mean(dim=1)


def sigmoid(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))


def trained(module: nn.Module) -> TrainedModel:
    return cast("TrainedModel", SimpleNamespace(module=module, run=SimpleNamespace(name="toy"), epoch=1))


def explained(module: nn.Module, text: str) -> Explanation:
    """Return made-up gradients, with what the module says of the text."""
    encoded = VOCABULARY.encode(text, 99)
    ids = torch.from_numpy(encoded.ids).unsqueeze(0)
    odds = float(module.classify(module.embed(ids), module.mask(ids))) if len(encoded.ids) else 0.0
    target = int(odds > 0)
    return Explanation(
        run="toy", epoch=1, method="saliency", encoded=encoded, matrix=None, signed=False, target=target,
        scores=np.arange(len(encoded.ids), dtype=np.float32), class_names=("negative", "positive"),
        probabilities=np.array([sigmoid(-odds), sigmoid(odds)], np.float32), class_score=abs(odds),
    )  # fmt: skip


def effect(module: nn.Module, text: str) -> AttentionEffect:
    return attention_effect(trained(module), explained(module, text))


MODULE = Weighing()
TEXT = "good bad film"
KEYED = np.exp([3.0, 1.0, 0.0])  # of its words
OWN = KEYED / KEYED.sum()


# ------------------------------------------------------------------------------------------------- interventions


def test_uniform_is_the_mean_of_the_words() -> None:
    result = effect(MODULE, TEXT)
    np.testing.assert_allclose(result.weights, OWN, rtol=1e-6)
    assert result.probability(Intervention("uniform")) == pytest.approx([sigmoid((2 - 1 + 0) / 3)])


def test_removed_weights_are_shared_by_the_others_in_proportion() -> None:
    result = effect(MODULE, TEXT)
    without_good = KEYED[1] / (KEYED[1] + KEYED[2]) * -1
    assert result.probability(Intervention("top", 1)) == pytest.approx([sigmoid(without_good)])
    assert result.probability(Intervention("top", 2)) == pytest.approx([sigmoid(0)]), "film alone is left"
    assert result.flipped(Intervention("top", 1)).all(), "without good the text is bad"
    assert result.change(Intervention("top", 1)) == pytest.approx(
        [result.probabilities[1] - sigmoid(without_good)], abs=1e-6
    )
    assert not any(one.removed > 2 for one in result.answers), "what would take all words away is not asked"


def test_self_attention_loses_whole_columns() -> None:
    """Every query of these heads weighs like the pooling above, so that the answers are the same."""
    pooled, attending = effect(MODULE, TEXT), effect(Heads(), TEXT)
    np.testing.assert_allclose(attending.weights, OWN, rtol=1e-6)
    assert pooled.answers.keys() == attending.answers.keys()
    for one in pooled.answers:
        np.testing.assert_allclose(pooled.answers[one], attending.answers[one], atol=1e-6)


def test_effect_is_of_what_was_explained() -> None:
    saliency = explained(MODULE, TEXT)
    result = attention_effect(trained(MODULE), saliency)
    assert (result.run, result.epoch) == (saliency.run, saliency.epoch)
    assert result.encoded is saliency.encoded
    np.testing.assert_array_equal(result.saliency, saliency.scores)
    np.testing.assert_array_equal(result.probabilities, saliency.probabilities)


@pytest.mark.parametrize(("read", "shares"), [(1, [1 / 3, 2 / 3, 1]), (3, [1 / 3, 2 / 3, 1]), (6, [2 / 3, 1])])
def test_it_is_told_how_many_words_were_left_out(
    monkeypatch: pytest.MonkeyPatch, read: int, shares: list[float]
) -> None:
    monkeypatch.setattr("nlpviz.analysis.inspection.attention_effect._READ", read)
    told: list[float] = []
    attention_effect(trained(MODULE), explained(MODULE, TEXT), report=told.append)
    assert told == pytest.approx(shares)


def test_every_replacement_sums_to_one() -> None:
    rng = np.random.default_rng(0)
    heads = rng.dirichlet(np.ones(12), size=(2, 3, 12)).astype(np.float32)
    words = heads.mean(axis=(0, 1, 2))
    drawn: dict[Intervention, list[np.ndarray]] = {}
    for one, other in replacements(heads, words):
        assert other.shape == heads.shape
        np.testing.assert_allclose(other.sum(axis=-1), 1, rtol=1e-5)
        drawn.setdefault(one, []).append(other)
    heaviest = np.argsort(-words)
    for one, others in drawn.items():
        zero = [np.flatnonzero((other == 0).all(axis=(0, 1, 2))) for other in others]
        if one.kind != "mass":
            assert all(len(positions) == one.removed for positions in zero)
        if one.kind == "top":
            assert set(zero[0]) == set(heaviest[: one.removed])
        if one.kind == "shuffled":
            orders = [np.argsort(other[0, 0, 0]) for other in others]
            assert all(np.array_equal(np.sort(other, axis=-1), np.sort(heads, axis=-1)) for other in others)
            assert len({tuple(order) for order in orders}) > 1, "each draw is another permutation"
    assert {one.removed for one in drawn} == {0, *(count for count in REMOVED if count < 12)}
    assert {one.kind: len(others) for one, others in drawn.items()} == {
        "uniform": 1, "shuffled": SHUFFLES, "top": 1, "random": DRAWS, "mass": DRAWS,
    }  # fmt: skip


@given(st.integers(2, 60), st.integers(1, 10), st.integers(0, 50))
def test_random_words_weigh_as_much_as_the_heaviest(count: int, removed: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = rng.dirichlet(np.full(count, rng.choice([0.1, 1, 10]))).astype(np.float32)
    heaviest = np.argsort(-words, kind="stable")[:removed]
    drawn = equal_mass(words, heaviest, rng)
    assert len(set(drawn)) == len(drawn) < count
    wanted, total = words[heaviest].sum(dtype=float), words[drawn].sum(dtype=float)
    staying = np.delete(words, drawn)
    if len(drawn) < count - 1:
        assert all(abs(total - wanted) <= abs(total + more - wanted) + 1e-6 for more in staying), (
            "one more is no nearer"
        )


def test_random_words_of_equal_mass_are_more_than_the_heaviest_and_others_each_time() -> None:
    words = np.array([0.3, 0.2, 0.1] + [0.02] * 20, dtype=np.float32)
    drawn = [equal_mass(words, np.array([1, 2]), np.random.default_rng(seed)) for seed in range(20)]
    assert all(words[some].sum() == pytest.approx(0.3, abs=0.011) for some in drawn)
    assert len({tuple(sorted(some)) for some in drawn}) > 10
    assert np.mean([len(some) for some in drawn]) > 2


def test_words_without_any_weight_share_it_equally() -> None:
    weights = np.array([1, 0, 0], dtype=np.float32)
    result = dict(replacements(weights, weights))
    assert result[Intervention("top", 1)].tolist() == [0, 0.5, 0.5]


def test_the_same_is_drawn_again() -> None:
    first, second = effect(MODULE, "good bad film very dull"), effect(MODULE, "good bad film very dull")
    assert all(np.array_equal(first.answers[one], second.answers[one]) for one in first.answers)


@pytest.mark.parametrize(("text", "count"), [("", 0), (" \n", 0), ("good", 1), ("zzz", 1)])
def test_a_text_of_one_word_or_none(text: str, count: int) -> None:
    result = effect(MODULE, text)
    assert {one.kind for one in result.answers} == ({"uniform", "shuffled"} if count else set())
    assert all(result.change(one).max() < 1e-6 for one in result.answers), "one word has all weight whatever is done"
    assert result.leave_one_out.shape == (count,)
    assert result.agreement == Agreement(None, None, None)


def test_a_network_without_attention_is_refused() -> None:
    with pytest.raises(RunError, match="'toy' has no attention"):
        attention_effect(trained(nn.Linear(1, 1)), explained(MODULE, TEXT))


def test_another_class_than_the_predicted_one_is_refused() -> None:
    with pytest.raises(ValueError, match="for the predicted class"):
        attention_effect(trained(MODULE), replace(explained(MODULE, TEXT), target=0))


# ------------------------------------------------------------------------------------- leave-one-out, agreement


def test_leave_one_out_reads_the_text_without_each_word() -> None:
    result = effect(MODULE, TEXT)
    says = np.array([2.0, -1.0, 0.0])
    whole = (KEYED * says).sum() / KEYED.sum()
    others = [(KEYED[keep] * says[keep]).sum() / KEYED[keep].sum() for keep in ([1, 2], [0, 2], [0, 1])]
    np.testing.assert_allclose(result.leave_one_out, whole - np.array(others), rtol=1e-5)
    assert not len(attention_effect(trained(MODULE), explained(MODULE, TEXT), leave_one_out=False).leave_one_out)


def tau_b(first: np.ndarray, second: np.ndarray) -> float:
    """Return Kendall's tau-b, pair by pair."""
    signs = [
        (np.sign(first[i] - first[j]), np.sign(second[i] - second[j])) for i, j in combinations(range(len(first)), 2)
    ]
    concordant = sum(a * b for a, b in signs)
    return float(concordant / np.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs)))


def test_agreement_is_kendalls_tau_of_weights_saliency_and_magnitudes() -> None:
    result = effect(MODULE, "good bad film very dull film good")
    moved = np.abs(result.leave_one_out)
    expected = (
        tau_b(result.weights, result.saliency), tau_b(result.weights, moved), tau_b(result.saliency, moved),
    )  # fmt: skip
    assert result.agreement == pytest.approx(expected)
    assert (
        attention_effect(trained(MODULE), explained(MODULE, TEXT), leave_one_out=False).agreement.leave_one_out is None
    )


def test_words_of_one_weight_have_no_order() -> None:
    assert effect(MODULE, "film film film").agreement == Agreement(None, None, None)


# -------------------------------------------------------------------------------------------------- result types


def made(answers: Mapping[Intervention, np.ndarray], tau: float | None = 0.5) -> AttentionEffect:
    """Return an effect on a text of three words and three classes."""
    encoded = VOCABULARY.encode(TEXT, 99)
    return AttentionEffect(
        run="toy", epoch=1, encoded=encoded, class_names=("a", "b", "c"),
        probabilities=np.array([0.5, 0.3, 0.2], np.float32), answers=dict(answers),
        weights=np.array([0.5, 0.3, 0.2], np.float32), saliency=np.zeros(3, np.float32),
        leave_one_out=np.zeros(0, np.float32), agreement=Agreement(tau, None, None), seed=0,
    )  # fmt: skip


def test_change_is_the_total_variation_distance() -> None:
    one = Intervention("shuffled")
    result = made({one: np.array([[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.0, 0.0, 1.0]], np.float32)})
    assert result.change(one) == pytest.approx([0, 0.3, 0.8])
    assert result.flipped(one).tolist() == [False, True, True]
    assert result.probability(one) == pytest.approx([0.5, 0.2, 0.0])


def test_effects_must_match_words_and_classes() -> None:
    result = made({})
    with pytest.raises(ValueError, match="one number per token"):
        replace(result, saliency=np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="a probability per class"):
        replace(result, answers={Intervention("uniform"): np.zeros((1, 2), np.float32)})
    with pytest.raises(ValueError, match="read-only"):
        result.weights[0] = 1
    with pytest.raises(ValueError, match="one row per document"):
        AttentionSurvey("toy", 1, ("a",), np.zeros(2, np.int32), (), *[np.zeros((1, 0), np.float32)] * 3)


def test_interventions_have_names() -> None:
    for one in (Intervention("uniform"), Intervention("top", 5)):
        assert Intervention.named(one.name) == one


# ------------------------------------------------------------------------------------------- kept beside a run

UNIFORM, TOP = Intervention("uniform"), Intervention("top", 2)


@pytest.fixture
def run(trained: Path) -> Run:
    """A run to write into."""
    return Run.open(trained / "toy-cnn")


def test_a_survey_is_read_as_it_was_written(run: Run) -> None:
    moved = np.array([[0.2, 0.4, 0.4], [0.5, 0.3, 0.2]], np.float32)
    effects = {
        0: {"test/1": made({UNIFORM: moved[:1]})},
        2: {"test/1": made({UNIFORM: moved[1:], TOP: moved}), "test/2": made({UNIFORM: moved[:1]}, tau=None)},
    }
    written = write_attention(run, effects)
    assert written == Run.open(run.folder)
    result = attention_survey(written, 2)
    assert (result.ids, result.tokens.tolist()) == (("test/1", "test/2"), [3, 3])
    assert result.interventions == (UNIFORM, TOP)
    np.testing.assert_allclose(result.change, [[0, 0.15], [0.3, np.nan]], atol=1e-6)
    np.testing.assert_allclose(result.flipped, [[0, 0.5], [1, np.nan]])
    assert result.changes(TOP) == pytest.approx([0.15])
    assert result.share_flipped(UNIFORM) == 0.5
    assert result.share_flipped(TOP) == 0.5
    assert result.correlations("saliency") == pytest.approx([0.5])
    assert not len(result.correlations("others"))
    assert attention_survey(written, 0).share_flipped(UNIFORM) == 1
    assert np.isnan(attention_survey(written, 0).share_flipped(TOP)), "no document of that epoch has so many words"


def test_a_survey_that_is_not_there_or_lacks_a_column(run: Run) -> None:
    with pytest.raises(RunError, match="`python -m nlpviz survey toy-cnn`"):
        attention_survey(run, 0)
    import pyarrow as pa

    from nlpviz.runs.files import write_table

    write_table(run.folder / ATTENTION, {"id": pa.array(["a"]), "change.uniform": pa.array([0.1])})
    with pytest.raises(RunError, match=r"attention.parquet of the run 'toy-cnn' lacks the column epoch, flipped"):
        attention_survey(run.save(), 0)


@pytest.mark.parametrize(("trained_on", "asked"), [(100, 60), (1_440, 90), (4_800, 300), (25_000, 300)])
def test_the_fewer_texts_were_trained_on_the_fewer_documents_are_asked(trained_on: int, asked: int) -> None:
    labels = np.arange(2_000) % 3
    places = sample(labels, asked_of(trained_on))
    assert np.bincount(labels[places]).tolist() == [asked // 3] * 3
    assert len(set(places.tolist())) == asked


def test_of_more_classes_than_documents_are_asked_each_has_one() -> None:
    assert sample(np.arange(200) % 100, 60).tolist() == list(range(100))


def test_the_chosen_epoch_is_asked_of_all_documents_and_others_of_a_part(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "load", lambda *_: trained(MODULE))
    monkeypatch.setattr("nlpviz.analysis.inspection.attention_survey.LEFT_OUT", 4)
    asked: list[str] = []

    def saliency(_: TrainedModel, text: str) -> Explanation:
        asked.append(text)
        return explained(MODULE, text)

    texts = [(f"test/{number}", f"good bad film {'very ' * number}") for number in range(6)]
    written = survey_attention(run, texts, saliency)
    assert attention_survey(written, run.best_epoch).ids == tuple(name for name, _ in texts)
    other = next(epoch for epoch in run.epochs if epoch != run.best_epoch)
    assert attention_survey(written, other).ids == ("test/0", "test/3")
    assert len(attention_survey(written, run.best_epoch).correlations("leave_one_out")) == 4
    assert len(attention_survey(written, other).correlations("leave_one_out")) == 1
    assert len(asked) == 6 + 2 * (len(run.epochs) - 1)
