"""One text inferred several times: numbers worked by hand, and bad input said in a sentence."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection.inferred import between, infer_text, shared_words
from nlpviz.commands.cli import main
from nlpviz.figures.documents.inferred import cloud_on_map, sureness_by_epoch
from nlpviz.results.inferred import Inferred
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import projections_of, run_documents
from nlpviz.text.vocabulary import Vocabulary
from tests import paragraphs

CLOUD = Inferred(
    run="toy",
    title="Toy",
    epoch=1,
    class_names=("negative", "positive"),
    tokens=9,
    known=4,
    vectors=np.array([[0, 0], [3, 4], [0, 4]], dtype=np.float32),
    probabilities=np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], dtype=np.float32),
    nearest=np.array([[7, 2], [2, 7], [7, 5]]),
    neighbours=np.array([0, 0, 2, 0, 0, 1, 0, 3]),
    between=8.0,
)


@pytest.fixture
def run(toy_paragraphs: Path) -> Run:
    """A toy run of PV-DBOW."""
    return Run.open(toy_paragraphs / paragraphs.RUNS[0])


def test_numbers_of_a_cloud() -> None:
    assert CLOUD.within == 4  # of 5, 4 and 3
    assert CLOUD.spread == 0.5
    assert CLOUD.commonest == (7, 2)
    assert CLOUD.shared == pytest.approx((2 + 1 + 1) / 3 / 2)
    assert CLOUD.votes.tolist() == [2, 1]


def test_distance_between_documents_is_that_of_different_ones() -> None:
    assert between(np.array([[0, 0], [3, 4]], dtype=np.float32)) == 5


def test_rare_words_in_common_come_first() -> None:
    vocabulary = Vocabulary(["the", "film", "zombie"], [80, 15, 5])
    found = shared_words(vocabulary, "The zombie film, a film", "the film: zombie zombie; unseen")
    assert [word for word, _ in found] == ["zombie", "film", "the"]
    assert [weight for _, weight in found] == pytest.approx([log(20), log(100 / 15), log(100 / 80)])


def test_seeds_begin_at_nought_and_repeat(run: Run) -> None:
    trained = run.load()
    first, again = infer_text(trained, "a splendid film", 4), infer_text(trained, "a splendid film", 2)
    np.testing.assert_array_equal(first.vectors[:2], again.vectors)
    assert first.within > 0
    assert first.neighbours.sum() == 4 * first.nearest.shape[1]
    assert first.probabilities[:, 1].mean() > infer_text(trained, "a dreadful film", 4).probabilities[:, 1].mean()


def test_one_word_and_a_very_long_text_have_places(run: Run) -> None:
    trained = run.load()
    assert infer_text(trained, "splendid", 2).known == 1
    long = infer_text(trained, "film " * 20_000, 2)
    assert (long.tokens, long.known) == (20_000, run.max_length)
    assert np.isfinite(long.vectors).all()


@pytest.mark.parametrize("text", ["", "zzz qqq", "!?"])
def test_a_text_without_a_known_word_has_no_place(run: Run, text: str) -> None:
    with pytest.raises(RunError, match="No word of this text is in the vocabulary"):
        infer_text(run.load(), text, 3)


def test_figures_say_what_they_show(run: Run) -> None:
    inferred = infer_text(run.load(), "a splendid film", 5)
    maps = (one for one in projections_of(run) if (one.epoch, one.dimensions) == (run.best_epoch, 2) and not one.alone)
    view = cloud_on_map(inferred, np.zeros((5, 2), dtype=np.float32), next(maps), run_documents(run), "PCA")
    assert view.table["seed"] == [0, 1, 2, 3, 4]
    assert "inferred 5 times" in view.alt
    course = sureness_by_epoch([infer_text(run.load(epoch), "a splendid film", 3) for epoch in run.epochs])
    assert course.table["epoch"] == list(run.epochs)


def test_command_prints_the_same_twice(
    toy_paragraphs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_paragraphs))
    asked = ["infer", paragraphs.RUNS[0], "--text", "a splendid film", "--times", "3", "--json"]
    assert main(asked) == 0
    first = capsys.readouterr().out
    assert main(asked) == 0
    assert capsys.readouterr().out == first
    facts = json.loads(first)
    assert facts["seeds"] == [0, 1, 2]
    assert sum(facts["predicted"].values()) == 3
    assert len(facts["nearest"]) == 3
    assert main(["infer", paragraphs.RUNS[0], "--text", "a splendid film", "--times", "3"]) == 0
    assert "with seeds 0 to 2" in capsys.readouterr().out
    assert main(["infer", paragraphs.RUNS[0], "--text", "zzz"]) == 2
    assert "No word of this text" in capsys.readouterr().err
    assert main(["infer", paragraphs.RUNS[0], "--text", "film", "--times", "100000"]) == 2
    assert main(["infer", paragraphs.RUNS[0], "--text", "film", "--vectors"]) == 2


@pytest.mark.parametrize("command", ["embed", "predict"])
def test_a_file_is_answered_by_seed_nought(
    toy_paragraphs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run, command: str
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_paragraphs))
    (tmp_path / "texts.csv").write_text("text\na splendid film\nthe dreadful town was there\n", encoding="utf-8")
    out = tmp_path / "answers.jsonl"
    assert main([command, run.name, "--texts", str(tmp_path / "texts.csv"), "--out", str(out), "--json"]) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    found = [infer_text(run.load(), text, 1) for text in ("a splendid film", "the dreadful town was there")]
    for row, one in zip(rows, found, strict=True):
        if command == "embed":
            np.testing.assert_allclose(row["embedding"], one.vectors[0], rtol=1e-4, atol=1e-5)
        else:
            assert row["probability.positive"] == pytest.approx(float(one.probabilities[0, 1]), abs=1e-4)
