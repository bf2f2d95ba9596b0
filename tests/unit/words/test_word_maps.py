"""Maps of words: which words, exact places on PCA's axes, the same map every time, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA

from nlpviz.analysis.projections.quality import trustworthiness
from nlpviz.analysis.projections.words import (
    WordMapSettings,
    common_words,
    directions_of,
    mean_direction,
    place_directions,
    skipped,
    word_maps,
)
from nlpviz.results.vectors import WordVectors
from nlpviz.runs import RunError
from tests.words import toy_vectors

EARLY, LATE = toy_vectors("early", share=0.3), toy_vectors("late")
WORDS = LATE.words[5:]
FLAT = WordMapSettings("pca", 2)


def small(words: str, rows: list[list[float]]) -> WordVectors:
    return WordVectors.of("small", words.split(), np.array(rows, dtype=np.float32))


def test_pca_draws_every_epoch_on_the_axes_of_the_reference() -> None:
    maps = word_maps([EARLY, LATE], [0, 5], WORDS, FLAT)
    axes = PCA(2).fit(directions_of(LATE, WORDS).astype(np.float64))
    for drawn, space in zip(maps, (EARLY, LATE), strict=True):
        np.testing.assert_allclose(drawn.coordinates, axes.transform(directions_of(space, WORDS)), atol=1e-5)
    assert maps[1].share == pytest.approx(axes.explained_variance_ratio_.sum(), abs=1e-5)
    assert "epoch 5" in maps[0].comparable
    assert [one.epoch for one in maps] == [0, 5]


def test_reference_is_chosen() -> None:
    first, _ = word_maps([EARLY, LATE], [0, 5], WORDS, WordMapSettings("pca", 2, reference=0))
    (alone,) = word_maps([EARLY], [0], WORDS, FLAT)
    np.testing.assert_allclose(first.coordinates, alone.coordinates, atol=1e-6)
    assert "epoch 0" in first.comparable
    assert not alone.comparable


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("projector", ["pca", "tsne"])
def test_the_same_map_every_time(projector: str, dimensions: int) -> None:
    settings = WordMapSettings(projector, dimensions)
    once, again = (word_maps([EARLY, LATE], [0, 5], WORDS, settings) for _ in range(2))
    for one, other in zip(once, again, strict=True):
        assert one.dimensions == dimensions
        np.testing.assert_array_equal(one.coordinates, other.coordinates)
        assert 0.5 < one.trustworthiness <= 1


def test_a_word_of_the_map_is_placed_where_it_lies() -> None:
    for drawn, space in zip(word_maps([EARLY, LATE], [0, 5], WORDS, FLAT), (EARLY, LATE), strict=True):
        placed = place_directions(drawn, space, LATE, directions_of(space, WORDS[:4]))
        np.testing.assert_allclose(placed, drawn.coordinates[:4], atol=1e-5)
    assert place_directions(drawn, LATE, LATE, np.zeros((0, LATE.dimensions), np.float32)).shape == (0, 2)


def test_tsne_places_a_word_among_its_neighbours() -> None:
    (drawn,) = word_maps([LATE], [5], WORDS, WordMapSettings("tsne", 2, perplexity=5))
    placed = place_directions(drawn, LATE, LATE, directions_of(LATE, WORDS))
    away = np.linalg.norm(placed - drawn.coordinates, axis=1)
    spread = np.linalg.norm(drawn.coordinates - drawn.coordinates.mean(axis=0), axis=1).mean()
    assert np.median(away) < spread / 2


def test_commonest_words_that_all_know() -> None:
    first = small("the of king queen paris", [[1, 0]] * 5)
    second = small("paris queen the", [[0, 1]] * 3)
    assert common_words([first], 3) == ("the", "of", "king")
    assert common_words([first, second], 9) == ("the", "queen", "paris")
    assert skipped(LATE) == 3
    assert common_words([LATE], 2) == LATE.words[3:5]


def test_mean_of_a_review_by_hand() -> None:
    vectors = small("good bad dull", [[3, 0], [0, 4], [0, 0]])
    # twice (3, 0) and once (0, 4): their mean is (2, 4/3), whose length is 2.404
    np.testing.assert_allclose(mean_direction(vectors, [0, 0, 1]), np.array([2, 4 / 3]) / np.hypot(2, 4 / 3), rtol=1e-6)
    assert mean_direction(vectors, []) is None
    assert mean_direction(vectors, [2, 2]) is None


@pytest.mark.parametrize(
    ("words", "settings", "sentence"),
    [
        (WORDS[:3], FLAT, "A PCA map needs at least 4 words from the vocabulary, not 3."),
        (WORDS[:11], WordMapSettings("tsne", 2), "A t-SNE map needs at least 12 words from the vocabulary, not 11."),
        (WORDS, WordMapSettings("pca", 4), "A map has 2 or 3 dimensions, not 4."),
        (WORDS, WordMapSettings("umap", 2), "Unknown projector 'umap'"),
        (WORDS, WordMapSettings("pca", 2, seed=-1), "The seed must be"),
        (WORDS, WordMapSettings("tsne", 2, perplexity=float("nan")), "The perplexity must be"),
    ],
)
def test_maps_that_cannot_be(words: tuple[str, ...], settings: WordMapSettings, sentence: str) -> None:
    with pytest.raises(RunError, match=sentence.replace("?", r"\?")):
        word_maps([LATE], [5], words, settings)


def test_vectors_too_narrow_for_a_map() -> None:
    narrow = small("a b c d", [[1, 0], [0, 1], [1, 1], [-1, 0]])
    with pytest.raises(RunError, match="Vectors with only 2 dimensions cannot be mapped to 3 dimensions"):
        word_maps([narrow], [None], narrow.words, WordMapSettings("pca", 3))


def test_few_words_have_few_neighbours() -> None:
    """Of seven words, each has three that are near and three that are not."""
    for count in (7, 8):
        (drawn,) = word_maps([LATE], [5], WORDS[:count], FLAT)
        assert drawn.neighbours == 3
        measured = trustworthiness(directions_of(LATE, WORDS[:count]), drawn.coordinates, 3)
        assert drawn.trustworthiness == pytest.approx(measured)


def test_progress_grows_to_one_at_most() -> None:
    shares: list[float] = []
    word_maps([EARLY, LATE], [0, 5], WORDS, FLAT, lambda share, _: shares.append(share))
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.95 < shares[-1] <= 1


def test_progress_may_stop_it() -> None:
    def stop(_share: float, doing: str) -> None:
        raise TimeoutError(doing)

    with pytest.raises(TimeoutError):
        word_maps([LATE], [5], WORDS, FLAT, stop)
