"""``predict``, ``embed``, ``explain`` and ``regions`` over a file: what is written, what is said, what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from nlpviz.commands.cli import main
from nlpviz.runs import open_run
from tests import toy
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A CSV with the toy's test texts, and one row with a column too few."""
    path = tmp_path / "reviews.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "body", "mood"])
        for number, text in enumerate(toy.read("test").texts):
            writer.writerow([number, f"{text},\n{text}", ("low", "high")[number % 2]])
        stream.write("bad\n")
    return path


def test_a_file_is_predicted_and_bad_rows_are_counted(printed: Printed, texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    said = printed("predict", "toy-cnn", "--texts", str(texts), "--text", "body", "--label", "mood", "--out", str(out))
    answered, left_out, bad = said.splitlines()
    assert answered.startswith("90 rows processed in ")
    assert left_out == "1 unreadable row was skipped:"
    assert bad.startswith("  Row 182 ")
    assert "90.0/90.0" in printed.error
    found = pq.ParquetFile(out).read()
    assert found.column_names == [
        *("row", "label", "predicted", "probability"),
        *("probability.negative", "probability.positive", "tokens", "read", "unknown"),
    ]
    assert found["predicted"].to_pylist() == [toy.CLASSES[label] for label in toy.read("test").labels]
    assert found["row"].to_pylist()[:3] == [2, 4, 6]
    assert found["label"].to_pylist()[:2] == ["low", "high"]


@pytest.mark.usefixtures("toy_modules")
def test_a_bag_of_ngrams_predicts_a_file_once_it_keeps_its_weights(
    printed: Printed, texts: Path, tmp_path: Path, trained: Path
) -> None:
    out, weights = tmp_path / "out.parquet", trained / "toy-ngrams" / "ngram-weights.parquet"
    asked = ("predict", "toy-ngrams", "--texts", str(texts), "--text", "body", "--out", str(out))
    weights.unlink()
    open_run("toy-ngrams").save()
    assert "`python -m nlpviz survey toy-ngrams` to add them" in printed.refused(*asked)
    assert not (tmp_path / ".out.parquet.parts").exists(), "what the survey adds makes another run of it"
    printed("survey", "toy-ngrams")
    printed(*asked)
    found = pq.ParquetFile(out).read()
    assert found["predicted"].to_pylist() == [toy.CLASSES[label] for label in toy.read("test").labels]
    assert found["tokens"].to_pylist() == found["read"].to_pylist()


@pytest.mark.parametrize("command", ["embed", "explain", "regions"])
def test_json_tells_the_counts_alone(printed: Printed, texts: Path, tmp_path: Path, command: str) -> None:
    out = tmp_path / "out.jsonl"
    facts = printed.json(command, "toy-cnn", "--texts", str(texts), "--text", "body", "--out", str(out), "--keep-texts")
    assert facts.pop("seconds") >= 0
    run = open_run("toy-cnn")
    assert facts == {"run": "toy-cnn", "epoch": run.best_epoch, "out": str(out), "rows": 90, "bad_rows": 1}
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert rows[0]["text"] == ",\n".join([toy.read("test").texts[0]] * 2)
    assert set(rows[0]) >= {"row", "label", "text", "predicted", "probability"}


def test_explain_takes_the_runs_best_method_and_a_target(printed: Printed, texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    printed("explain", "toy-cnn", "--texts", str(texts), "--out", str(out), "--text", "body", "--target", "negative")
    alone = printed.json("explain", "toy-cnn", "--target", "negative", "--text", f"{toy.read('test').texts[3]}")
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[3])
    assert row["target"] == alone["target"] == "negative"
    assert len(row["scores"]) == 2 * len(alone["tokens"]) + 1
    assert "words" not in row


@pytest.mark.parametrize(
    ("command", "arguments", "sentence"),
    [
        ("predict", "toy-ngrams --texts FILE --out OUT --epoch 1", "has no stored epoch 1"),
        ("embed", "toy-ngrams --texts FILE --out OUT", "is a baseline rather than a network"),
        ("predict", "toy-cnn --texts FILE --out OUT --text nothing", "There is no column 'nothing'"),
        ("predict", "toy-cnn --texts FILE --out OUT --epoch 77", "has no stored epoch 77"),
        ("predict", "toy-cnn --texts FILE --out OUT --workers 2", "--workers needs --ray."),
        ("embed", "toy-cnn --texts none.csv --out OUT", "none.csv"),
        ("explain", "toy-cnn", "No text was given"),
        ("explain", "toy-cnn --texts FILE", "--texts needs --out"),
        ("explain", "toy-cnn --text good --keep-texts", "--keep-texts needs --texts."),
        ("regions", "toy-cnn --texts FILE --out OUT --unseen", "cannot be combined with --texts"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    printed: Printed, texts: Path, tmp_path: Path, command: str, arguments: str, sentence: str
) -> None:
    named = {"FILE": str(texts), "OUT": str(tmp_path / "out.parquet")}
    assert sentence in printed.refused(command, *(named.get(part, part) for part in arguments.split()))
    assert not (tmp_path / "out.parquet").exists()


def test_without_a_file_predict_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["predict", "toy-cnn"])
    assert "--texts, --out" in capsys.readouterr().err
