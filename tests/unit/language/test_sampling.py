"""Words that are drawn: what filters leave, that seeds repeat, and that draws are as likely as they are said to be."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.language.counts import CountPredictor
from nlpviz.language.sampling import Sampling, draws, filtered, likeliest, sample
from nlpviz.text.ngrams.kneser_ney import KneserNey
from nlpviz.text.ngrams.trie import count

with np.errstate(divide="ignore"):
    LOGS = np.log(np.array([0.0, 0.4, 0.3, 0.15, 0.1, 0.05]))


def model() -> CountPredictor:
    words = np.minimum(np.random.default_rng(1).zipf(1.4, 500), 29)
    return CountPredictor(KneserNey(count(words, 30, 4), 4, (0,)), 2)


@pytest.mark.parametrize(
    ("how", "left"),
    [
        (Sampling(), [0, 0.4, 0.3, 0.15, 0.1, 0.05]),
        (Sampling(temperature=0), [0, 1, 0, 0, 0, 0]),
        (Sampling(top_k=2), [0, 4 / 7, 3 / 7, 0, 0, 0]),
        (Sampling(top_k=1), [0, 1, 0, 0, 0, 0]),
        (Sampling(top_k=1_000), [0, 0.4, 0.3, 0.15, 0.1, 0.05]),
        (Sampling(top_p=0.65), [0, 4 / 7, 3 / 7, 0, 0, 0]),
        (Sampling(top_p=0), [0, 1, 0, 0, 0, 0]),
        (Sampling(top_k=3, top_p=0.5), [0, 4 / 7, 3 / 7, 0, 0, 0]),
        (Sampling(temperature=0.5), np.array([0, 0.16, 0.09, 0.0225, 0.01, 0.0025]) / 0.285),
    ],
)
def test_filters_leave_what_they_must(how: Sampling, left: list[float]) -> None:
    found = filtered(LOGS, how)
    np.testing.assert_allclose(found.after, left, atol=1e-12)
    np.testing.assert_allclose(found.before, np.exp(LOGS))
    assert found.after.sum() == pytest.approx(1)
    assert found.kept == np.count_nonzero(left)
    assert found.cut == pytest.approx(np.exp(LOGS)[np.array(left) == 0].sum())


def test_of_equally_likely_words_the_first_ones_are_kept() -> None:
    """As a stable sort of all words does it; many words have no count after a context, and are equally likely."""
    rng = np.random.default_rng(0)
    equal = np.log(np.repeat(rng.dirichlet(np.ones(40)), 100)[rng.permutation(4_000)] / 100)
    order = np.argsort(-equal, kind="stable")
    for most in (1, 7, 150, 1_000, 4_000, 5_000):
        np.testing.assert_array_equal(likeliest(equal, most), order[:most])
        assert set(np.flatnonzero(filtered(equal, Sampling(top_k=most)).after)) == set(order[:most])
    reached = np.cumsum(np.exp(equal)[order])
    for share in (0.01, 0.3, 0.9, 0.999):
        enough = np.searchsorted(reached, share) + 1
        assert set(np.flatnonzero(filtered(equal, Sampling(top_p=share)).after)) == set(order[:enough])


def test_at_the_highest_temperature_all_words_are_about_as_likely() -> None:
    after = filtered(LOGS, Sampling(temperature=100)).after
    assert after[0] == 0, "what has no probability is never drawn"
    np.testing.assert_allclose(after[1:], 0.2, atol=0.005)


@pytest.mark.parametrize(
    "wrong", [{"temperature": -1}, {"temperature": 101}, {"temperature": float("nan")}, {"top_k": -1}, {"top_p": 1.1}]
)
def test_what_has_no_meaning_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"between|at least"):
        Sampling(**wrong)  # type: ignore[arg-type]


def test_a_thousand_draws_fit_the_probabilities() -> None:
    rng, distribution = np.random.default_rng(0), filtered(LOGS, Sampling(top_k=4))
    drawn = np.bincount(draws(distribution, rng, 1_000), minlength=6) / 1_000
    assert not drawn[distribution.after == 0].any()
    assert abs(drawn - distribution.after).max() < 3 * np.sqrt(0.25 / 1_000)


def test_the_likeliest_are_those_of_a_whole_sort() -> None:
    found = np.random.default_rng(0).integers(0, 9, 400).astype(np.float64)  # many are equal: the smaller id is first
    for number in (0, 1, 7, 64, 399, 400, 500):
        np.testing.assert_array_equal(likeliest(found, number), np.argsort(-found, kind="stable")[:number])


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.999])
def test_a_nucleus_is_the_fewest_words_with_the_share(share: float) -> None:
    logs = np.random.default_rng(1).normal(size=3_000)
    before = np.exp(logs - np.log(np.exp(logs).sum()))
    after = filtered(np.log(before), Sampling(top_p=share)).after
    kept = np.sort(before[after > 0])
    assert kept.sum() >= share > kept[1:].sum()
    assert kept[0] >= before[after == 0].max()


def test_a_seed_repeats_and_another_one_does_not() -> None:
    counting = model()

    def words(seed: int) -> list[int]:
        return [one.word for one in sample(counting, counting.begin(), Sampling(seed=seed), 40)]

    assert words(3) == words(3)
    assert words(3) != words(4)
    assert len(words(3)) == 40


def test_a_text_goes_on_from_any_of_its_states() -> None:
    counting = model()
    drawn = list(sample(counting, counting.begin(), Sampling(temperature=0), 20))
    again = [one.word for one in sample(counting, drawn[9].state, Sampling(temperature=0), 10)]
    assert again == [one.word for one in drawn[10:]]


def test_each_word_says_how_likely_it_was() -> None:
    counting, nothing = model(), np.empty(0, dtype=np.int64)
    state = counting.begin()
    for one in sample(counting, state, Sampling(top_k=5, seed=1), 10):
        distribution = filtered(counting.distributions(state, nothing)[-1], Sampling(top_k=5))
        assert one.probability == pytest.approx(distribution.before[one.word])
        assert one.filtered == pytest.approx(distribution.after[one.word])
        state = one.state
