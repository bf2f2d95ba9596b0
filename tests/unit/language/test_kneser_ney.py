"""Kneser-Ney smoothing against a dictionary version, written straight from the paper."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from nlpviz.text.ngrams.kneser_ney import Discounts, KneserNey, discounts
from nlpviz.text.ngrams.trie import NgramTrie, count

SIZE = 12
NEVER = (0,)


def text(length: int = 400, seed: int = 0, size: int = SIZE) -> list[int]:
    """Return ids from 1 on, the small ones common, with repeated phrases as texts have."""
    rng = np.random.default_rng(seed)
    drawn = np.minimum(rng.zipf(1.5, length), size - 1)
    return [*drawn.tolist(), *drawn[: length // 4].tolist(), *drawn[length // 3 : length // 2].tolist()]


class Dictionary:
    """Interpolated modified Kneser-Ney by dictionaries of tuples: Chen and Goodman (1999), section 3."""

    def __init__(self, words: Sequence[int], order: int, size: int = SIZE) -> None:
        self.order, self.vocabulary = order, [word for word in range(size) if word not in NEVER]
        raw = {n: Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)) for n in range(1, order + 1)}
        self.counts = {order: raw[order]}
        for n in range(1, order):
            self.counts[n] = Counter(gram[1:] for gram in raw[n + 1])
        self.followers: dict[int, dict[tuple[int, ...], dict[int, int]]] = {}
        self.discounts = {}
        for n, counts in self.counts.items():
            self.followers[n] = defaultdict(dict)
            for gram, number in counts.items():
                self.followers[n][gram[:-1]][gram[-1]] = number
            of = Counter(counts.values())
            y = of[1] / (of[1] + 2 * of[2]) if of[1] else 0.0
            three = [max(k - (k + 1) * y * of[k + 1] / of[k], 0.0) if of[k] and of[1] else 0.0 for k in (1, 2, 3)]
            self.discounts[n] = dict(zip((1, 2, 3), three, strict=True))

    def probability(self, word: int, context: tuple[int, ...]) -> float:
        """Return p(word | context), of which the last words count."""
        context = context[len(context) - min(len(context), self.order - 1) :]
        n = len(context) + 1
        shorter = self.probability(word, context[1:]) if context else 1 / len(self.vocabulary)
        after = self.followers[n].get(context)
        if not after:
            return shorter
        total = sum(after.values())
        off = {follower: self.discounts[n][min(number, 3)] for follower, number in after.items()}
        own = (after[word] - off[word]) / total if word in after else 0.0
        return own + sum(off.values()) / total * shorter


@pytest.mark.parametrize("order", range(1, 8))
@pytest.mark.parametrize("seed", [0, 1])
def test_is_what_dictionaries_say(order: int, seed: int) -> None:
    words, other = text(seed=seed), text(60, seed + 10)
    model, slow = KneserNey(count(np.array(words), SIZE, order), order, NEVER), Dictionary(words, order)
    expected = [slow.probability(word, tuple(other[:place])) for place, word in enumerate(other)]
    np.testing.assert_allclose(model.probabilities(np.array(other)), expected, rtol=1e-12)


@pytest.mark.parametrize("order", range(1, 6))
def test_shorter_models_of_one_trie_are_models_of_their_own(order: int) -> None:
    words, other = text(), np.array(text(50, 5))
    longer, own = (KneserNey(count(np.array(words), SIZE, most), order, NEVER) for most in (6, order))
    np.testing.assert_allclose(longer.probabilities(other), own.probabilities(other))


def test_sums_to_one_after_any_context() -> None:
    """Seen, unseen and half-seen contexts, none, and one that stands at the very end of the text."""
    words = text()
    model = KneserNey(count(np.array(words), SIZE, 5), 5, NEVER)
    contexts = [[], words[:4], words[-4:], words[-1:], [9, 9, 9, 9], [*words[:2], 9, 10], [10, 11], [*words[3:6], 10]]
    for context in contexts:
        distribution = model.distribution(np.array(context, dtype=np.int64))
        assert distribution.sum() == pytest.approx(1, abs=1e-12)
        assert distribution[0] == 0, "padding is no word"
        assert (distribution[1:] > 0).all()


@pytest.mark.parametrize("context", [[5], [5, 6], [5, 6, 7], [6, 7]])
def test_what_begins_the_text_alone_follows_after_no_word(context: list[int]) -> None:
    """Its continuation count is zero, and so is that of everything after its context."""
    words = [5, 6, 7, 1, 2, 1, 2, 3, 1, 2, 3, 3, 1, 2, 2, 3]
    slow = Dictionary(words, 4)
    model = KneserNey(count(np.array(words), SIZE, 4), 4, NEVER)
    expected = [0.0, *(slow.probability(word, tuple(context)) for word in range(1, SIZE))]
    np.testing.assert_allclose(model.distribution(np.array(context)), expected, rtol=1e-12)
    read = [model.probabilities(np.array([*context, word]))[-1] for word in range(1, SIZE)]
    np.testing.assert_allclose(read, expected[1:], rtol=1e-12)


def test_the_distribution_holds_the_probability_of_each_word() -> None:
    model, other = KneserNey(count(np.array(text()), SIZE, 4), 4, NEVER), np.array(text(40, 3))
    found = model.probabilities(other)
    for place, word in enumerate(other):
        assert model.distribution(other[:place])[word] == pytest.approx(found[place], rel=1e-12)


def test_a_text_in_one_piece_is_the_same_in_two() -> None:
    model, other = KneserNey(count(np.array(text()), SIZE, 5), 5, NEVER), np.array(text(40, 3))
    whole = model.probabilities(other)
    pieces = [model.probabilities(other[:17]), model.probabilities(other[17:], other[:17])]
    np.testing.assert_array_equal(np.concatenate(pieces), whole)


def test_words_that_training_lacks_have_a_probability() -> None:
    model = KneserNey(count(np.array([1, 2, 3, 1, 2, 4, 1, 3]), 50, 3), 3, NEVER)
    distribution = model.distribution(np.array([1, 2]))
    assert (distribution[5:] > 0).all()
    assert distribution.sum() == pytest.approx(1)


def test_counts_of_counts_that_are_zero_take_nothing_off() -> None:
    """WikiText-2 has no word that occurs once or twice: 0/0 in the formula."""
    assert discounts(np.array([0, 5, 7, 9])) == Discounts(0, 0, 0)
    found = discounts(np.array([1, 1, 1, 5, 7]))
    assert found == Discounts(1, 0, 0), "nothing occurs twice, so that Y is 1; no count is two or three"
    model = KneserNey(count(np.array([1, 1, 1, 2, 2, 2, 3, 3, 3] * 3), 4, 1), 1, NEVER)
    np.testing.assert_allclose(model.distribution(np.array([], dtype=np.int64)), [0, 1 / 3, 1 / 3, 1 / 3])


def test_arrays_are_the_whole_trie() -> None:
    words = np.array(text(2_000, size=900))
    trie = count(words, 900, 4)
    again = NgramTrie.of_arrays(trie.arrays())
    different = [len({tuple(words[i : i + n]) for i in range(len(words) - n + 1)}) for n in range(1, 5)]
    assert len(again) == len(trie) == sum(different)
    other = np.array(text(100, 4, 900))
    np.testing.assert_array_equal(
        KneserNey(again, 4, NEVER).probabilities(other), KneserNey(trie, 4, NEVER).probabilities(other)
    )


def test_a_common_context_has_more_than_a_byte_of_followers() -> None:
    """A word's place among the followers of a shorter context is kept beyond 256."""
    rng = np.random.default_rng(0)
    words = np.stack([np.ones(4_000, dtype=int), rng.integers(2, 600, 4_000), rng.integers(2, 600, 4_000)], axis=1)
    slow, model = Dictionary(words.ravel().tolist(), 3, 600), KneserNey(count(words.ravel(), 600, 3), 3, NEVER)
    other = words[:50].ravel()
    expected = [slow.probability(word, tuple(other[:place].tolist())) for place, word in enumerate(other.tolist())]
    np.testing.assert_allclose(model.probabilities(other), expected, rtol=1e-12)


@pytest.mark.parametrize(("words", "order"), [([], 2), ([1, 2], 0)])
def test_nothing_to_count_is_refused(words: list[int], order: int) -> None:
    with pytest.raises(ValueError, match="n-grams"):
        count(np.array(words, dtype=np.int64), SIZE, order)


def test_an_order_beyond_the_counts_is_refused() -> None:
    with pytest.raises(ValueError, match="between 1 and 2"):
        KneserNey(count(np.array([1, 2, 1]), SIZE, 2), 3, NEVER)
