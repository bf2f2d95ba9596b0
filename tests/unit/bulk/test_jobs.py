"""Files of any length: answered as one text is, in parts that do not show, in the memory of a part."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
import pytest

from nlpviz.analysis.attribution import explain
from nlpviz.analysis.bulk import BulkError, jobs, reading
from nlpviz.analysis.bulk.jobs import Told, answer_file, here
from nlpviz.analysis.bulk.questions import BulkQuestion
from nlpviz.analysis.inspection.regions import predictive_regions
from nlpviz.analysis.projections.texts import embed_text
from nlpviz.runs import Run, open_run
from nlpviz.runs.ngram_weights import read_weights
from nlpviz.text.vocabulary import tokenize
from tests import toy

QUIET = Told(lambda _rows, _answered: None, lambda _rows: None)


class Row(NamedTuple):
    number: int
    text: str
    label: str = ""


def rows(count: int = 90) -> list[Row]:
    """Return texts of the toy corpus, an empty one and one of unknown words among them; numbers have gaps."""
    texts = ["", "zzz <b>&amp;</b> 文", *toy.read("test").texts]
    return [Row(2 * number + 1, texts[number % len(texts)], str(number % 2)) for number in range(count)]


def question(run: Run, about: str = "predict", **more: Any) -> BulkQuestion:
    return BulkQuestion(about, run.name, run.fingerprint, run.best_epoch, **more)


@pytest.fixture
def run(trained: Path) -> Run:  # noqa: ARG001 - its folder is in place
    return open_run("toy-cnn")


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "ROWS_OF_A_PART", 16)


def answered(asked: BulkQuestion, out: Path, given: Callable[[], Any] = rows) -> list[dict[str, Any]]:
    answer_file(asked, given, out, QUIET)
    assert list(out.parent.glob(".*")) == []
    return list(pq.ParquetFile(out).read().to_pylist())


# --------------------------------------------------------------------------------------------------------- answers


@pytest.mark.usefixtures("small_parts")
def test_classes_and_probabilities_are_those_of_each_text_alone(run: Run, tmp_path: Path) -> None:
    trained, found = run.load(), answered(question(run, labelled=True), tmp_path / "out.parquet")
    assert [row["row"] for row in found] == [row.number for row in rows()]
    for given, row in zip(rows(), found, strict=True):
        alone = explain(trained, given.text, "saliency").probabilities
        assert row["label"] == given.label
        assert "text" not in row
        np.testing.assert_allclose([row["probability.negative"], row["probability.positive"]], alone, atol=1e-6)
        assert row["predicted"] == run.class_names[int(alone.argmax())]
        assert row["probability"] == max(row["probability.negative"], row["probability.positive"])
    assert (found[0]["tokens"], found[0]["read"], found[0]["unknown"]) == (0, 0, 0)
    assert (found[1]["tokens"], found[1]["unknown"]) == (len(trained.encode(rows()[1].text).tokens),) * 2


@pytest.mark.usefixtures("small_parts", "trained")
def test_a_bag_of_ngrams_predicts_what_its_weights_add_up_to(tmp_path: Path) -> None:
    run = open_run("toy-ngrams")
    found, weights = answered(question(run), tmp_path / "out.parquet"), read_weights(run)
    expected = weights.probabilities([row.text for row in rows()])
    given = [[row["probability.negative"], row["probability.positive"]] for row in found]
    np.testing.assert_allclose(given, expected, atol=1e-6)
    assert [row["predicted"] for row in found] == [run.class_names[number] for number in expected.argmax(axis=1)]
    assert [found[0][name] for name in ("tokens", "read", "unknown")] == [0, 0, 0]
    unknown = len(tokenize(rows()[1].text))
    assert [found[1][name] for name in ("tokens", "read", "unknown")] == [unknown] * 3
    assert 0 < found[2]["unknown"] + 1 <= found[2]["tokens"], "most words of the corpus have a weight"


@pytest.mark.parametrize("architecture", sorted(toy.classifiers()))
def test_every_classifier_embeds_a_file_as_it_embeds_a_text(
    toy_classifiers: Callable[[str], Path], architecture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_classifiers(architecture).parent))
    run = open_run(f"toy-{architecture}")
    found, trained = answered(question(run, "embed"), tmp_path / "out.parquet", lambda: rows(20)), run.load()
    for given, row in islice(zip(rows(), found, strict=False), 1, 20, 3):  # the first one is empty
        alone = embed_text(trained, given.text)
        np.testing.assert_allclose(row["embedding"], alone.embedding, rtol=1e-5, atol=1e-5)
        assert row["probability"] == pytest.approx(float(alone.probabilities.max()), abs=1e-5)
        assert row["predicted"] == run.class_names[int(alone.probabilities.argmax())]


def test_explanations_and_regions_are_those_of_each_text(run: Run, tmp_path: Path) -> None:
    trained, given = run.load(), rows(12)
    scores = answered(question(run, "explain", target=1, method="saliency"), tmp_path / "a.parquet", lambda: given)
    kept = question(run, "regions", rank="contribution", count=2, keep_texts=True)
    regions = answered(kept, tmp_path / "b.parquet", lambda: given)
    for row, explained, found in zip(given, scores, regions, strict=True):
        assert explained.keys().isdisjoint({"text", "words"})
        alone = explain(trained, row.text, "saliency", 1)
        assert explained["scores"] == alone.scores.tolist()
        assert list(zip(explained["starts"], explained["ends"], strict=True)) == [
            (token.start, token.end) for token in alone.encoded.read
        ]
        assert (explained["target"], explained["class_score"]) == ("positive", alone.class_score)
        whole = predictive_regions(trained, row.text)
        shown = [region for branch in whole.branches for region in whole.ranked("contribution", branch.size)[:2]]
        assert found["text"] == row.text
        assert found["ngrams"] == [region.ngram for region in shown]
        assert found["contributions"] == pytest.approx([region.contribution for region in shown])
        assert found["residual"] == pytest.approx(0, abs=1e-4)


# ------------------------------------------------------------------------------------------------------------ parts


@pytest.mark.usefixtures("small_parts", "trained")
@pytest.mark.parametrize(("name", "form"), [("toy-cnn", "parquet"), ("toy-cnn", "jsonl"), ("toy-ngrams", "parquet")])
def test_a_stopped_job_goes_on_and_ends_as_an_unstopped_one(tmp_path: Path, name: str, form: str) -> None:
    run = open_run(name)
    whole, stopped = tmp_path / f"whole.{form}", tmp_path / f"stopped.{form}"
    answer_file(question(run), rows, whole, QUIET)
    told: list[tuple[int, int]] = []

    def stop(_rows: int) -> None:
        if len(list((tmp_path / f".{stopped.name}.parts").glob("part-*"))) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_file(question(run), rows, stopped, Told(lambda *_: None, stop))
    assert not stopped.exists()
    asked: list[int] = []
    answer_file(question(run), rows, stopped, Told(lambda *begun: told.append(begun), asked.append))
    assert told == [(90, 48)]
    assert sum(asked) == 42
    assert stopped.read_bytes() == whole.read_bytes()


@pytest.mark.usefixtures("small_parts")
def test_parts_of_another_job_are_not_mixed_in(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"

    def stop(_rows: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_file(question(run), rows, out, Told(lambda *_: None, stop))
    with pytest.raises(BulkError, match=r"different settings \(keep_texts\)"):
        answer_file(question(run, keep_texts=True), rows, out, QUIET)
    with pytest.raises(BulkError, match=r"different settings \(digest\)"):
        answer_file(question(run), lambda: [row._replace(text=row.text + "!") for row in rows()], out, QUIET)
    answer_file(question(run), rows, out, QUIET)
    with pytest.raises(BulkError, match="already exists"):
        answer_file(question(run), rows, out, QUIET)


def test_a_file_that_changes_while_it_is_read_is_refused(run: Run, tmp_path: Path) -> None:
    versions = iter([rows(), rows(89)])
    with pytest.raises(BulkError, match="changed while it was being read"):
        answer_file(question(run), lambda: next(versions), tmp_path / "out.parquet", QUIET)


@pytest.mark.parametrize(
    ("out", "sentence"), [("out.csv", r"must end in \.parquet or \.jsonl"), ("no/out.jsonl", "There is no folder")]
)
def test_where_nothing_can_be_written_is_said_before_anything_is_read(
    run: Run, tmp_path: Path, out: str, sentence: str
) -> None:
    with pytest.raises(BulkError, match=sentence):
        answer_file(question(run), lambda: pytest.fail("it was read"), tmp_path / out, QUIET)


def test_no_row_makes_a_file_with_the_same_columns(run: Run, tmp_path: Path) -> None:
    for about in ("predict", "embed", "explain", "regions"):
        asked = question(run, about, method="saliency", rank="contribution", count=1)
        answer_file(asked, rows, tmp_path / f"{about}.parquet", QUIET)
        answer_file(asked, list, tmp_path / f"{about}-none.parquet", QUIET)
        there, none = (pq.ParquetFile(tmp_path / f"{about}{end}.parquet") for end in ("", "-none"))
        assert (none.metadata.num_rows, none.schema_arrow) == (0, there.schema_arrow)


def test_json_lines_hold_what_parquet_does(run: Run, tmp_path: Path) -> None:
    there = answered(question(run), tmp_path / "out.parquet")
    answer_file(question(run), rows, tmp_path / "out.jsonl", QUIET)
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == there


@pytest.mark.usefixtures("small_parts")
def test_memory_is_that_of_a_part_however_many_there_are(run: Run, tmp_path: Path) -> None:
    def many(count: int) -> Iterator[Row]:
        return (Row(number, f"{number} splendid {'x' * 20_000}") for number in range(count))

    peaks = {}
    for count in (64, 64, 640):  # the first time, modules are imported
        (tmp_path / "out.parquet").unlink(missing_ok=True)
        tracemalloc.start()
        answer_file(question(run), lambda count=count: many(count), tmp_path / "out.parquet", QUIET)
        peaks[count] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peaks[640] < 2 * peaks[64]


def test_a_part_ends_at_so_many_characters_as_well(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlpviz.analysis.bulk.parts.CHARACTERS_OF_A_PART", 1000)
    sizes: list[int] = []

    def long() -> list[Row]:
        return [Row(number, "film " * 150) for number in range(6)]

    def noticed(asked: BulkQuestion, there: Any, parts: Any) -> Iterator[int]:
        for some in here(asked, there, parts):
            sizes.append(some)
            yield some

    answer_file(question(run), long, tmp_path / "out.parquet", QUIET, noticed)
    assert sizes == [2, 2, 2]


def test_batches_hold_every_text_once_and_no_more_tokens_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_TEXTS", 8)
    monkeypatch.setattr(reading, "_TOKENS", 100)
    lengths = np.random.default_rng(0).integers(0, 120, 60)
    batches = reading.batches(lengths)
    assert sorted(np.concatenate(batches)) == list(range(60))
    assert all(len(batch) == 1 or len(batch) * lengths[batch].max() <= 100 for batch in batches)
    assert max(map(len, batches)) == 8
