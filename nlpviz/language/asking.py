"""A typed text read by a language model: the surprisal of each token, and what is expected at a place."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.language import LogProbabilities, Predictor
from nlpviz.language.opening import predictor
from nlpviz.language.sampling import likeliest
from nlpviz.results.next_word import NextWord
from nlpviz.results.surprisal import Surprisal
from nlpviz.runs import Run
from nlpviz.runs.language import counts_ngrams
from nlpviz.text.vocabulary import EncodedText, Vocabulary


class Asked(NamedTuple):
    """A run's model, opened."""

    run: Run
    epoch: int | None
    model: Predictor

    @property
    def vocabulary(self) -> Vocabulary:
        """Its words."""
        return self.run.vocabulary

    def encode(self, text: str) -> EncodedText:
        """Return a text as the model sees it, its beginning where it is long."""
        return self.vocabulary.encode(text, self.run.max_length)

    def ids(self, text: str) -> NDArray[np.int64]:
        """Return all tokens of a text as ids, (T,)."""
        return self.vocabulary.ids(token.word for token in self.run.tokenizer.tokens(text))

    def after(self, ids: NDArray[np.int64]) -> Any:  # noqa: ANN401
        """Return the state after a text, of which the end is read where it is long."""
        return self.model.after(self.model.begin(), ids[max(len(ids) - self.run.max_length, 0) :])


def opened(run: Run, epoch: int | None = None) -> Asked:
    """Return a run's model, a network's with the weights of ``epoch``, by default the best one.

    Raises:
        RunError: if the run is no language model, has no such epoch, or is damaged.
    """
    model = predictor(run, epoch)
    return Asked(run, None if counts_ngrams(run) else run.best_epoch if epoch is None else epoch, model)


def surprisal(asked: Asked, text: str) -> Surprisal:
    """Return −log p of each token of ``text``, which begins a line."""
    encoded = asked.encode(text)
    found = asked.model.read(asked.model.begin(), encoded.ids).log_probabilities.astype(np.float64)
    nats = np.where(np.isfinite(found), -found, np.nan)
    return Surprisal(asked.run.name, asked.epoch, encoded, asked.run.tokenizer.unit, nats)


def next_word(asked: Asked, text: str, place: int | None = None, top: int = 10) -> NextWord:
    """Return what is expected after the first ``place`` tokens of ``text``, by default after all of them.

    Args:
        asked: the model.
        text: as it was typed.
        place: a token's number from 0; at most as many as there are.
        top: how many of the likeliest words are told.
    """
    ids = asked.ids(text)
    place = len(ids) if place is None else min(max(place, 0), len(ids))
    found = asked.model.distributions(asked.after(ids[:place]), ids[:0])[-1]
    return expected(asked, found, place, int(ids[place]) if place < len(ids) else None, top)


def expected(asked: Asked, found: LogProbabilities, place: int, came: int | None, top: int) -> NextWord:
    """Return one distribution (V,) by its likeliest words, its entropy and the word that came."""
    found = found.astype(np.float64)
    probabilities = np.exp(found)
    possible = int((probabilities > 0).sum())
    ids = likeliest(found, min(top, possible))
    known = came is not None and np.isfinite(found[came])
    return NextWord(
        run=asked.run.name,
        epoch=asked.epoch,
        place=place,
        ids=ids,
        words=tuple(asked.vocabulary.words[one] for one in ids),
        probabilities=probabilities[ids],
        entropy=float(-(probabilities[probabilities > 0] * found[probabilities > 0]).sum()),
        came=came,
        rank=int((found > found[came]).sum()) + 1 if known else None,
        probability=None if came is None else float(probabilities[came]),
    )
