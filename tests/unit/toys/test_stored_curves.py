"""The committed curves: all networks and seeds, of this code, and the bars that they meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.experiments.toys import ToyError, ToyTask, toy_tasks
from nlpviz.experiments.toys.networks import entrants
from nlpviz.experiments.toys.stored import FOLDER, read_curves, write_curves
from nlpviz.experiments.toys.training import ToySettings, ToyTraining
from nlpviz.results.toys import Reached, StoredCurves, ToyCurve, ToyPoint, better


@pytest.fixture(params=toy_tasks())
def task(request: pytest.FixtureRequest) -> ToyTask:
    """Each task."""
    return toy_tasks()[request.param]


@pytest.fixture
def stored(task: ToyTask) -> StoredCurves:
    """Its committed curves."""
    return read_curves(task.name)


def test_every_network_has_three_seeds(task: ToyTask, stored: StoredCurves) -> None:
    assert [(curve.network, curve.seed) for curve in stored.curves] == [
        (name, seed) for name in entrants() for seed in range(3)
    ]
    for curve in stored.curves:
        assert curve.title == entrants()[curve.network].title
        assert [point.length for point in curve.lengths] == list(task.tested or [stored.length])
        assert (curve.learning[0].step, curve.last.step) == (0, stored.steps)


def test_they_are_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 300 * 1024


@pytest.mark.parametrize("name", ["lstm", "tcn"])
def test_they_are_of_this_code(task: ToyTask, stored: StoredCurves, name: str) -> None:
    """A network of the first seed reaches the same before training."""
    training = ToyTraining(task, name, ToySettings(stored.length, stored.steps, seed=0))
    (curve,) = (one for one in stored.curves if (one.network, one.seed) == (name, 0))
    assert training.network.parameters_counted == curve.parameters
    assert training.measure() == pytest.approx(curve.learning[0].reached, rel=2e-3, abs=2e-3, nan_ok=True)


def test_gates_tell_identical_halves_at_length_10_and_elman_networks_do_not() -> None:
    stored = read_curves("identical-halves")
    error = {name: stored.mean(name, 10).error for name in stored.networks}
    assert error["lstm"] <= 0.01
    assert error["gru"] <= 0.01
    assert error["elman"] >= 10 * max(error["lstm"], error["gru"])


def test_carries_are_learnt_exactly_and_go_on_beyond_what_was_trained() -> None:
    stored = read_curves("binary-addition")
    assert stored.length == 8
    assert max(stored.mean(name, 16).exact for name in stored.networks) == 1.0


def test_some_network_remembers_in_every_task(task: ToyTask, stored: StoredCurves) -> None:
    assert any(better(stored.mean(name), task.chance(stored.length)) for name in stored.networks)


def curve(network: str, seed: int, error: float) -> ToyCurve:
    """Return a curve of two points, the last one measured at two lengths."""
    points = [ToyPoint(step, 4, Reached(0.5, error, 1 - error)) for step in (0, 10)]
    lengths = (ToyPoint(10, 2, Reached(0.1, 0, 1)), points[1])
    return ToyCurve(network, network.upper(), seed, 100, 1.5, tuple(points), lengths)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    curves = [curve("gru", 0, 0.25), curve("gru", 1, 0.75), curve("elman", 0, 0.5)]
    write_curves("toy", curves, length=4, steps=10, device="cpu", folder=tmp_path)
    stored = read_curves("toy", tmp_path)
    assert list(stored.curves) == curves
    assert stored.networks == {"gru": "GRU", "elman": "ELMAN"}
    assert stored.mean("gru") == stored.mean("gru", 4) == Reached(0.5, 0.5, 0.5)
    assert stored.mean("gru", 2) == Reached(0.1, 0, 1)
    assert stored.seconds == 4.5
    with pytest.raises(KeyError):
        stored.mean("lstm")


@pytest.mark.parametrize("damage", ["", "{}", '{"length": 4, "steps": 1, "device": "", "created": "", "curves": [{}]}'])
def test_damaged_curves_are_one_sentence(tmp_path: Path, damage: str) -> None:
    (tmp_path / "toy.json").write_text(damage, encoding="utf-8")
    (tmp_path / "toy.csv").write_text("network\n", encoding="utf-8")
    with pytest.raises(ToyError, match="Create them with `python -m nlpviz toy toy --write`"):
        read_curves("toy", tmp_path)
