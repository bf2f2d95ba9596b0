"""BLEU of single sentences adds up to sacrebleu's, and one translator is better only where drawn test sets say so."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU as METRIC

from nlpviz.language.decoding.bleu import corpus_bleu, sentence_statistics
from nlpviz.results.bleu import BleuStatistics, differences_by_length, paired_bootstrap
from nlpviz.ui.translation.bleu import better_said

RNG = np.random.default_rng(0)
WORDS = [
    "a",
    "man",
    "woman",
    "dog",
    "rides",
    "bike",
    "in",
    "the",
    "red",
    "street",
    ",",
    "and",
    "two",
    "Children",
    "play",
]
REFERENCES = [" ".join(RNG.choice(WORDS, size=RNG.integers(5, 15))) for _ in range(300)]


def worse(share: float, seed: int) -> list[str]:
    """Return the references with this share of the words replaced."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(str(rng.choice(WORDS)) if rng.random() < share else word for word in text.split())
        for text in REFERENCES
    ]


def test_sentences_add_up_to_sacrebleus_score() -> None:
    translations = worse(0.3, 1)
    found = sentence_statistics(translations, REFERENCES)
    assert found.score()[0] == pytest.approx(corpus_bleu(translations, REFERENCES).score)
    weights = np.zeros((2, 300), dtype=int)
    weights[0, :50] = 1
    weights[1, 7] = weights[1, 11] = 2
    first, second = found.score(weights)
    metric = METRIC(lowercase=True)
    assert first == pytest.approx(metric.corpus_score(translations[:50], [REFERENCES[:50]]).score)
    drawn = [7, 7, 11, 11]
    some, theirs = ([texts[position] for position in drawn] for texts in (translations, REFERENCES))
    assert second == pytest.approx(metric.corpus_score(some, [theirs]).score) or second == 0


def test_nothing_in_common_is_nothing() -> None:
    assert sentence_statistics(["x y z q w"], ["a b c d e"]).score()[0] == 0
    assert sentence_statistics([""], ["a b"]).score()[0] == 0
    none = sentence_statistics([], [])
    assert none.correct.shape == none.total.shape == (0, 4)
    assert none.score()[0] == 0


def statistics(share: float, seed: int) -> BleuStatistics:
    return sentence_statistics(worse(share, seed), REFERENCES)


def test_a_clear_difference_is_told_and_none_where_there_is_none() -> None:
    good, bad, like = statistics(0.1, 1), statistics(0.4, 2), statistics(0.1, 3)
    found = paired_bootstrap(good, bad)
    assert found.significant
    assert found.p == 0
    assert found.interval.low < found.difference < found.interval.high
    assert found.difference == pytest.approx(good.score()[0] - bad.score()[0])
    back = paired_bootstrap(bad, good)
    assert back.interval == pytest.approx([-end for end in reversed(found.interval)])
    same = paired_bootstrap(good, good)
    assert not same.significant
    assert same.p == 1
    assert not paired_bootstrap(good, like).significant
    assert paired_bootstrap(good, bad) == found, "the same draws each time"
    with pytest.raises(ValueError, match="do not match"):
        paired_bootstrap(good, sentence_statistics(["a"], ["a"]))


def test_better_is_said_of_what_the_draws_tell_apart_alone() -> None:
    first, like, bad = statistics(0.1, 1), statistics(0.1, 3), statistics(0.4, 2)
    differences = {"twin": paired_bootstrap(first, like), "bad": paired_bootstrap(first, bad)}
    sentence, pieces = better_said(differences)
    text = sentence.format(**pieces)
    assert text.startswith("It is significantly better than 1 of the 2 other models")
    assert text.endswith(" No significant difference: twin.")
    sentence, pieces = better_said({"twin": differences["twin"]})
    assert sentence.format(**pieces) == "It is not significantly better than the other model (paired bootstrap)."


def test_differences_by_length_are_those_of_the_groups_alone() -> None:
    first, second = (sentence_statistics(worse(share, seed), REFERENCES) for share, seed in ((0.2, 1), (0.4, 2)))
    groups = differences_by_length(first, second)
    assert sum(one.sentences for one in groups) == 300
    assert all(one.longest < other.shortest for one, other in pairwise(groups))
    words = np.array([len(text.split()) for text in REFERENCES])
    for one in groups:
        inside = (words >= one.shortest) & (words <= one.longest)
        assert inside.sum() == one.sentences
        alone = [stats.score(inside[None].astype(int))[0] for stats in (first, second)]
        assert one.difference.difference == pytest.approx(alone[0] - alone[1])


def test_sentences_of_one_length_are_one_group() -> None:
    found = sentence_statistics(["a man rides a bike", "a dog"], ["a man rides a horse", "two dogs in the street"])
    assert [(one.shortest, one.longest, one.sentences) for one in differences_by_length(found, found)] == [(5, 5, 2)]
