"""``evaluate RUN --texts FILE``: a classifier and the baseline on a person's own labelled file, bad rows and all."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import f1_score

from nlpviz.analysis.attribution import explain
from nlpviz.runs import open_run
from tests import toy
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")

BAD = [["only one cell"], ["", "positive", "c"], ["a film", "", "c"], ["a splendid film", "neutral", "c"]]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A CSV of 60 texts, their labels in another case and with blanks; every third label is wrong; four bad rows."""
    test = toy.read("test")
    path = tmp_path / "mine.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["body", "queue", "author"])
        for number, (text, label) in enumerate(zip(test.texts[:60], test.labels[:60], strict=True)):
            shown = int(label) if number % 3 else 1 - int(label)
            writer.writerow([text, f" {toy.CLASSES[shown].title()}", "Ann" if number % 3 else "Bob"])
        writer.writerows(BAD)
    return path


def labels() -> np.ndarray:
    true = toy.read("test").labels[:60].astype(int)
    return np.where(np.arange(60) % 3, true, 1 - true)


@pytest.mark.parametrize("name", ["toy-cnn", "toy-ngrams"])
def test_a_file_is_measured_by_every_kind_that_predicts_classes(printed: Printed, mine: Path, name: str) -> None:
    facts = printed.json("evaluate", name, "--device", "cpu", "--texts", str(mine), "--slice", "Author")
    assert (facts["run"], facts["documents"]) == (name, 60)
    assert facts["accuracy"] == pytest.approx(40 / 60), "the toy classifiers are right, the labels are not"
    predicted = toy.read("test").labels[:60]
    assert facts["macro_f1"] == pytest.approx(f1_score(labels(), predicted, average="macro"))
    assert np.sum(facts["confusion"]) == 60
    assert [one["name"] for one in facts["classes"]] == list(toy.CLASSES)
    bob, ann = sorted(facts["slices"]["author"], key=lambda one: one["accuracy"])
    assert [(one["name"], one["texts"], one["accuracy"]) for one in (bob, ann)] == [("Bob", 20, 0), ("Ann", 40, 1)]
    assert sum(one["texts"] for one in facts["slices"]["length"]) == 60
    assert len(facts["errors"]) == 20
    assert all("text" not in one for one in facts["errors"])
    rows = facts["file"]
    assert (rows["read"], rows["measured"], rows["empty"], rows["unlabelled"]) == (64, 60, 1, 1)
    assert (rows["unknown"], rows["bad_count"]) == ({"neutral": 1}, 1)
    assert facts["calibration"]["temperature"]["fitted_on"] == ("validation" if name == "toy-cnn" else "cross-fitting")


def test_in_lines(printed: Printed, mine: Path) -> None:
    said = printed("evaluate", "toy-cnn", "--device", "cpu", "--texts", str(mine), "--against", "toy-ngrams")
    assert "Text column: 'body'." in said
    assert "toy-cnn, epoch " in said
    assert "accuracy 66.67% (95% interval " in said
    assert "60 texts from mine.csv" in said
    assert "Accuracy of always predicting 'negative', the majority class: 50.0%." in said
    assert "toy-cnn and toy-ngrams do not differ significantly on these texts: +0.00 points" in said
    assert said.rstrip().endswith(
        "60 of 64 rows evaluated; excluded: 1 with an unknown label ('neutral' 1), 1 without a text, "
        "1 without a label, 1 unreadable (row 62: has 1 cell instead of 3)."
    )


