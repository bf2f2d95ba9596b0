"""``toy`` trains, prints the curve beside what needs no memory, and refuses what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.experiments.toys import stored, toy_tasks
from nlpviz.experiments.toys.training import ToySettings, ToyTraining
from tests.unit.conftest import Printed

SMALL = ("--length", "4", "--steps", "30")


def test_json_holds_the_curve_beside_the_baseline(printed: Printed) -> None:
    facts = printed.json("toy", "binary-addition", "--cell", "elman", "--cell", "gru", "--seed", "2", *SMALL)
    assert [curve["network"] for curve in facts["curves"]] == ["elman", "gru"]
    chance = toy_tasks()["binary-addition"].chance(4)
    assert facts["without_memory"] == pytest.approx(chance._asdict())
    one = ToyTraining(toy_tasks()["binary-addition"], "gru", ToySettings(4, 30, seed=2))
    while not one.over:
        one.step()
    learning = facts["curves"][1]["learning"]
    assert (learning[0]["step"], learning[-1]["step"]) == (0, 30)
    assert learning[-1]["loss"] == pytest.approx(one.measure().loss, rel=1e-4)
    lengths = {point["length"]: point for point in facts["curves"][1]["lengths"]}
    assert lengths[16]["without_memory"]["exact"] == pytest.approx(0.75**16)


def test_words_end_with_the_baseline(printed: Printed) -> None:
    lines = printed("toy", "adding", "--length", "5", "--steps", "20").splitlines()
    assert lines[0] == "Adding, 5 numbers"
    assert lines[1].startswith("LSTM, seed 0, ")
    assert lines[-2].startswith("  step     20  mean squared error 0.")
    assert lines[-1] == "Always predicting 1: mean squared error 0.1667"
    assert "lstm, seed 0" in printed.error


def test_several_seeds_are_written_for_the_page(
    printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored.write_curves, "__kwdefaults__", {"folder": tmp_path})
    printed("toy", "identical-halves", "--cell", "gru", "--seeds", "2", "--write", *SMALL)
    read = stored.read_curves("identical-halves", tmp_path)
    assert [(curve.network, curve.seed) for curve in read.curves] == [("gru", 0), ("gru", 1)]
    assert (read.length, read.steps) == (4, 30)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("sorting",), "There is no toy task 'sorting'; available: adding, binary-addition"),
        (("adding", "--length", "0"), "Adding sequences must have 2 to 200 numbers, not 0."),
        (("identical-halves", "--length", "10000"), "2 to 40 symbols, an even number, not 10,000."),
        (("identical-halves", "--cell", "<b>"), "There is no cell '<b>'. Choose one of elman"),
        (("adding", "--steps", "1000000"), "--steps must be at most 20,000"),
        (("adding", "--rate", "0"), "greater than 0"),
        (("adding", "--rate", "nan"), "greater than 0"),
        (("adding", "--seed", "-1"), "--seed must be between"),
    ],
)
def test_what_cannot_be_is_one_sentence(printed: Printed, arguments: tuple[str, ...], sentence: str) -> None:
    assert printed("toy", *arguments, code=2) == ""
    assert sentence in printed.error
