"""What every projector promises, and the numbers that say how far to trust a map."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from openTSNE import TSNEEmbedding
from openTSNE.affinity import PerplexityBasedNN
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness as sklearn_trustworthiness
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from nlpviz.analysis.projections import FittedMap, Fitting, Projector, pca, placing, tsne
from nlpviz.analysis.projections.alignment import aligned_onto, moved, procrustes
from nlpviz.analysis.projections.quality import label_purity, nearest, shared_neighbours, silhouette, trustworthiness
from nlpviz.results.projection import Projection, displacement
from tests.promises import Promises

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
    return projector.project(epochs(), Fitting(2, dimensions, seed))


of_a_projector, of_a_size = Promises(), Promises()


def test_a_projector_keeps_its_promises(projector: Projector, subtests: pytest.Subtests) -> None:
    of_a_projector.ask(subtests, projector=projector)


@pytest.mark.parametrize("dimensions", [2, 3], ids=["2-D", "3-D"])
def test_maps_keep_their_promises(projector: Projector, dimensions: int, subtests: pytest.Subtests) -> None:
    of_a_size.ask(subtests, projector=projector, dimensions=dimensions)


@of_a_projector
def projector_says_what_it_is(projector: Projector) -> None:
    assert projector.name == projector.name.lower().replace(" ", "-")
    assert projector.title
    assert any(sign.isdigit() for sign in projector.source), "author and year"
    assert projector.reading.endswith(".")
    said = projector.comparable.format(reference=7)
    assert said.endswith(".")
    assert "{" not in said


@of_a_size
def one_map_an_epoch_of_the_size_asked_for(projector: Projector, dimensions: int) -> None:
    assert [positions.shape for positions in maps(projector, dimensions)] == [(90, dimensions)] * 3
    assert all(np.isfinite(positions).all() for positions in maps(projector, dimensions))
    assert all(positions.std(axis=0).min() > 0 for positions in maps(projector, dimensions)), "no dimension lies idle"


@of_a_size
def keeps_planted_clusters_apart(projector: Projector, dimensions: int) -> None:
    mixed, apart, _ = maps(projector, dimensions)
    nearest = KNeighborsClassifier(5)
    assert nearest.fit(apart[::2], LABELS[::2]).score(apart[1::2], LABELS[1::2]) == 1.0
    assert label_purity(apart, LABELS, 10) > 0.99
    assert label_purity(mixed, LABELS, 10) < 0.5, "where there are no clusters it makes none"


@of_a_size
def same_seed_same_map(projector: Projector, dimensions: int) -> None:
    again = projector.project(epochs(), Fitting(2, dimensions))
    for first, second in zip(maps(projector, dimensions), again, strict=True):
        np.testing.assert_array_equal(first, second)


@of_a_size
def epochs_can_be_compared(projector: Projector, dimensions: int) -> None:
    """Where the embeddings stay, so do the positions: not turned, not mirrored, and hardly moved."""
    _, before, after = maps(projector, dimensions)
    apart = np.linalg.norm(after - before, axis=1)
    spread = np.linalg.norm(before - before.mean(axis=0), axis=1).mean()
    assert apart.mean() < 0.25 * spread
    if projector.name == "pca":
        np.testing.assert_array_equal(after, before)


@of_a_projector
def embeddings_are_left_alone(projector: Projector) -> None:
    points = [clusters(1)[:40], clusters(2)[:40]]
    before = [embeddings.copy() for embeddings in points]
    projector.project(points, Fitting(0, 2))
    for embeddings, copy in zip(points, before, strict=True):
        np.testing.assert_array_equal(embeddings, copy)


@of_a_projector
def embeddings_that_are_all_the_same_get_a_map(projector: Projector) -> None:
    """Before training a network may answer every text alike."""
    with np.errstate(invalid="ignore"):
        (positions,) = projector.project([np.ones((40, 6), dtype=np.float32)], Fitting(0, 2))
    assert positions.shape == (40, 2)
    assert np.isfinite(positions).all()


def test_pca_is_the_singular_value_decomposition_of_the_reference_epoch() -> None:
    other, reference = clusters(3), clusters(4)
    mean = reference.mean(axis=0)
    axes = np.linalg.svd((reference - mean).astype(float), full_matrices=False)[2][:3]
    axes *= np.sign(axes[np.arange(3), np.abs(axes).argmax(axis=1)])[:, None]  # the largest part of each is positive
    for points, positions in zip(
        (other, reference), pca.PROJECTOR.project((other, reference), Fitting(1, 3)), strict=True
    ):
        np.testing.assert_allclose(positions, (points - mean) @ axes.T, atol=1e-4)


def test_tsne_starts_from_the_principal_components() -> None:
    """Its clusters stand around the centre as theirs do, not as a seed has drawn."""
    flat = PCA(2, random_state=0).fit_transform(clusters(5))
    first, second = (tsne.PROJECTOR.project([clusters(5)], Fitting(0, 2, seed))[0] for seed in (0, 1))
    assert np.corrcoef(first[:, 0], flat[:, 0])[0, 1] > 0.7
    assert np.corrcoef(first[:, 0], second[:, 0])[0, 1] > 0.99


@pytest.mark.slow
def test_tsne_of_many_points_keeps_planted_clusters_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """By interpolation, which is used beyond some thousands of points, as by trees."""
    monkeypatch.setattr(tsne, "_MANY", 50)
    (positions,) = tsne.PROJECTOR.project([clusters(1)], Fitting(0, 2))
    assert label_purity(positions, LABELS, 10) > 0.99
    assert np.abs(positions - maps(tsne.PROJECTOR, 2)[1]).max() > 1e-3, "another way"


@pytest.mark.parametrize("dimensions", [2, 3], ids=["2-D", "3-D"])
def test_tsne_turns_each_map_onto_the_one_before(dimensions: int) -> None:
    """From one cloud to three clusters, all points are under way: no turn of the second map would be nearer."""
    first, second, _ = maps(tsne.PROJECTOR, dimensions)
    np.testing.assert_allclose(aligned_onto(first, second), second, atol=1e-3)
    np.testing.assert_allclose(second.mean(axis=0), first.mean(axis=0), atol=1e-3)


# -------------------------------------------------------------------------------------------------------- Procrustes


@pytest.mark.parametrize("size", [2, 3])
def test_turned_map_is_turned_back(size: int) -> None:
    rng = np.random.default_rng(size)
    target = rng.normal(size=(50, size)).astype(np.float32) + 3
    rotation = np.linalg.qr(rng.normal(size=(size, size)))[0]
    for mirror in (1, -1):
        turned = (target @ (rotation * ([mirror] + [1] * (size - 1)))).astype(np.float32) - 40
        np.testing.assert_allclose(aligned_onto(target, turned), target, atol=1e-4)


def test_turning_never_scales_and_finds_the_best_angle() -> None:
    rng = np.random.default_rng(0)
    target = rng.normal(size=(60, 2)).astype(np.float32)
    positions = (2.5 * target + rng.normal(scale=0.3, size=(60, 2))).astype(np.float32)
    best = aligned_onto(target, positions)
    np.testing.assert_allclose(
        np.linalg.norm(best - best.mean(axis=0)), np.linalg.norm(positions - positions.mean(axis=0)), rtol=1e-5
    )
    np.testing.assert_allclose(best.mean(axis=0), target.mean(axis=0), atol=1e-5)
    off = np.linalg.norm(best - target)
    for angle in np.linspace(0.05, 2 * np.pi - 0.05, 40):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        centre = target.mean(axis=0)
        assert np.linalg.norm((best - centre) @ turn + centre - target) > off


def test_motion_takes_other_points_along() -> None:
    """What was found on half of the points turns the other half back as well."""
    rng = np.random.default_rng(3)
    target = rng.normal(size=(40, 3)).astype(np.float32)
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0].astype(np.float32)
    turned = target @ rotation + 5
    motion = procrustes(target[:20], turned[:20])
    np.testing.assert_allclose(moved(motion, turned[20:]), target[20:], atol=1e-4)
    assert moved(None, turned) is turned


# ----------------------------------------------------------------------------------------------- progress and stopping


class Enough(Exception):  # noqa: N818 - what a test raises
    pass


@of_a_projector
def progress_grows_and_whatever_it_raises_stops(projector: Projector) -> None:
    shares: list[float] = []
    projector.project(epochs(), Fitting(2, 2, progress=lambda share, _: shares.append(share)))
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1

    def stop(_share: float, _doing: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        projector.project(epochs(), Fitting(2, 2, progress=stop))


def test_tsne_stops_in_the_middle() -> None:
    shares: list[float] = []

    def stop(share: float, _doing: str) -> None:
        shares.append(share)
        if share > 0.3:
            raise Enough

    with pytest.raises(Enough):
        tsne.PROJECTOR.project(epochs(), Fitting(0, 2, progress=stop))
    assert [share > 0.3 for share in shares] == [False] * (len(shares) - 1) + [True], "it went on"
    assert np.diff([0, *shares]).max() < 0.1, "told often enough to be stopped soon"


# ------------------------------------------------------------------------------------------------------------- placing


def fitted_map(projector: Projector, dimensions: int, without: int | None = None) -> FittedMap:
    """Return the map of the last epoch, perhaps without one of its documents."""
    kept = np.arange(90) != (-1 if without is None else without)
    points = epochs()[-1][kept]
    return FittedMap(points, maps(projector, dimensions)[-1][kept], points, 0, projector.perplexity)


@of_a_size
def a_document_is_placed_near_its_own_place(projector: Projector, dimensions: int) -> None:
    if projector.transform is None:
        return
    own, points = maps(projector, dimensions)[-1], epochs()[-1]
    placed = projector.transform(fitted_map(projector, dimensions), points)
    assert placed.shape == own.shape
    assert placed.dtype == np.float32
    spread = np.linalg.norm(own - own.mean(axis=0), axis=1).mean()
    missed = np.linalg.norm(placed - own, axis=1) / spread
    assert np.median(missed) < (1e-5 if projector.exact else 0.1)


def test_a_document_that_is_not_there_is_placed_in_its_cluster() -> None:
    own = maps(tsne.PROJECTOR, 2)[-1]
    assert tsne.PROJECTOR.transform is not None
    for row in range(0, 90, 9):
        (placed,) = tsne.PROJECTOR.transform(fitted_map(tsne.PROJECTOR, 2, without=row), epochs()[-1][row : row + 1])
        centres = np.array([own[label == LABELS].mean(axis=0) for label in range(3)])
        assert np.linalg.norm(centres - placed, axis=1).argmin() == LABELS[row]


def test_tsne_places_where_opentsne_does() -> None:
    """The oracle: openTSNE's transform of a third of the points onto the map of the others, same perplexity."""
    held_out = np.arange(90) % 3 == 0
    points, own = epochs()[-1], maps(tsne.PROJECTOR, 2)[-1].astype(float)
    near = PerplexityBasedNN(points[~held_out], perplexity=15, method="exact", n_jobs=1)
    oracle = TSNEEmbedding(own[~held_out], near, negative_gradient_method="bh", n_jobs=1)
    expected = np.asarray(oracle.transform(points[held_out], perplexity=15))
    known = FittedMap(points[~held_out], own[~held_out].astype(np.float32), points[~held_out], 0, 15.0)
    placed = placing.transform(known, points[held_out])
    assert np.corrcoef(placed.ravel(), expected.ravel())[0, 1] > 0.98


