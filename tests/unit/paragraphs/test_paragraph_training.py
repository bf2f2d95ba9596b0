"""Training cuts texts into rows, lowers its loss, and finds what gensim's Doc2Vec finds; a regression chooses C."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.commands.cli import main
from nlpviz.networks.architectures.pv_dbow import Dbow, DbowConfig
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, embeddings_of, projections_of
from nlpviz.stats.significance import wilson
from nlpviz.training import Options, TrainingError
from nlpviz.training import paragraphs as training
from nlpviz.training.paragraph_card import write_paragraph_card
from nlpviz.training.paragraph_fit import ParagraphFit, WordRows, _rows, fit, prepare
from nlpviz.training.regression import chosen, vectors_of
from tests import paragraphs, toy


def two_topics() -> tuple[list[list[int]], np.ndarray]:
    """Return 160 texts, each mostly of one topic's words, as ids from 2, and their topics."""
    rng = np.random.default_rng(0)
    topics = np.arange(160) % 2
    texts = [
        [*rng.integers(2, 12, size=18).tolist(), *(12 + 10 * topic + rng.integers(0, 10, size=6)).tolist()]
        for topic in topics
    ]
    return texts, topics


def test_every_kept_word_stands_in_one_row_of_its_text() -> None:
    texts = WordRows(np.array([2, 3, 4, 5, 6, 7, 8, 9, 2]), np.array([7, 0, 2]))
    rows = _rows(texts, np.ones(10, dtype=np.float32), 3, np.random.default_rng(0))
    assert rows.words.shape == (4, 3)
    found = {text: sorted(rows.words[rows.texts == text].ravel().tolist()) for text in (0, 2)}
    assert found == {0: [0, 0, 2, 3, 4, 5, 6, 7, 8], 2: [0, 2, 9]}
    none = _rows(texts, np.zeros(10, dtype=np.float32), 3, np.random.default_rng(0))
    assert none.words.shape == (0, 3)


def test_rows_of_a_text_hold_its_words_in_their_order() -> None:
    rows = _rows(WordRows(np.arange(2, 9), np.array([7])), np.ones(10, dtype=np.float32), 3, np.random.default_rng(1))
    known = sorted([word for word in row if word] for row in rows.words.tolist())
    assert known == [[2, 3, 4], [5, 6, 7], [8]]


def test_vectors_tell_topics_apart_as_gensims_do() -> None:
    texts, topics = two_topics()
    flat, counts = np.concatenate(texts), np.bincount(np.concatenate(texts), minlength=32)
    settings = ParagraphFit(epochs=12, rate=0.2, subsample=0.0, group=4, groups=4, shared=16, damping=1.0)
    torch.manual_seed(0)
    network = Dbow(DbowConfig(32, 8, drawn=32)).eval()
    prepare(network, counts, settings)
    losses = [done.loss for done in fit(network, WordRows(flat, np.array([24] * 160)), settings)]
    assert losses[-1] < losses[1]
    own = vectors_of(network, [np.array(text) for text in texts], 100)

    from gensim.models.doc2vec import Doc2Vec, TaggedDocument

    tagged = [TaggedDocument([str(word) for word in text], [number]) for number, text in enumerate(texts)]
    peer = Doc2Vec(tagged, dm=0, vector_size=8, negative=5, hs=0, min_count=1, sample=0, epochs=60, workers=1, seed=0)
    shares = [
        chosen((vectors[:120], topics[:120]), (vectors[120:], topics[120:]), (1.0,)).validation
        for vectors in (own, peer.dv.vectors)
    ]
    assert min(shares) >= 0.95, shares


def test_a_training_that_diverges_says_so() -> None:
    texts, _ = two_topics()
    flat, counts = np.concatenate(texts), np.bincount(np.concatenate(texts), minlength=32)
    settings = ParagraphFit(epochs=60, rate=50.0, subsample=0.0, damping=0.0)
    network = Dbow(DbowConfig(32, 8))
    prepare(network, counts, settings)
    with pytest.raises(TrainingError, match="diverged; use more damping"):
        list(fit(network, WordRows(flat, np.array([24] * 160)), settings))


def test_strength_is_the_best_one_on_validation_texts_and_of_equals_the_most_penalised() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(200) % 2
    vectors = (rng.normal(size=(200, 3)) + labels[:, None] * [4, 0, 0]).astype(np.float32)
    halves = (vectors[:100], labels[:100]), (vectors[100:], labels[100:])
    found = chosen(*halves, (10.0, 0.1, 1.0))
    each = {strength: chosen(*halves, (strength,)).validation for strength in (0.1, 1.0, 10.0)}
    assert found.validation == max(each.values())
    assert found.strength == min(strength for strength, share in each.items() if share == found.validation)


