"""Trustworthiness beside chance: a random layout by hand and by trial, random vectors as measured, the word for it."""

from __future__ import annotations

import csv
import re
from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.projections import projectors
from nlpviz.analysis.projections.projector import Fitting
from nlpviz.analysis.projections.quality import trustworthiness
from nlpviz.results import trust
from nlpviz.results.projection import WordMap
from nlpviz.results.trust import Trust, random_layout, random_vectors, trust_of
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.documents import MAPS, projections_of
from nlpviz.runs.vectors import KIND
from nlpviz.runs.word_maps import word_maps_of

TABLE = Path(trust.__file__).with_name("chance.csv")


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_random_layout_by_hand() -> None:
    """Of 5 points with 1 neighbour each, ranks 1 to 4 are 0, 1, 2, 3 beyond: 1.5 on average, 5 x 1.5 in all."""
    assert random_layout(5, 1) == pytest.approx(1 - 2 / (5 * 1 * (10 - 3 - 1)) * 7.5)
    assert random_layout(2000, 15) == pytest.approx(0.5, abs=0.002)


@pytest.mark.parametrize(("points", "neighbours"), [(40, 15), (300, 15), (30, 4)])
def test_points_strewn_at_random_reach_it(points: int, neighbours: int) -> None:
    rng = np.random.default_rng(0)
    measured = [
        trustworthiness(*(rng.normal(size=(points, size)).astype(np.float32) for size in (20, 2)), neighbours)
        for _ in range(40)
    ]
    assert np.mean(measured) == pytest.approx(random_layout(points, neighbours), abs=0.01)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(("points", "features"), [(500, 64), (1000, 256)])
def test_random_vectors_are_as_the_table_says(points: int, features: int, scaled: bool) -> None:
    vectors = np.random.default_rng(7).normal(size=(points, features)).astype(np.float32)
    if scaled:
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    (positions,) = projectors()["pca"].project([vectors], Fitting(0, 2))
    known = random_vectors("pca", 2, points, features, scaled=scaled)
    assert known == pytest.approx(trustworthiness(vectors, positions, 15), abs=0.02)


def test_the_table_is_whole_and_read_back() -> None:
    table = rows()
    sizes = {(row["points"], row["features"]) for row in table}
    assert len(table) == len(sizes) * 2 * 2 * len(projectors())
    assert {row["projector"] for row in table} == set(projectors())
    for row in table:
        dimensions, points, features = (int(row[name]) for name in ("dimensions", "points", "features"))
        known = random_vectors(row["projector"], dimensions, points, features, scaled=row["scaled"] == "yes")
        assert known == pytest.approx(float(row["trustworthiness"]), abs=1e-9)


def test_between_two_sizes_it_lies_between_and_outside_nothing_is_known() -> None:
    low, high = (random_vectors("tsne", 2, 2000, size) for size in (256, 128))
    assert low < random_vectors("tsne", 2, 2000, 200) < high
    assert isnan(random_vectors("tsne", 2, 2000, 8))
    assert isnan(random_vectors("tsne", 2, 20_000, 200))
    assert isnan(random_vectors("umap", 2, 2000, 200))
    assert projectors()["tsne"].perplexity == trust.PERPLEXITY


@pytest.mark.parametrize(
    ("value", "layout", "vectors", "verdict"),
    [
        (0.50, 0.50, nan, "poor"),
        (0.69, 0.50, 0.55, "poor"),  # PCA of words
        (0.69, 0.50, nan, "poor"),
        (0.76, 0.50, nan, "fair"),
        (0.79, 0.50, 0.60, "poor"),
        (0.81, 0.50, 0.60, "fair"),
        (0.91, 0.50, 0.60, "good"),
        (1.00, 0.50, 0.83, "good"),
    ],
)
def test_the_word_for_a_map_follows_from_its_way_beyond_chance(
    value: float, layout: float, vectors: float, verdict: str
) -> None:
    assert Trust(value, layout, vectors).verdict == verdict


@pytest.mark.parametrize("page", ["10_Explore/10_Map.py", "50_Words/40_Map.py"])
def test_pages_explain_poor_and_good_by_the_shares_that_decide(pytestconfig: pytest.Config, page: str) -> None:
    text = " ".join((pytestconfig.rootpath / "pages" / page).read_text(encoding="utf-8").split())
    assert re.search("poor if .{0,40}less than half.* good .*three quarters", text)
    assert (trust.FAIR, trust.GOOD) == (1 / 2, 3 / 4)


def word_map(**about: object) -> WordMap:
    facts: dict[str, object] = {
        "source": "", "projector": "tsne", "epoch": 1, "words": tuple(map(str, range(200))),
        "coordinates": np.zeros((200, 2), np.float32), "trustworthiness": 0.8, "neighbours": 15, "perplexity": 30.0,
        "features": 100,
    }  # fmt: skip
    return WordMap(**(facts | about))  # type: ignore[arg-type]


def test_a_map_of_another_perplexity_or_size_is_beside_a_random_layout_alone() -> None:
    assert trust_of(word_map()).vectors == pytest.approx(random_vectors("tsne", 2, 200, 100, scaled=True))
    assert trust_of(word_map()).compared.endswith("for random vectors")
    assert trust_of(word_map()).chances == f"{random_layout(200, 15):.2f} / {trust_of(word_map()).vectors:.2f}"
    for other in (word_map(perplexity=5.0), word_map(features=0)):
        assert isnan(trust_of(other).vectors)
        assert trust_of(other).chances.endswith(" / –")
        assert trust_of(other).compared == f"{random_layout(200, 15):.2f} for a random layout"


def test_all_committed_maps_can_be_compared() -> None:
    """What is stored says enough of a map; after training none is worse than one of random vectors."""
    for run in list_runs()[0].values():
        if MAPS not in run.files:
            continue
        maps = word_maps_of(run) if run.kind == KIND else projections_of(run)
        assert maps
        for one in maps:
            known = trust_of(one)
            assert 0.5 < known.chance < 0.85, (run.name, one.projector, known)
            least = known.chance if one.epoch else known.layout  # vectors before training need not lie like random ones
            assert known.value > least - 0.02, (run.name, one.projector, one.epoch, known)


def test_vectors_of_an_untrained_network_are_as_good_as_random_ones() -> None:
    """Before training word vectors are random: their map is what the table says of random directions."""
    first = next(one for one in word_maps_of(open_run("enwiki-skipgram")) if one.epoch == 0 and len(one.words) == 2000)
    assert first.trustworthiness == pytest.approx(trust_of(first).vectors, abs=0.03)
    assert trust_of(first).verdict == "poor"