@pytest.mark.parametrize("perplexity", [2.0, 5.0, 20.0])
def test_affinities_have_the_perplexity_asked_for(perplexity: float) -> None:
    distances = np.random.default_rng(0).gamma(2.0, size=50)
    affinities = placing.calibrated(distances, perplexity)
    assert affinities.sum() == pytest.approx(1)
    assert np.exp(-(affinities * np.log(affinities)).sum()) == pytest.approx(perplexity, rel=1e-3)
    assert (np.argsort(affinities) == np.argsort(-distances)).all()


def test_affinities_of_equally_far_documents_are_equal() -> None:
    np.testing.assert_allclose(placing.calibrated(np.full(8, 3.0), 5.0), 1 / 8)


@pytest.mark.parametrize("size", [2, 3])
def test_gradient_of_the_divergence_is_its_slope(size: int) -> None:
    rng = np.random.default_rng(size)
    affinities, coordinates, position = rng.dirichlet(np.ones(30)), rng.normal(size=(30, size)), rng.normal(size=size)
    gradient = placing.divergence(affinities, coordinates, position)[1]
    for axis in range(size):
        step = 1e-6 * np.eye(size)[axis]
        up, down = (placing.divergence(affinities, coordinates, position + way * step)[0] for way in (1, -1))
        assert gradient[axis] == pytest.approx((up - down) / 2e-6, abs=1e-6)


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
    positions = np.array([[6.4], [1.0], [2.1], [3.3], [4.6], [6.0]], dtype=np.float32)
    # Nearest on the map:  0 -> 5 (original rank 5), 1 -> 2 (2), 2 -> 1 (1), 3 -> 2 (1), 4 -> 3 (1), 5 -> 0 (5).
    penalty = (5 - 1) + (2 - 1) + (5 - 1)
    expected = 1 - 2 / (6 * 1 * (2 * 6 - 3 * 1 - 1)) * penalty
    assert trustworthiness(points, positions, 1) == pytest.approx(expected)