@pytest.mark.parametrize("name", paragraphs.RUNS)
def test_a_toy_run_is_whole_and_finds_the_planted_words(toy_paragraphs: Path, name: str) -> None:
    run = Run.open(toy_paragraphs / name)
    assert run.metrics["test"]["accuracy"] >= 0.8
    assert run.metrics["test"]["documents"] == toy.SIZES["test"]
    assert run.corpus["unlabelled"] == 0
    assert run.epochs[0] == 0
    assert len(run.vocabulary) == run.config["vocabulary_size"] <= 40
    assert len(documents_of(run).ids) == len(embeddings_of(run, 0)) == 60
    assert {one.epoch for one in projections_of(run)} == set(run.epochs)
    card = (run.folder / "README.md").read_text(encoding="utf-8")
    assert "inferred with seed 0" in card
    manifest = json.loads((run.folder / "run.json").read_text(encoding="utf-8"))
    assert manifest["recipe"]["fit"]["epochs"] == 3


@pytest.mark.parametrize(
    ("unlabelled", "said"),
    [
        (0, "Toy texts, 180 training texts, without labels."),
        (50_000, "Toy texts, 180 training texts and 50,000 unlabelled texts, without labels."),
    ],
)
def test_the_card_says_which_texts_word_vectors_were_learnt_from(
    toy_paragraphs: Path, tmp_path: Path, unlabelled: int, said: str
) -> None:
    run = Run.open(toy_paragraphs / paragraphs.RUNS[0])
    counts = {"train": 120, "validation": 60, "unlabelled": unlabelled}
    write_paragraph_card(replace(run, folder=tmp_path, corpus={**run.corpus, **counts}), toy.CORPUS, "Model")
    lines = (tmp_path / "README.md").read_text(encoding="utf-8").splitlines()
    assert f"{run.parameter_count:,} parameters, excluding the document vectors. Training data: {said}" in lines


def test_stored_vectors_are_what_the_stored_weights_infer(toy_paragraphs: Path) -> None:
    run = Run.open(toy_paragraphs / paragraphs.RUNS[0])
    module, kept = run.load().module, documents_of(run)
    ids = [run.vocabulary.ids(toy.find(name).split()) for name in kept.ids]
    again = vectors_of(module, ids, run.max_length)  # type: ignore[arg-type]
    np.testing.assert_allclose(embeddings_of(run, run.best_epoch), again, atol=0.01)


def test_an_epoch_is_measured_again(
    toy_paragraphs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_paragraphs))
    run = Run.open(toy_paragraphs / paragraphs.RUNS[0])
    with paragraphs.discovered(tmp_path):
        assert main(["evaluate", run.name, "--device", "cpu", "--json"]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert main(["evaluate", run.name, "--device", "cpu", "--epoch", "0"]) == 0
    test = run.metrics["test"]
    assert (facts["run"], facts["epoch"], facts["documents"]) == (run.name, run.best_epoch, toy.SIZES["test"])
    assert facts["accuracy"] == pytest.approx(test["accuracy"])
    assert facts["interval"] == pytest.approx(list(wilson(test["accuracy"], test["documents"])))
    assert capsys.readouterr().out.startswith(f"{run.name}, epoch 0: accuracy ")


def test_both_vectors_together_are_judged_beside_the_first_run(toy_paragraphs: Path) -> None:
    metrics = Run.open(toy_paragraphs / paragraphs.RUNS[1]).metrics["test, beside toy-pv-dbow"]
    assert metrics["accuracy"] >= 0.8
    assert metrics["strength"] in (0.1, 1.0)


def test_test_texts_are_scaled_as_the_texts_that_the_regression_was_fitted_to(
    toy_paragraphs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors of test texts ten times as long are ten times as far from the border; their own spread tells nothing."""
    run, other = (Run.open(toy_paragraphs / name) for name in reversed(paragraphs.RUNS))
    seen: list[np.ndarray] = []

    def kept(_weights: object, _biases: object, vectors: np.ndarray, _labels: object) -> dict[str, float]:
        seen.append(vectors)
        return {}

    monkeypatch.setattr(training, "accuracy", kept)
    monkeypatch.setattr(training, "labelled_texts", lambda _, split: toy.CORPUS.read(split))
    texts = toy.CORPUS.read("test").texts
    own = vectors_of(run.load().module, [run.vocabulary.ids(text.split()) for text in texts], run.max_length)  # type: ignore[arg-type]
    for factor in (1, 10):
        training._together(run, other, factor * own, Options(device="cpu"))
    width = own.shape[1]
    np.testing.assert_allclose(seen[1][:, :width], 10 * seen[0][:, :width], rtol=1e-5)
    np.testing.assert_array_equal(seen[1][:, width:], seen[0][:, width:])
