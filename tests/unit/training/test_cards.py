"""A card says what was random before training, and what was not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nlpviz.run_kinds.classifier import before_training
from nlpviz.runs import Run
from nlpviz.training.provenance import write_card
from nlpviz.training.translator_card import write_translator_card
from tests import toy, translators


def card(run: Run, folder: Path, vectors: str) -> str:
    """Return the card of a run that began with the word vectors of another one, or with none."""
    write_card(replace(run, folder=folder, recipe=run.recipe | {"fit": {"starts_from": vectors}}), toy.CORPUS, "Toy")
    return (folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("vectors", ["", "imdb-skipgram"])
def test_epoch_0_is_called_what_it_was(toy_trained: Path, tmp_path: Path, vectors: str) -> None:
    run = Run.open(toy_trained / "toy-cnn")
    written = card(run, tmp_path, vectors)
    begun = f"with the word vectors of {vectors} and all other weights random" if vectors else "with random weights"
    assert f"(epoch 0 is before training, {begun})" in written
    assert begun == before_training(replace(run, recipe={"fit": {"starts_from": vectors}}))


def test_a_run_that_does_not_keep_epoch_0_says_nothing_of_it(toy_trained: Path, tmp_path: Path) -> None:
    run = replace(Run.open(toy_trained / "toy-cnn"), epochs=(1, 2))
    assert "before training" not in card(run, tmp_path, "imdb-skipgram")


def test_a_translator_knew_how_frequent_words_are(toy_translator: Callable[[str], Path], tmp_path: Path) -> None:
    run = replace(Run.open(toy_translator(next(iter(translators.KINDS)))), folder=tmp_path)
    write_translator_card(run, translators.CORPUS, "Toy")
    assert "for the output biases: the log frequency of each word" in (tmp_path / "README.md").read_text()