def test_probabilities_are_those_that_the_network_says_elsewhere(printed: Printed, mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    printed("evaluate", "toy-cnn", "--texts", str(mine), "--epoch", "0", "--predictions", str(out), "--device", "cpu")
    table = pq.read_table(out).to_pydict()
    assert list(table) == ["row", "label", "predicted", "probability negative", "probability positive"]
    trained = open_run("toy-cnn").load(0)
    expected = [explain(trained, text, "saliency").probabilities for text in toy.read("test").texts[:60]]
    np.testing.assert_allclose(table["probability positive"], np.array(expected)[:, 1], atol=1e-6)
    assert table["label"] == [toy.CLASSES[label] for label in labels()]
    assert table["row"] == list(range(2, 62)), "the header is the first line"


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_predictions_hold_no_text_unless_asked_and_no_formula(printed: Printed, tmp_path: Path, ending: str) -> None:
    mine, out = tmp_path / "mine.tsv", tmp_path / f"out.{ending}"
    mine.write_text("text\tlabel\n=1+1 splendid\tpositive\n@a dreadful film\tnegative\n", encoding="utf-8")
    asked = ("evaluate", "toy-cnn", "--texts", str(mine), "--predictions", str(out), "--device", "cpu")
    printed(*asked, "--against", "toy-ngrams")
    assert "splendid" not in out.read_text(encoding="utf-8")
    out.unlink()
    printed(*asked, "--keep-texts")
    written = out.read_text(encoding="utf-8")
    if ending == "csv":
        rows = list(csv.DictReader(written.splitlines()))
        assert [row["text"] for row in rows] == ["'=1+1 splendid", "'@a dreadful film"]
    else:
        rows = [json.loads(line) for line in written.splitlines()]
        assert [row["text"] for row in rows] == ["=1+1 splendid", "@a dreadful film"]
    assert [row["predicted"] for row in rows] == ["positive", "negative"]


def test_labels_may_be_called_otherwise(printed: Printed, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    lines = [{"text": "a splendid film", "label": "POS"}, {"text": "a dreadful film", "label": "neg"}] * 3
    mine.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    refused = printed.refused("evaluate", "toy-cnn", "--texts", str(mine))
    assert "the labels are 'POS', 'neg'; the classes are negative, positive." in refused
    assert "for example: --mapping POS=negative,neg=positive." in refused
    own = ("--texts", str(mine), "--device", "cpu", "--mapping")
    assert printed.json("evaluate", "toy-cnn", *own, "pos=Positive, neg=negative")["accuracy"] == 1
    assert "is not a class of 'toy-cnn'" in printed.refused("evaluate", "toy-cnn", *own, "pos=good")
    assert "pairs of label and class" in printed.refused("evaluate", "toy-cnn", *own, "pos")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--label", "quue"), "There is no column 'quue'; the closest names are 'queue'"),
        (("--slice", "year"), "There is no column 'year'"),
        (("--against", "toy"), "There is no run 'toy'"),
        (("--predictions", "out.xlsx"), "has no supported file extension. Use .csv, .jsonl or .parquet."),
        (("--predictions", "nowhere/out.csv"), "There is no folder nowhere."),
        (("--epoch", "9"), "has no stored epoch 9; stored epochs: 0, 1, 2, 3"),
        (("--labels", "x", "--slice", "author"), "These options need --texts"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_a_sentence(printed: Printed, mine: Path, more: tuple[str, ...], said: str) -> None:
    assert said in printed.refused("evaluate", "toy-cnn", "--texts", str(mine), *more)


def test_a_file_of_predictions_is_never_overwritten(printed: Printed, mine: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("mine", encoding="utf-8")
    refused = printed.refused("evaluate", "toy-cnn", "--texts", str(mine), "--predictions", str(tmp_path / "out.csv"))
    assert "already exists" in refused
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "mine"


def test_options_of_a_file_need_one(printed: Printed) -> None:
    assert "These options need --texts" in printed.refused("evaluate", "toy-ngrams", "--slice", "author")


def test_a_file_without_labels_is_refused(printed: Printed, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("a splendid film\na dreadful film\n", encoding="utf-8")
    refused = printed.refused("evaluate", "toy-cnn", "--texts", str(tmp_path / "mine.txt"))
    assert "has no column that looks like labels" in refused


def test_runs_with_other_classes_are_not_compared(printed: Printed, mine: Path) -> None:
    replace(open_run("toy-ngrams"), class_names=("bad", "good")).save()
    refused = printed.refused("evaluate", "toy-cnn", "--texts", str(mine), "--against", "toy-ngrams")
    assert "cannot be compared: their classes are bad, good and negative, positive." in refused


def test_classes_in_another_order_are_compared_by_name(printed: Printed, mine: Path) -> None:
    asked = ("evaluate", "toy-cnn", "--device", "cpu", "--texts", str(mine), "--against", "toy-ngrams")
    before: dict[str, Any] = printed.json(*asked)
    replace(open_run("toy-ngrams"), class_names=("positive", "negative")).save()
    after = printed.json(*asked)
    assert after["against"]["accuracy"] == pytest.approx(1 - before["against"]["accuracy"]), "it now means the other"
    assert after["comparison"]["difference"] == pytest.approx(2 * 40 / 60 - 1)
