"""A table of counts as a :class:`nlpviz.language.Predictor`: its state is the last N - 1 words."""

from __future__ import annotations

import numpy as np

from nlpviz.language import Ids, LogProbabilities, WordsRead
from nlpviz.text.ngrams.kneser_ney import KneserNey
from nlpviz.text.vocabulary import PAD


class CountPredictor:
    """A Kneser-Ney model and the word at which its texts begin."""

    def __init__(self, model: KneserNey, boundary: int) -> None:
        """Take a model; ``boundary`` is the id of the end of a line."""
        self.model, self.boundary = model, boundary

    @property
    def size(self) -> int:
        """V."""
        return self.model.trie.size

    def begin(self) -> Ids:
        """Return the state after the end of a line, at which a text begins."""
        return np.array([self.boundary])[: self.model.order - 1]

    def read(self, state: Ids, words: Ids) -> WordsRead:
        """Return the log-probability of each word, and the state after the last one."""
        with np.errstate(divide="ignore"):
            found = np.log(self.model.probabilities(words, state))
        return WordsRead(found, self.after(state, words))

    def after(self, state: Ids, words: Ids) -> Ids:
        """Return the state after ``words`` (T,)."""
        read = np.concatenate([state, words])
        return read[max(len(read) - self.model.order + 1, 0) :]

    def texts(self, words: Ids) -> LogProbabilities:
        """Return the log-probability of each word of several texts of one length, (N, T).

        They are read as one: padding stands between them, which no n-gram has, so that no context crosses it.
        """
        begun = np.tile([PAD, self.boundary], (len(words), 1))
        with np.errstate(divide="ignore"):
            found = np.log(self.model.probabilities(np.hstack([begun, words]).ravel()))
        return found.reshape(len(words), -1)[:, begun.shape[1] :]

    def distributions(self, state: Ids, words: Ids) -> LogProbabilities:
        """Return the log-probabilities of all ids before each word and after the last, (T + 1, V)."""
        text = np.concatenate([state, words])
        with np.errstate(divide="ignore"):
            return np.log(np.stack([self.model.distribution(text[:end]) for end in range(len(state), len(text) + 1)]))