@pytest.mark.parametrize("size", [2, 5])
def test_quality_is_that_of_scikit_learn(size: int) -> None:
    rng = np.random.default_rng(size)
    points = rng.normal(size=(700, 40)).astype(np.float32) * np.linspace(3, 0.1, 40, dtype=np.float32)
    neighbours = NearestNeighbors(n_neighbors=7).fit(points).kneighbors(return_distance=False)
    np.testing.assert_array_equal(nearest(points, 7), neighbours)
    measured = trustworthiness(points, points[:, :size], 7)
    assert measured == pytest.approx(sklearn_trustworthiness(points, points[:, :size], n_neighbors=7), abs=1e-5)


def test_points_that_lie_together_are_not_their_own_neighbours() -> None:
    assert (nearest(np.zeros((5, 3), dtype=np.float32), 3) != np.arange(5)[:, None]).all()


def test_purity_by_hand() -> None:
    """Two triples of neighbours: in the first all are of one label, in the second one is not."""
    points = np.array([[0.0], [1.0], [2.1], [10.0], [11.0], [12.1]], dtype=np.float32)
    labels = np.array([0, 0, 0, 1, 1, 0])
    assert label_purity(points, labels, 2) == pytest.approx((2 + 2 + 2 + 1 + 1 + 0) / 12)


