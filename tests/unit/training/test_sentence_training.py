"""Texts on their way into a model that reads sentences: training, measuring, keeping documents."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from nlpviz.text.vocabulary import SENTENCE, Vocabulary
from nlpviz.training import Options, classifier, sources, sources_of
from nlpviz.training.batches import Labelled
from nlpviz.training.texts import encoded
from tests import toy

TEXTS = ["Good film. Bad end!", "a film", ""]


def test_words_come_with_their_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    split = SimpleNamespace(ids=["1", "2", "3"], ratings=np.zeros(3), labels=np.zeros(3), texts=TEXTS)
    monkeypatch.setattr(sources, "labelled_texts", lambda *_: split)
    read = sources_of(
        sources.reads_texts("toy", "train") | sources.reads_sentences("toy", "train"), tmp_path, Options()
    )
    texts = sources.texts_from(read, "toy", "train").texts
    assert [texts.words[number] for number in texts.ids] == ["good", "film", ".", "bad", "end", "!", "a", "film"]
    assert texts.lengths.tolist() == [6, 2, 0]
    assert sources.sentence_numbers(read, "toy", "train", texts).tolist() == [0, 0, 0, 1, 1, 1, 0, 0]


def test_rows_carry_the_sentences_where_they_are_asked_for() -> None:
    vocabulary = Vocabulary(["film", "good"], [2, 1])
    plain, packed = encoded(vocabulary, TEXTS), encoded(vocabulary, TEXTS, sentences=True)
    assert [row.tolist() for row in plain] == [[3, 2, 1, 1, 1, 1], [1, 2], []]
    assert packed[0].tolist() == [3, 2, 1, 1 + SENTENCE, 1 + SENTENCE, 1 + SENTENCE]
    assert packed[1].tolist() == [1, 2]
    assert packed[2].shape == (0,)


class StoppedError(Exception):
    """What is raised where the training would begin."""


@pytest.mark.parametrize(("architecture", "numbers"), [("han", {0, 1}), ("attentive-rnn", {0})])
def test_a_model_trains_on_sentences_if_it_reads_them(
    architecture: str, numbers: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = toy.read("train")
    two = SimpleNamespace(
        ids=texts.ids, ratings=texts.ratings, labels=texts.labels, texts=[f"Film. {text}" for text in texts.texts]
    )
    monkeypatch.setattr(sources, "labelled_texts", lambda *_: two)
    seen: list[Labelled] = []

    def fit(_model: object, train: Labelled, validation: Labelled, *_: object) -> None:
        seen.extend([train, validation])
        raise StoppedError

    monkeypatch.setattr(classifier, "fit", fit)
    with pytest.raises(StoppedError):
        toy.recipe(architecture).make(tmp_path, Options(device="cpu"))
    for split in seen:
        rows = np.concatenate(split.ids)
        assert set((rows // SENTENCE).tolist()) == numbers
        assert (rows % SENTENCE).max() < 100
