"""How a run of word vectors is made, on a toy corpus of two circles of words, and the corpora in text8's format."""

from __future__ import annotations

import math
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.data import Corpus, CorpusMissing, DataError, corpora
from nlpviz.data.columns import LabelledTexts
from nlpviz.data.files import fetch
from nlpviz.data.plain_words import WordStream, no_documents, open_words
from nlpviz.results.history import WordEpoch
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.analogies import ANALOGIES, read_scores
from nlpviz.runs.history import read_history
from nlpviz.runs.own_corpora import UNFINISHED
from nlpviz.runs.vectors import INPUT, OUTPUT, read_vectors, tables
from nlpviz.training import Options, TrainingError, sources, words
from nlpviz.training.arrays import vocabulary_of
from nlpviz.training.bounds import OutOfTimeError, concluding
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from nlpviz.training.state import STATE
from nlpviz.training.words import WordSettings, encode, word_recipe
from nlpviz.word_vectors.learning.glove import GloVeSettings
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling
from nlpviz.word_vectors.learning.text import SEPARATOR
from nlpviz.word_vectors.questions import Question, Questions
from tests.over import over_after

SETTINGS = WordSettings(
    "toy-row",
    "skip-gram",
    NegativeSampling(dimensions=8, window=2, subsample=0.0, epochs=3, step=64, block=8, shared=8),
    vocabulary_size=12,
    kept_epochs=(0, 1),
)


def text() -> str:
    """Return a row of words of two circles, the first of each circle the commonest, and one word once."""
    rng = np.random.default_rng(0)
    circles = [list("abcdef"), list("uvwxyz")]
    stretches = [rng.choice(circles[number % 2], 12, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1]) for number in range(300)]
    return "rare " + " ".join(word for stretch in stretches for word in stretch)


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """A corpus in the format of text8, and six questions about it."""
    path = tmp_path / "row.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("row", text())
    questions = tmp_path / "questions.txt"
    questions.write_text(": circles\na b u v\nb a v u\na c u w\n: gram\nb c v w\nc a w u\nnobody b u v\n")
    stream = WordStream(path, "row", len(text()))
    made = replace(corpora()["text8"], name="toy-row", read=lambda _: stream)
    monkeypatch.setattr(words, "corpus_named", lambda _: made)
    monkeypatch.setattr(words, "find_questions", lambda: questions)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "trained"))
    return made


@pytest.fixture
def made(corpus: Corpus) -> Run:
    """The run of the toy corpus."""
    said: list[str] = []
    run = produce(word_recipe(corpus.name, "Toy row", SETTINGS), Options(device="cpu", say=said.append))
    assert run is not None
    assert any("words per second" in line for line in said)
    return run


def test_a_run_keeps_epochs_scores_and_history(made: Run) -> None:
    assert (made.kind, made.epochs, made.best_epoch) == ("word-vectors", (0, 1, 3), 3)
    assert made.config == {"vocabulary_size": 12, "dimensions": 8}
    assert [tables(made, epoch) for epoch in made.epochs] == [(INPUT,), (INPUT,), (INPUT, OUTPUT)]
    assert made.parameter_count == 2 * 12 * 8
    assert made.corpus["words"] == 3601
    history = read_history(made, WordEpoch)
    assert [record.epoch for record in history] == [0, 1, 2, 3]
    assert math.isnan(history[0].loss)
    assert history[3].loss < history[1].loss
    scores = read_scores(made)
    assert set(scores) == {0, 1, 3}
    sections = scores[3]["3CosAdd"].sections
    assert [(one.section, one.asked, one.known) for one in sections] == [("circles", 3, 3), ("gram", 3, 2)]
    assert made.metrics["analogies"]["questions"] == 5
    halves = [made.metrics[f"analogies, {what}"]["questions"] for what in ("every second", "the others")]
    assert halves == [3, 2]
    card = made.file("README.md").read_text(encoding="utf-8")
    assert f"{made.metrics['analogies']['accuracy']:.2%}" in card
    assert "Settings were also compared on these questions" in card


def test_a_card_says_how_its_settings_were_chosen(corpus: Corpus) -> None:
    settings = replace(SETTINGS, settings=replace(SETTINGS.settings, epochs=1), chosen="By the toss of a coin.")
    run = produce(word_recipe(corpus.name, "Toy row", settings), Options(device="cpu", say=lambda _: None))
    assert run is not None
    card = run.file("README.md").read_text(encoding="utf-8")
    assert "By the toss of a coin." in card
    assert "Settings were also compared" not in card


