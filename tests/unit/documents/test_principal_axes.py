"""Principal axes: those of scikit-learn, and sense where there is nothing to turn."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from nlpviz.stats.principal_axes import principal_axes


@pytest.mark.parametrize(("count", "size", "dimensions"), [(200, 30, 2), (200, 30, 3), (4, 50, 2)])
def test_axes_are_those_of_scikit_learn(count: int, size: int, dimensions: int) -> None:
    points = np.random.default_rng(count).normal(size=(count, size)) * np.linspace(3, 0.1, size)
    known, axes = PCA(dimensions, svd_solver="covariance_eigh").fit(points), principal_axes(points, dimensions)
    np.testing.assert_allclose(axes.project(points), known.transform(points), atol=1e-9)
    assert axes.share == pytest.approx(known.explained_variance_ratio_.sum())
    assert (axes.axes.max(axis=1) == np.abs(axes.axes).max(axis=1)).all(), "the largest part of each is positive"


def test_points_on_a_line_have_one_axis() -> None:
    """What else might be called the second one would be chance, and so would be where another point falls on it."""
    line = np.outer(np.arange(5.0), [3.0, 4.0, 0.0])
    axes = principal_axes(line, 2)
    np.testing.assert_allclose(axes.axes, [[0.6, 0.8, 0], [0, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(axes.project(np.array([0.0, 0.0, 9.0])), [-10, 0], atol=1e-12)
    assert axes.share == 1


@pytest.mark.parametrize("points", [np.ones((1, 3)), np.zeros((6, 3)), np.full((6, 1), 2.0)])
def test_points_that_do_not_differ_lie_in_the_middle(points: np.ndarray) -> None:
    axes = principal_axes(points, 2)
    assert axes.share == 1
    assert axes.project(points).shape == (len(points), 2)
    assert not axes.project(points).any()
