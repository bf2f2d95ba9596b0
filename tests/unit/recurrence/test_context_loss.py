"""The loss of each word by how many words before it were read, against a text that is read by itself."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.inspection import context_loss
from nlpviz.analysis.inspection.context_loss import lose_context
from nlpviz.figures.recurrence.context_loss import context_lines
from nlpviz.language.logit_difference import ask
from nlpviz.language.surprisal import opened
from nlpviz.runs import Run, RunError, open_run
from nlpviz.text.tokenizers import WIKITEXT
from tests.language import write_language_run

TEXT = "she was in town . he was not good . the film was bad"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return write_language_run(tmp_path_factory.mktemp("context"), WIKITEXT)


@pytest.mark.parametrize("at_once", [1, 40_000])
def test_each_loss_is_that_of_a_text_that_begins_there(run: Run, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(context_loss, "_STEPS", at_once)
    found = lose_context(ask(run).load(), TEXT)
    asked, ids = opened(run), run.vocabulary.encode(TEXT, 400).ids
    assert found.kept == (1, 2, 4, 8, len(ids) - 1)
    for count, row in zip(found.kept, found.nats, strict=True):
        for place in range(len(ids)):
            own = ids[max(place - count, 0) : place + 1]
            logs = asked.model.read(asked.model.begin(), own).log_probabilities
            assert row[place] == pytest.approx(-logs[-1], abs=1e-4)
    np.testing.assert_allclose(found.means, found.nats.mean(axis=1), atol=1e-6)
    np.testing.assert_allclose(context_lines([found]).table["mean loss, nats"], found.means)


@pytest.mark.parametrize(("text", "words"), [("", 0), ("film", 1), ("film town", 2), ("犬 猫 鳥", 3)])
def test_any_text_has_losses(run: Run, text: str, words: int) -> None:
    found = lose_context(ask(run).load(), text)
    assert found.nats.shape == (len(found.kept), words)
    assert np.isnan(found.means).all() == (not words)


def test_the_word_that_gains_most_is_named(run: Run) -> None:
    found = lose_context(ask(run).load(), TEXT)
    gains = found.nats[0] - found.nats[-1]
    assert found.helped(0) == (int(np.argmax(gains)) if gains.max() > 0 else None)
    assert found.helped(len(found.kept) - 1) is None


def test_a_classifier_has_none() -> None:
    with pytest.raises(RunError, match="is not a language model"):
        lose_context(open_run("imdb-lstm").load(), TEXT)
