"""``optimise`` races on a surface; ``train-curves`` shows what is stored. Both refuse what cannot be."""

from __future__ import annotations

import pytest

from nlpviz.experiments.feedforward.stored import read_trials
from tests.unit.conftest import Printed


def test_json_holds_the_paths(printed: Printed) -> None:
    facts = printed.json("optimise", "ravine", "--optimiser", "sgd", "--rate", "0.03", "--steps", "3")
    (path,) = facts["paths"]
    assert path["points"][-1] == pytest.approx([-3.5 * 0.97**3, 0.9 * (-0.5) ** 3])
    assert not path["left_the_surface"]
    assert facts["lowest"] == 0


def test_words_have_the_best_first_and_what_left_last(printed: Printed) -> None:
    lines = printed("optimise", "ravine", "--optimiser", "sgd", "--optimiser", "adam", "--rate", "0.1").splitlines()
    titles = [line for line in lines[1:] if not line.startswith("  ")]
    assert titles[0] == "Adam, rate 0.1"
    assert titles[1].startswith("SGD, rate 0.1, left the surface at step ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("canyon",), "There is no surface 'canyon'; available: beale"),
        (("ravine", "--rate", "0"), "The learning rate must be above 0"),
        (("ravine", "--rate", "nan"), "The learning rate must be above 0"),
        (("ravine", "--optimiser", "<b>"), "There is no optimiser '<b>'. Choose one of adadelta"),
        (("ravine", "--steps", "100000"), "steps must be between 1 and 2,000"),
        (("ravine", "--start", "nan", "0"), "The start must be two finite numbers"),
        (("ravine", "--noise", "-1"), "The start must be two finite numbers"),
    ],
)
def test_what_cannot_be_is_one_sentence(printed: Printed, arguments: tuple[str, ...], sentence: str) -> None:
    assert printed("optimise", *arguments, code=2) == ""
    assert sentence in printed.error
    assert len(printed.error.strip().splitlines()) == 1


def test_stored_curves_are_shown_with_intervals(printed: Printed) -> None:
    facts = printed.json("train-curves", "optimisers")
    stored = read_trials("optimisers")
    adam = next(row for row in facts["groups"]["optimiser"] if row["choice"] == "adam")
    mean, interval = stored.test("optimiser", "adam")
    assert adam["test_accuracy"] == pytest.approx(mean)
    assert adam["interval"] == pytest.approx(list(interval))
    assert "Adam" in printed("train-curves", "optimisers")


def test_an_experiment_that_is_not_there_is_one_sentence(printed: Printed) -> None:
    assert printed("train-curves", "x", code=2) == ""
    assert "There is no experiment 'x'; available: babysitting" in printed.error
