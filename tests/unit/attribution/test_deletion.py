"""The area over the deletion curve, of one text and over many, against other computations; what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import bootstrap

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.deletion import ORDERS, deletion_curve, deletion_curves
from nlpviz.analysis.attribution.deletion_survey import survey_deletion
from nlpviz.results.deletion import BINS, MARGIN, DeletionCurve, DeletionSurvey, removed
from nlpviz.runs import Run, RunError
from nlpviz.runs.deletions import DELETION, deletion_survey, write_deletion
from nlpviz.runs.files import write_table
from nlpviz.runs.sharing import copied
from tests import toy


def curve(own: list[float], random: list[list[float]], *, rises: bool = False) -> DeletionCurve:
    """Return a curve of a hundred tokens at the steps of DeYoung et al. (2020)."""
    taken = np.array([0, 1, 5, 10, 20, 50, 100])
    values = np.array(own, np.float32), np.array(random, np.float32)
    return DeletionCurve("toy", 1, "truth", "good", 100, taken, *values, 0, rises)


def aopc(values: list[float]) -> float:
    """The definition, with the whole text as the step that removes nothing; the empty text is no step."""
    return sum(values[0] - value for value in values[: len(BINS) + 1]) / (len(BINS) + 1)


# ---------------------------------------------------------------------------------------------------------- one text


def test_area_is_deyoungs() -> None:
    own, random = [0.9, 0.8, 0.6, 0.5, 0.4, 0.1, 0.5], [[0.9, 0.9, 0.8, 0.8, 0.8, 0.7, 0.5]] * 3
    result = curve(own, random)
    assert result.aopc == pytest.approx((0.1 + 0.3 + 0.4 + 0.5 + 0.8) / 6) == pytest.approx(aopc(own))
    assert result.random_aopc.tolist() == pytest.approx([aopc(random[0])] * 3)
    assert (result.better, result.worse) == (3, 0)


def test_where_another_class_is_predicted_the_rise_counts() -> None:
    own, random = [0.1, 0.2, 0.5, 0.6, 0.8, 0.9, 0.5], [[0.1] * 6 + [0.5]]
    assert curve(own, random, rises=True).aopc == pytest.approx(-aopc(own))
    assert curve(own, random, rises=True).better == 1
    assert curve(own, random).worse == 1


def test_orders_that_hardly_differ_are_alike() -> None:
    own = [0.9, 0.8, 0.6, 0.5, 0.4, 0.1, 0.5]
    close = [own[0], *(value + 0.9 * MARGIN for value in own[1:])]
    result = curve(own, [close, own])
    assert result.aopc > result.random_aopc[0]
    assert (result.better, result.worse) == (0, 0)


@pytest.mark.parametrize(
    ("tokens", "expected"), [(0, [0] * 5), (1, [1] * 5), (5, [1, 1, 1, 1, 3]), (7, [1, 1, 1, 2, 4])]
)
def test_each_share_of_a_short_text_is_a_step(tokens: int, expected: list[int]) -> None:
    """Steps that coincide count as often as there are shares, as in a long text."""
    assert removed(BINS, tokens).tolist() == expected
    taken = np.unique([0, *expected, tokens])
    probability = np.linspace(0.9, 0.3, len(taken)).astype(np.float32)
    result = DeletionCurve("toy", 1, "truth", "good", tokens, taken, probability, probability[np.newaxis], 0)
    by_count = dict(zip(taken.tolist(), probability.tolist(), strict=True))
    assert result.aopc == pytest.approx(sum(0.9 - by_count[count] for count in expected) / 6, abs=1e-6)


def test_several_methods_have_the_curves_that_each_has_alone(toy_trained: Path) -> None:
    trained = Run.open(toy_trained / "toy-cnn").load()
    for text in toy.read("test").texts[:5]:
        explained = [explain(trained, text, method) for method in methods_for(trained.run)]
        for one, together in zip(explained, deletion_curves(trained, explained), strict=True):
            alone = deletion_curve(trained, one)
            assert together.method == one.method
            np.testing.assert_allclose(together.probability, alone.probability, atol=1e-6)
            np.testing.assert_allclose(together.random, alone.random, atol=1e-6)


def test_a_curve_knows_whether_it_should_rise(toy_trained: Path) -> None:
    trained = Run.open(toy_trained / "toy-cnn").load()
    for target in (0, 1):
        explained = explain(trained, "it was a splendid film on that day", "gradient-input", target)
        result = deletion_curve(trained, explained)
        assert result.rises is (explained.predicted != target)
        assert result.aopc > result.random_aopc.mean(), "either way the planted word goes first"


# -------------------------------------------------------------------------------------------------------- many texts


def survey(count: int = 40, seed: int = 0) -> DeletionSurvey:
    """Return random numbers of two methods, the second better by about 0.2 and the first like random orders."""
    rng = np.random.default_rng(seed)
    random = rng.normal(0.1, 0.05, size=count)
    numbers = np.stack([random + rng.normal(0, 0.02, count), random + rng.normal(0.2, 0.05, count)], axis=1)
    better = rng.integers(0, 11, size=(count, 2), dtype=np.int32)
    ids = tuple(f"test/{number}" for number in range(count))
    tokens = np.full(count, 9, np.int32)
    return DeletionSurvey(
        "toy-cnn", 3, ids, tokens, 10, ("one", "two"), numbers.astype(np.float32), better, random.astype(np.float32)
    )


@pytest.mark.parametrize("seed", range(3))
def test_intervals_are_those_of_scipys_bootstrap(seed: int) -> None:
    result = survey(seed=seed)
    for estimate, values in (
        (result.of("one"), result.aopc[:, 0]),
        (result.at_random, result.random),
        (result.gained("two"), result.aopc[:, 1] - result.random),
        (result.gained("two", "one"), result.aopc[:, 1] - result.aopc[:, 0]),
    ):
        theirs = bootstrap((values,), np.mean, method="percentile", n_resamples=2000, rng=seed).confidence_interval
        error = float(values.std()) / len(values) ** 0.5
        assert estimate.mean == pytest.approx(values.mean(), abs=1e-6)
        assert estimate.low == pytest.approx(theirs.low, abs=0.35 * error)
        assert estimate.high == pytest.approx(theirs.high, abs=0.35 * error)
        assert estimate.low < estimate.mean < estimate.high


def test_the_highest_mean_comes_first() -> None:
    result = survey()
    assert result.best_first == ("two", "one")
    assert replace(result, aopc=result.aopc[:, ::-1]).best_first == ("one", "two")
    assert replace(result, aopc=np.ones_like(result.aopc)).best_first == ("one", "two"), "level: as they were named"
    assert result.beats_all("one") == sum(count == 10 for count in result.better[:, 0])


def test_a_survey_cannot_be_changed_nor_have_holes() -> None:
    result = survey()
    with pytest.raises(ValueError, match="read-only"):
        result.aopc[0] = 1
    change: Callable[..., DeletionSurvey] = replace
    for name, value in (("methods", ("one",)), ("random", np.zeros(3, np.float32)), ("better", np.zeros((40, 1)))):
        with pytest.raises(ValueError, match="one number per text and method"):
            change(result, **{name: value})


# -------------------------------------------------------------------------------------------------------------- kept


@pytest.fixture
def run(toy_trained: Path, tmp_path: Path) -> Run:
    """A copy of the toy CNN, which may be written into."""
    copied(Run.open(toy_trained / "toy-cnn"), tmp_path / "toy-cnn")
    return Run.open(tmp_path / "toy-cnn")


def test_what_is_measured_is_what_each_text_gets(run: Run) -> None:
    texts = [(name, text) for name, text in zip(toy.read("test").ids, toy.read("test").texts, strict=True)][:8]
    result, trained = survey_deletion(run, texts), run.load()
    assert result.methods == tuple(name for name, method in methods_for(run).items() if method.surveyed)
    assert (result.run, result.epoch, result.orders) == (run.name, run.best_epoch, ORDERS)
    for position, (name, text) in enumerate(texts):
        assert result.ids[position] == name
        for column, method in enumerate(result.methods):
            curve = deletion_curve(trained, explain(trained, text, method))
            assert result.aopc[position, column] == pytest.approx(curve.aopc, abs=1e-5)
            assert result.better[position, column] == curve.better
            assert result.random[position] == pytest.approx(curve.random_aopc.mean(), abs=1e-5)


def test_what_is_written_is_read(run: Run) -> None:
    written = survey()
    again = deletion_survey(write_deletion(run, written))
    assert again is not None
    assert (again.ids, again.methods, again.orders, again.epoch) == (written.ids, written.methods, 10, 3)
    for name in ("tokens", "aopc", "better", "random"):
        np.testing.assert_array_equal(getattr(again, name), getattr(written, name))


def test_a_run_without_the_measurement_has_none(run: Run) -> None:
    (run.folder / DELETION).unlink(missing_ok=True)
    assert deletion_survey(run.save()) is None


def test_a_damaged_table_is_named(run: Run) -> None:
    numbers = {"epoch": pa.array([1]), "id": pa.array(["a"]), "tokens": pa.array([3]), "random": pa.array([0.1])}
    write_table(run.folder / DELETION, numbers)
    with pytest.raises(RunError, match="is damaged or incomplete"):
        deletion_survey(run.save())
    write_table(run.folder / DELETION, numbers | {"aopc.saliency": pa.array([0.1])}, "10")
    with pytest.raises(RunError, match=r"lacks the column better\.saliency"):
        deletion_survey(Run.open(run.folder).save())
