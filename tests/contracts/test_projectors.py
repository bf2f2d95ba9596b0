"""What every projector promises, and the numbers that say how far to trust a map."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from nlpviz.projections import Projector, pca, tsne
from nlpviz.projections.quality import label_purity, trustworthiness

LABELS = np.repeat([0, 1, 2], 30)
Points = NDArray[np.float32]


def clusters(seed: int, apart: float = 8.0) -> Points:
    """Return three clusters of thirty points in twelve dimensions; ``apart`` is the distance of their centres."""
    rng = np.random.default_rng(seed)
    centres = np.eye(12)[:3] * apart / np.sqrt(2)
    return (centres[LABELS] + rng.normal(scale=0.5, size=(90, 12))).astype(np.float32)


@cache
def epochs() -> tuple[Points, ...]:
    """Return three epochs: before training one cloud, then the same map twice, its clusters apart."""
    return clusters(0, apart=0.0), clusters(1), clusters(1)


@cache
def maps(projector: Projector, dimensions: int, seed: int = 0) -> list[Points]:
    """Return the maps of all epochs; the last one is the reference."""
    return projector.project(epochs(), 2, dimensions, seed)


@pytest.fixture(params=[2, 3], ids=["2-D", "3-D"])
def dimensions(request: pytest.FixtureRequest) -> int:
    """Of a map."""
    return int(request.param)


def test_projector_says_what_it_is(projector: Projector) -> None:
    assert projector.name == projector.name.lower().replace(" ", "-")
    assert projector.title
    assert any(sign.isdigit() for sign in projector.source), "author and year"
    assert projector.reading.endswith(".")
    said = projector.comparable.format(reference=7)
    assert said.endswith(".")
    assert "{" not in said


def test_one_map_an_epoch_of_the_size_asked_for(projector: Projector, dimensions: int) -> None:
    assert [places.shape for places in maps(projector, dimensions)] == [(90, dimensions)] * 3
    assert all(np.isfinite(places).all() for places in maps(projector, dimensions))
    assert all(places.std(axis=0).min() > 0 for places in maps(projector, dimensions)), "no dimension lies idle"


def test_keeps_planted_clusters_apart(projector: Projector, dimensions: int) -> None:
    mixed, apart, _ = maps(projector, dimensions)
    nearest = KNeighborsClassifier(5)
    assert nearest.fit(apart[::2], LABELS[::2]).score(apart[1::2], LABELS[1::2]) == 1.0
    assert label_purity(apart, LABELS, 10) > 0.99
    assert label_purity(mixed, LABELS, 10) < 0.5, "where there are no clusters it makes none"


def test_same_seed_same_map(projector: Projector, dimensions: int) -> None:
    again = projector.project(epochs(), 2, dimensions, 0)
    for first, second in zip(maps(projector, dimensions), again, strict=True):
        np.testing.assert_array_equal(first, second)


def test_epochs_can_be_compared(projector: Projector, dimensions: int) -> None:
    """Where the embeddings stay, so do the places: not turned, not mirrored, and hardly moved."""
    _, before, after = maps(projector, dimensions)
    moved = np.linalg.norm(after - before, axis=1)
    spread = np.linalg.norm(before - before.mean(axis=0), axis=1).mean()
    assert moved.mean() < 0.25 * spread
    if projector.name == "pca":
        np.testing.assert_array_equal(after, before)


def test_embeddings_are_left_alone(projector: Projector) -> None:
    points = [clusters(1)[:40], clusters(2)[:40]]
    before = [embeddings.copy() for embeddings in points]
    projector.project(points, 0, 2, 0)
    for embeddings, copy in zip(points, before, strict=True):
        np.testing.assert_array_equal(embeddings, copy)


@pytest.mark.filterwarnings("ignore:invalid value encountered in divide:RuntimeWarning")
def test_embeddings_that_are_all_the_same_get_a_map(projector: Projector) -> None:
    """Before training a network may answer every text alike."""
    (places,) = projector.project([np.ones((40, 6), dtype=np.float32)], 0, 2, 0)
    assert places.shape == (40, 2)
    assert np.isfinite(places).all()


def test_pca_is_the_singular_value_decomposition_of_the_reference_epoch() -> None:
    other, reference = clusters(3), clusters(4)
    mean = reference.mean(axis=0)
    axes = np.linalg.svd((reference - mean).astype(float), full_matrices=False)[2][:3]
    axes *= np.sign(axes[np.arange(3), np.abs(axes).argmax(axis=1)])[:, None]  # the largest part of each is positive
    for points, places in zip((other, reference), pca.PROJECTOR.project((other, reference), 1, 3, 0), strict=True):
        np.testing.assert_allclose(places, (points - mean) @ axes.T, atol=1e-4)


def test_tsne_starts_from_the_principal_components() -> None:
    """Its clusters stand around the centre as theirs do, not as a seed has drawn."""
    flat = PCA(2, random_state=0).fit_transform(clusters(5))
    first, second = (tsne.PROJECTOR.project([clusters(5)], 0, 2, seed)[0] for seed in (0, 1))
    assert np.corrcoef(first[:, 0], flat[:, 0])[0, 1] > 0.7
    assert np.corrcoef(first[:, 0], second[:, 0])[0, 1] > 0.99


def test_tsne_turns_each_map_onto_the_one_before(dimensions: int) -> None:
    """From one cloud to three clusters, all points are under way: no turn of the second map would be nearer."""
    first, second, _ = maps(tsne.PROJECTOR, dimensions)
    np.testing.assert_allclose(tsne.turned_onto(first, second), second, atol=1e-3)
    np.testing.assert_allclose(second.mean(axis=0), first.mean(axis=0), atol=1e-3)


# -------------------------------------------------------------------------------------------------------- Procrustes


@pytest.mark.parametrize("size", [2, 3])
def test_turned_map_is_turned_back(size: int) -> None:
    rng = np.random.default_rng(size)
    target = rng.normal(size=(50, size)).astype(np.float32) + 3
    rotation = np.linalg.qr(rng.normal(size=(size, size)))[0]
    for mirror in (1, -1):
        turned = (target @ (rotation * ([mirror] + [1] * (size - 1)))).astype(np.float32) - 40
        np.testing.assert_allclose(tsne.turned_onto(target, turned), target, atol=1e-4)


def test_turning_never_scales_and_finds_the_best_angle() -> None:
    rng = np.random.default_rng(0)
    target = rng.normal(size=(60, 2)).astype(np.float32)
    places = (2.5 * target + rng.normal(scale=0.3, size=(60, 2))).astype(np.float32)
    best = tsne.turned_onto(target, places)
    np.testing.assert_allclose(
        np.linalg.norm(best - best.mean(axis=0)), np.linalg.norm(places - places.mean(axis=0)), rtol=1e-5
    )
    np.testing.assert_allclose(best.mean(axis=0), target.mean(axis=0), atol=1e-5)
    off = np.linalg.norm(best - target)
    for angle in np.linspace(0.05, 2 * np.pi - 0.05, 40):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        centre = target.mean(axis=0)
        assert np.linalg.norm((best - centre) @ turn + centre - target) > off


# ----------------------------------------------------------------------------------------------------------- quality


def test_trustworthiness_of_a_true_map_is_one_and_of_a_random_one_a_half() -> None:
    points = clusters(0)
    assert trustworthiness(points, points, 15) == 1.0
    assert trustworthiness(points, 7 - 3 * points, 15) == 1.0
    random = np.random.default_rng(1).normal(size=(90, 2)).astype(np.float32)
    assert trustworthiness(points, random, 15) == pytest.approx(0.5, abs=0.1)


def test_trustworthiness_by_hand() -> None:
    """Venna and Kaski 2001, equation 1, with N = 6 points on a line and k = 1: the map moves the first one."""
    points = np.array([[0.0], [1.0], [2.1], [3.3], [4.6], [6.0]], dtype=np.float32)
    places = np.array([[6.4], [1.0], [2.1], [3.3], [4.6], [6.0]], dtype=np.float32)
    # Nearest on the map:  0 -> 5 (original rank 5), 1 -> 2 (2), 2 -> 1 (1), 3 -> 2 (1), 4 -> 3 (1), 5 -> 0 (5).
    penalty = (5 - 1) + (2 - 1) + (5 - 1)
    expected = 1 - 2 / (6 * 1 * (2 * 6 - 3 * 1 - 1)) * penalty
    assert trustworthiness(points, places, 1) == pytest.approx(expected)


def test_purity_by_hand() -> None:
    """Two triples of neighbours: in the first all are of one label, in the second one is not."""
    points = np.array([[0.0], [1.0], [2.1], [10.0], [11.0], [12.1]], dtype=np.float32)
    labels = np.array([0, 0, 0, 1, 1, 0])
    assert label_purity(points, labels, 2) == pytest.approx((2 + 2 + 2 + 1 + 1 + 0) / 12)


def test_purity_is_one_of_clusters_and_by_chance_without() -> None:
    assert label_purity(clusters(0), LABELS, 10) == 1.0
    assert label_purity(clusters(0, apart=0.0), LABELS, 10) == pytest.approx(1 / 3, abs=0.1)