def test_settings_are_chosen_by_every_second_question_of_each_section() -> None:
    """The two halves hold each question once; which is which does not depend on the other sections."""
    asked = Questions("six", {"one": tuple(Question("a", "b", "c", str(n)) for n in range(5)), "two": ()})
    chosen, others = words.halves(asked)
    assert [question.d for question in chosen.sections["one"]] == ["0", "2", "4"]
    assert [question.d for question in others.sections["one"]] == ["1", "3"]
    assert chosen.sections["two"] == others.sections["two"] == ()


def test_words_of_a_circle_come_together_and_the_commonest_stand_first(made: Run) -> None:
    vectors = read_vectors(made)
    assert set(vectors.words[:2]) == {"a", "u"}
    cosines = vectors.directions @ vectors.directions.T
    np.fill_diagonal(cosines, -2)
    for position, nearest in enumerate(cosines.argmax(axis=1)):
        assert (vectors.words[position] < "g") == (vectors.words[nearest] < "g")


def test_a_run_is_measured_again(made: Run) -> None:
    assert words.evaluate(made.name, Options()) == pytest.approx(
        {"accuracy": made.metrics["analogies"]["accuracy"], "questions": 5}
    )


def test_runs_that_are_not_of_words_are_refused(made: Run) -> None:
    with pytest.raises(RunError, match="has no word vectors"):
        read_vectors(replace(made, kind="classifier"))
    with pytest.raises(RunError, match="has no stored output vectors"):
        read_vectors(made, 1, OUTPUT)
    with pytest.raises(RunError, match="has no stored epoch 2"):
        read_vectors(made, 2)


@pytest.mark.parametrize("damage", ["epoch,method\n", "epoch,method,among,section,asked,known,right\n1,x,30,s,a,1,1\n"])
def test_damaged_scores_are_told(made: Run, damage: str) -> None:
    (made.folder / ANALOGIES).write_text(damage)
    run = made.save()
    if damage.endswith("method\n"):
        assert read_scores(run) == {}
    else:
        with pytest.raises(RunError, match=f"{ANALOGIES} of the run"):
            read_scores(run)


def test_word_vectors_start_from_no_other_run(corpus: Corpus) -> None:
    recipe = word_recipe(corpus.name, "Toy row", SETTINGS)
    with pytest.raises(TrainingError, match="--vectors applies only to classifiers"):
        produce(recipe, Options(device="cpu", vectors="enwiki-cbow"))


def test_a_corpus_is_encoded_without_its_rare_words(corpus: Corpus, tmp_path: Path) -> None:
    vocabulary, encoded = encode(corpus, ["all"], 12, tmp_path / "ids")
    row = text().split(" ")
    assert encoded.words == len(row)
    assert [vocabulary.words[number + 2] for number in encoded.ids] == row[1:]
    assert (encoded.counts == np.bincount(encoded.ids)).all()
    few, fewer = encode(corpus, ["all"], 2, tmp_path / "few")
    assert set(few.words[2:]) == {"a", "u"}
    assert len(fewer.ids) == sum(word in "au" for word in row)