def test_purity_is_one_of_clusters_and_by_chance_without() -> None:
    assert label_purity(clusters(0), LABELS, 10) == 1.0
    assert label_purity(clusters(0, apart=0.0), LABELS, 10) == pytest.approx(1 / 3, abs=0.1)


def test_silhouette_by_hand() -> None:
    """Two points of one label at 0 and 1, one of the other at 3: a and b are distances on a line."""
    points, labels = np.array([[0.0], [1.0], [3.0], [5.0]], dtype=np.float32), np.array([0, 0, 1, 1])
    by_point = [(4 - 1) / 4, (3 - 1) / 3, (2.5 - 2) / 2.5, (4.5 - 2) / 4.5]
    assert silhouette(points, labels) == pytest.approx(np.mean(by_point))


def test_silhouette_of_one_label_is_not_a_number() -> None:
    assert np.isnan(silhouette(clusters(0), np.zeros(90, dtype=int)))


def test_shared_neighbours_by_hand() -> None:
    """On a line, then with its first point at the other end: of six nearest, two are others."""
    line = np.array([[0.0], [1.0], [2.1], [3.3], [4.6], [6.0]], dtype=np.float32)
    other = np.array([[7.0], [1.0], [2.1], [3.3], [4.6], [6.0]], dtype=np.float32)
    # nearest:  1 0 1 2 3 4  and  5 2 1 2 3 0
    assert shared_neighbours(line, other, 1) == pytest.approx(3 / 6)
    assert shared_neighbours(line, -7 * line, 2) == 1.0


def test_shared_neighbours_of_unrelated_spaces_are_by_chance() -> None:
    one, other = (np.random.default_rng(seed).normal(size=(300, 20)).astype(np.float32) for seed in (0, 1))
    assert shared_neighbours(one, other, 15) == pytest.approx(15 / 299, abs=0.02)


def test_displacement_by_hand() -> None:
    """A square of spread sqrt 2 moved by (3, 4), then one that did not move but doubled: spreads 1 and 2."""
    square = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]], dtype=np.float32)

    def chart(coordinates: Points) -> Projection:
        return Projection("toy", "pca", 1, coordinates, 1.0, 0.5, 15, 0, "Epochs share their axes.")

    assert displacement(chart(square.copy()), chart(square + np.float32([3, 4]))) == pytest.approx(5 / np.sqrt(2))
    cross = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], dtype=np.float32)
    assert displacement(chart(cross.copy()), chart(2 * cross)) == pytest.approx(1 / 1.5)
    with pytest.raises(ValueError, match="the same documents"):
        displacement(chart(square.copy()), chart(square[:3].copy()))
