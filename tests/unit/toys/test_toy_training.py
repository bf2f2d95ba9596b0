"""Networks on toy tasks: their sizes, what a step does, that a small task is learnt, what a reading shows."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest
import torch

from nlpviz.experiments.toys import ToyError, toy_tasks
from nlpviz.experiments.toys.networks import PARAMETERS, build, entrants
from nlpviz.experiments.toys.race import Race, is_noted
from nlpviz.experiments.toys.reading import CLOSE, read_example
from nlpviz.experiments.toys.training import ToySettings, ToyTraining, held_out
from nlpviz.results.toys import better


def training(task: str, name: str, length: int, steps: int, seed: int = 0, rate: float | None = None) -> ToyTraining:
    """Return a training of a network that has not begun."""
    return ToyTraining(toy_tasks()[task], name, ToySettings(length, steps, rate, seed))


def taught(*arguments: object, **more: object) -> ToyTraining:
    """Return a training that is over."""
    result = training(*arguments, **more)  # type: ignore[arg-type]
    while not result.over:
        result.step()
    return result


# ------------------------------------------------------------------------------------------------------------ networks


def test_every_network_races() -> None:
    assert set(entrants()) == {"elman", "elman-relu", "gated", "gru", "lstm", "qrnn", "skip-rnn", "tcn"}


@pytest.mark.parametrize("task", toy_tasks())
def test_networks_are_of_one_size(task: str) -> None:
    for name in entrants():
        one = toy_tasks()[task]
        count = build(name, one.inputs, one.outputs, one.steps(one.length), 0).parameters_counted
        assert 0.85 * PARAMETERS <= count <= PARAMETERS, name


@pytest.mark.parametrize("name", entrants())
def test_an_answer_knows_the_past_alone_and_all_of_it(name: str) -> None:
    steps = 24
    network = build(name, 3, 2, steps, 1)
    inputs = torch.randn(1, steps, 3, generator=torch.manual_seed(0))
    other = inputs.clone()
    other[:, 12] += 1
    with torch.inference_mode():
        before, after = network(inputs), network(other)
    torch.testing.assert_close(before[:, :12], after[:, :12])
    assert (before[:, 12:] - after[:, 12:]).abs().sum() > 0
    encoder = network.encoder
    assert getattr(encoder, "receptive_field", steps) >= steps, "a convolution sees the first step from the last"


def test_weights_come_from_the_seed_and_leave_torch_alone() -> None:
    state = torch.random.get_rng_state()
    first, second, third = (build("gru", 3, 2, 5, seed) for seed in (4, 4, 5))
    assert torch.equal(first.output.weight, second.output.weight)
    assert not torch.equal(first.output.weight, third.output.weight)
    assert torch.equal(torch.random.get_rng_state(), state)


def test_an_unknown_network_is_named() -> None:
    with pytest.raises(ToyError, match=r"no cell 'transformer'\. Choose one of elman, elman-relu, gated, gru"):
        training("adding", "transformer", 5, 1)


# ------------------------------------------------------------------------------------------------------------ training


def test_a_measure_is_what_numpy_makes_of_the_answers() -> None:
    one = training("copy-memory", "gru", 5, 10)
    inputs, targets = held_out(one.task, 5)
    with torch.inference_mode():
        scores = one.network(torch.from_numpy(inputs)).double().numpy()
    likely = scores - np.log(np.exp(scores).sum(axis=2, keepdims=True))
    loss = -np.take_along_axis(likely, targets[:, :, None], axis=2).mean()
    wrong = scores[:, -10:].argmax(axis=2) != targets[:, -10:]
    assert one.measure() == pytest.approx((loss, wrong.mean(), 1 - wrong.any(axis=1).mean()), rel=1e-5)


def test_values_are_measured_by_their_squared_error() -> None:
    one = training("adding", "elman", 5, 10)
    inputs, targets = held_out(one.task, 5)
    with torch.inference_mode():
        answers = one.network(torch.from_numpy(inputs))[:, -1].numpy()
    reached = one.measure()
    assert reached.loss == pytest.approx(float(np.mean((answers - targets) ** 2)), rel=1e-5)
    assert np.isnan(reached.error)


def test_the_first_step_is_adams_by_the_sign_of_the_gradient() -> None:
    """Adam's first step moves every weight by the rate, against its gradient's sign; the last one hardly."""
    one = training("binary-addition", "elman", 3, 100, rate=0.01)
    before = one.network.output.weight.detach().clone()
    one.step()
    moved = (one.network.output.weight - before).abs()
    torch.testing.assert_close(moved, torch.full_like(moved, 0.01), atol=2e-4, rtol=0)
    one.steps = 99
    before = one.network.output.weight.detach().clone()
    one.step()
    assert (one.network.output.weight - before).abs().max() < 0.01 * 0.01 * 2
    assert one.over
    one.step()
    assert one.steps == 100, "what is over takes no step"


def test_a_training_repeats_itself() -> None:
    first, second, other = (taught("binary-addition", "gru", 4, 12, seed) for seed in (3, 3, 4))
    assert first.measure() == second.measure()
    assert first.measure() != other.measure()


@pytest.mark.parametrize(
    ("task", "name", "length", "steps", "largest"),
    [
        ("binary-addition", "gru", 4, 300, 0.05),
        pytest.param("binary-addition", "lstm", 4, 300, 0.05, marks=pytest.mark.ci),
        pytest.param("identical-halves", "gated", 4, 250, 0.1, marks=pytest.mark.ci),
        pytest.param("binary-addition", "skip-rnn", 4, 300, 0.05, marks=pytest.mark.ci),
    ],
)
def test_a_small_task_is_learnt_in_seconds(task: str, name: str, length: int, steps: int, largest: float) -> None:
    one = taught(task, name, length, steps)
    assert one.measure().error < largest
    assert better(one.measure(), one.task.chance(length))
    assert one.measure().loss < 0.5 * training(task, name, length, steps).measure().loss, "not before training"


def test_the_curve_has_a_point_before_training_and_where_it_was_measured() -> None:
    one = training("binary-addition", "elman", 3, 5)
    for _ in range(5):
        one.step()
    one.note()
    one.note()
    curve = one.curve((2, 6))
    assert [point.step for point in curve.learning] == [0, 5]
    assert [(point.step, point.length) for point in curve.lengths] == [(5, 2), (5, 6)]
    assert curve.parameters == one.network.parameters_counted
    assert curve.seconds > 0


# ------------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("task", toy_tasks())
@pytest.mark.parametrize("name", ["lstm", "tcn"])
def test_a_reading_is_what_the_network_answers(task: str, name: str) -> None:
    one = training(task, name, toy_tasks()[task].offered[2], 5)
    read = read_example(one, 3)
    steps = one.task.steps(one.settings.length)
    assert len(read.targets) == len(read.answers) == len(read.right) == len(read.states) == steps
    assert [part.name for part in read.about] == list(read.parts)
    with torch.inference_mode():
        shown = one.network.output(torch.from_numpy(read.states)).numpy()
    if one.task.of_classes:
        assert read.answers == tuple(one.task.names[best] for best in shown.argmax(axis=1))
        likely = np.exp(shown).max(axis=1) / np.exp(shown).sum(axis=1)
        np.testing.assert_allclose(read.sure, likely, rtol=1e-4)
        same = [target == answer for target, answer in zip(read.targets, read.answers, strict=True)]
    else:
        same = [target != "" and abs(float(target) - float(shown[at, 0])) < CLOSE + 0.005
                for at, target in enumerate(read.targets)]  # fmt: skip
    counted = one.task.counted(one.settings.length)
    assert read.right == (None,) * (steps - counted) + tuple(same[-counted:])


def test_networks_read_the_same_example() -> None:
    first, second = (training("adding", name, 10, 5) for name in ("gru", "elman"))
    assert read_example(first, 4).symbols == read_example(second, 4).symbols != read_example(first, 5).symbols


# ---------------------------------------------------------------------------------------------------------------- race


def test_a_race_builds_first_and_goes_on_in_step() -> None:
    race = Race(toy_tasks()["binary-addition"], ("elman", "gru"), ToySettings(3, 40))
    assert not race.ready
    assert race.curves() == ()
    assert race.read("gru", 0) is None
    while race.advance(0):
        assert race.steps == 0
    assert race.ready
    while race.advance(3):
        taken = [one.steps for one in race._trainings]
        assert max(taken) - min(taken) <= 1
    assert race.steps == 3
    assert [curve.last.step for curve in race.curves()] == [3, 3], "measured where they stop"
    assert not race.over
    while race.advance(1_000_000):
        pass
    assert (race.steps, race.over) == (40, True)
    noted = [point.step for point in race.curves()[0].learning]
    assert noted == sorted({0, 3, 40, *(step for step in range(1, 41) if is_noted(step))})


def test_a_race_answers_while_a_network_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    race = Race(toy_tasks()["binary-addition"], ("elman", "gru"), ToySettings(3, 40))
    seen: list[tuple[int, object]] = []

    def built(*arguments: object) -> ToyTraining:
        asking = Thread(target=lambda: seen.append((len(race.curves()), race.read("gru", 0))), daemon=True)
        asking.start()
        asking.join(60)
        return ToyTraining(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("nlpviz.experiments.toys.race.ToyTraining", built)
    while race.advance(0):
        pass
    assert seen == [(0, None), (1, None)]
    assert len(race.curves()) == 2


def test_a_race_of_a_length_that_is_not_there() -> None:
    with pytest.raises(ToyError, match="not 10,000"):
        Race(toy_tasks()["adding"], ("gru",), ToySettings(10_000, 5))