def test_documents_are_parted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of a corpus of texts: a boundary stands after each."""
    none = np.zeros(3, dtype=np.int8)
    texts = LabelledTexts([], none, none, ["One film. One", "1 2", "two film film"])
    monkeypatch.setattr(words, "corpus_named", lambda _: replace(corpora()["imdb"], read=lambda _: texts))
    monkeypatch.setattr(sources, "labelled_texts", lambda *_: texts)
    (tmp_path / "questions.txt").write_text("")
    monkeypatch.setattr(words, "find_questions", lambda: tmp_path / "questions.txt")
    stages = word_recipe("toy-parted", "Toy", replace(SETTINGS, splits=("train",), vocabulary_size=10)).stages
    assert stages is not None
    arrays = stages.from_corpus(tmp_path, Options())
    vocabulary = vocabulary_of(arrays, "vocabulary")
    said = ["|" if number == SEPARATOR else vocabulary.words[number + 2] for number in arrays["ids"]]
    assert arrays["words"] == [9]
    assert said == ["one", "film", "one", "|", "|", "film", "film", "|"], "words that stand once have no number"


# ------------------------------------------------------------------------------------------------------ the corpora


def test_a_stream_gives_the_same_words_in_pieces_of_any_size(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [word for piece in corpus.read("all").pieces() for word in piece]  # type: ignore[attr-defined]
    assert whole == text().split(" ")
    monkeypatch.setattr("nlpviz.data.plain_words._PIECE", 7)
    pieces = list(corpus.read("all").pieces())  # type: ignore[attr-defined]
    assert len(pieces) > 100
    assert [word for piece in pieces for word in piece] == whole


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    path = tmp_path / "row.zip"
    path.write_bytes(b"PK nonsense")
    with pytest.raises(DataError, match="is damaged"):
        list(WordStream(path, "row", 10).pieces())


def test_the_split_is_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)
    text8 = corpora()["text8"]
    with pytest.raises(DataError, match="has no split 'train'; available: all"):
        open_words(text8, "train")
    with pytest.raises(CorpusMissing, match="python -m nlpviz fetch text8"):
        open_words(text8, "all")
    with pytest.raises(DataError, match="has no document"):
        no_documents(text8.title, "1")


def test_a_corpus_that_nobody_offers_names_the_one_to_take_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)
    with pytest.raises(CorpusMissing, match=r"cannot be downloaded. Set NLPVIZ_DATA .*fetch text8"):
        fetch(corpora()["enwiki-core"])
    with pytest.raises(CorpusMissing, match="cannot be downloaded"):
        corpora()["enwiki-core"].read("all")


def test_text8_has_the_settings_of_what_stands_in_for_it() -> None:
    for model in ("cbow", "skipgram"):
        ours, theirs = (recipes()[f"{name}-{model}"].settings for name in ("enwiki", "text8"))
        assert replace(theirs, corpus="enwiki-core") == ours


def test_a_run_of_words_opens_as_any_other(made: Run) -> None:
    assert open_run(made.name) == made


@pytest.mark.parametrize("model", ["skip-gram", "glove"])
def test_a_stopped_training_ends_where_it_would_have_ended(corpus: Corpus, tmp_path: Path, model: str) -> None:
    settings = SETTINGS
    if model == "glove":
        settings = replace(SETTINGS, model=model, settings=GloVeSettings(dimensions=8, window=2, epochs=3, block=8))
    recipe, options = word_recipe(corpus.name, "Toy row", settings), Options(device="cpu")
    whole = produce(recipe, options)
    assert whole is not None
    files = {name: digest for name, digest in whole.files.items() if name.startswith("epoch")}
    accuracies = [record.accuracy for record in read_history(whole, WordEpoch)]
    with over_after(1), pytest.raises(OutOfTimeError):
        produce(recipe, options)
    assert (tmp_path / "trained" / UNFINISHED / corpus.name / STATE).exists()
    torch.manual_seed(17)
    said: list[str] = []
    again = produce(recipe, Options(device="cpu", say=said.append))
    assert again is not None
    assert [line.partition(":")[0] for line in said if line.startswith("epoch")] == ["epoch 2", "epoch 3"]
    assert {name: digest for name, digest in again.files.items() if name.startswith("epoch")} == files
    assert [record.epoch for record in read_history(again, WordEpoch)] == [0, 1, 2, 3]
    assert [record.accuracy for record in read_history(again, WordEpoch)] == accuracies


@pytest.mark.parametrize("model", ["skip-gram", "glove"])
def test_a_training_whose_time_is_over_concludes_with_the_epochs_it_has(corpus: Corpus, model: str) -> None:
    settings = replace(SETTINGS, kept_epochs=(0,))
    if model == "glove":
        settings = replace(settings, model=model, settings=GloVeSettings(dimensions=8, window=2, epochs=3, block=8))
    recipe, options = word_recipe(corpus.name, "Toy row", settings), Options(device="cpu")
    with over_after(2), pytest.raises(OutOfTimeError):
        produce(recipe, options)
    with over_after(0), concluding() as conclusion:
        run = produce(recipe, options)
    assert run is not None
    assert conclusion.stopped == (2, 3)
    assert (run.epochs, run.best_epoch) == ((0, 2), 2)
    assert [record.epoch for record in read_history(run, WordEpoch)] == [0, 1, 2]
    assert tables(run, 2) == (INPUT, OUTPUT) if model == "skip-gram" else (INPUT,)
    assert run.metrics["analogies"]["accuracy"] == pytest.approx(read_history(run, WordEpoch)[2].accuracy, abs=0.1)


def test_a_stopped_training_of_other_settings_is_not_gone_on_with(corpus: Corpus) -> None:
    options = Options(device="cpu")
    with over_after(1), pytest.raises(OutOfTimeError):
        produce(word_recipe(corpus.name, "Toy row", SETTINGS), options)
    with pytest.raises(TrainingError, match="was saved with other settings"):
        produce(word_recipe(corpus.name, "Toy row", replace(SETTINGS, seed=1)), options)
