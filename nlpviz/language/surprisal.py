"""A typed text read by a language model: the surprisal of each token, and the expected tokens at a position."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.language import LogProbabilities, RunPredictor
from nlpviz.language.predictors import counting, predictor
from nlpviz.language.sampling import likeliest
from nlpviz.results.next_word import NextWord
from nlpviz.results.surprisal import Surprisal
from nlpviz.runs import Run
from nlpviz.runs.language import counts_ngrams, model_title
from nlpviz.text.vocabulary import EncodedText, Vocabulary

LONGEST_COURSE = 400
"""Tokens whose distributions are computed for a course along a text: each is a row of the whole vocabulary."""
_AT_ONCE = 64


class Asked(NamedTuple):
    """A run's model, opened."""

    run: Run
    epoch: int | None
    model: RunPredictor
    title: str

    @property
    def vocabulary(self) -> Vocabulary:
        """Its words."""
        return self.run.vocabulary

    def encode(self, text: str) -> EncodedText:
        """Return a text as the model sees it, its beginning where it is long; a language model needs no padding."""
        return self.vocabulary.encode(text, self.run.max_length).unpadded()

    def prompt(self, text: str) -> EncodedText:
        """Return a text as the model sees it that continues it: its end where it is long."""
        tokens = tuple(self.run.tokenizer.tokens(text))
        tokens = tokens[max(len(tokens) - self.run.max_length, 0) :]
        return EncodedText(text, tokens, self.vocabulary.ids(token.word for token in tokens), len(tokens))

    def ids(self, text: str) -> NDArray[np.int64]:
        """Return all tokens of a text as ids, (T,)."""
        return self.vocabulary.ids(token.word for token in self.run.tokenizer.tokens(text))

    def after(self, ids: NDArray[np.int64]) -> Any:  # noqa: ANN401
        """Return the state after a text; only the end of a long text is read."""
        return self.model.after(self.model.begin(), ids[max(len(ids) - self.run.max_length, 0) :])


def opened(run: Run, epoch: int | None = None, order: int | None = None) -> Asked:
    """Return a language model, ready for queries.

    Args:
        run: the run of a language model, either a network or n-gram counts.
        epoch: a stored epoch of a network; None selects the best epoch.
        order: the maximum n-gram order of a count model; None selects the order of the run.

    Raises:
        RunError: if the run is not a language model, has no such epoch or order, or is damaged.

    Example:
        >>> from nlpviz.language.surprisal import opened
        >>> from nlpviz.runs import open_run
        >>> opened(open_run("wikitext2-lstm")).title
        'LSTM on WikiText-2, epoch 11'
    """
    model = predictor(run, epoch) if order is None else counting(run, order)
    epoch = None if counts_ngrams(run) else run.best_epoch if epoch is None else epoch
    return Asked(run, epoch, model, model_title(run, epoch, order))


def surprisal(asked: Asked, text: str) -> Surprisal:
    """Return the surprisal −log p of each token of a text, given the tokens before it.

    Args:
        asked: a language model from :func:`opened`.
        text: any text; it is read as the beginning of a line, up to the run's maximum length.

    Returns:
        The surprisal in nats of the T tokens, shape (T,); NaN for a token without a probability. The attribute
        ``perplexity`` is the exponential of the mean surprisal.

    Example:
        >>> from nlpviz.language.surprisal import opened, surprisal
        >>> from nlpviz.runs import open_run
        >>> result = surprisal(opened(open_run("wikitext2-lstm")), "The cat sat on the mat .")
        >>> print([token.word for token in result.encoded.read][:4], result.nats[:4].round(1))
        ['The', 'cat', 'sat', 'on'] [ 2.1 10. 9.1 1.1]
    """
    encoded = asked.encode(text)
    found = asked.model.read(asked.model.begin(), encoded.ids).log_probabilities.astype(np.float64)
    nats = np.where(np.isfinite(found), -found, np.nan)
    return Surprisal(asked.run.name, asked.epoch, encoded, asked.run.tokenizer.unit, nats, asked.title)


def kept(before: EncodedText, after: EncodedText, end: int, shift: int) -> list[tuple[int, int]]:
    """Return the positions in both texts of the unchanged tokens after a swap.

    Args:
        before: a text.
        after: the same, with other characters up to ``end``.
        end: where in ``before`` the rest begins that is the same.
        shift: how many characters further back it begins in ``after``.
    """
    places = {token.start: place for place, token in enumerate(before.read) if token.start >= end}
    pairs = [(places.get(token.start - shift), place) for place, token in enumerate(after.read)]
    return [(old, new) for old, new in pairs if old is not None and before.read[old].word == after.read[new].word]


def next_word(asked: Asked, text: str, place: int | None = None, top: int = 10) -> NextWord:
    """Return the most probable next words at one position of a text.

    Args:
        asked: a language model from :func:`opened`.
        text: any text; only its end is read if it is long.
        place: the number of tokens to read; None reads all tokens.
        top: the number of words to return.

    Returns:
        The most probable words in descending order, their probabilities, the entropy of the entire distribution in
        nats, and the rank of the actual next word if there is one.

    Example:
        >>> from nlpviz.language.surprisal import next_word, opened
        >>> from nlpviz.runs import open_run
        >>> result = next_word(opened(open_run("wikitext2-lstm")), "in the United", top=2)
        >>> print(result.words, result.probabilities.round(2))
        ('States', 'Kingdom') [0.82 0.17]
    """
    ids = asked.ids(text)
    place = len(ids) if place is None else min(max(place, 0), len(ids))
    found = asked.model.distributions(asked.after(ids[:place]), ids[:0])[-1]
    return expected(asked, found, place, int(ids[place]) if place < len(ids) else None, top)


def by_layer(asked: Asked, text: str, place: int | None = None, top: int = 5) -> tuple[NextWord, ...]:
    """Return each layer's predictions after ``place`` tokens if its state were the last layer's (logit lens).

    The state of a layer below, decoded by the output words, which were not trained on it (the "logit lens",
    nostalgebraist 2020). Of counts, and of a network with one layer, nothing.
    """
    if counts_ngrams(asked.run):
        return ()
    from nlpviz.language.networks import NetworkPredictor

    assert isinstance(asked.model, NetworkPredictor)
    ids = asked.ids(text)
    place = len(ids) if place is None else min(max(place, 0), len(ids))
    found = asked.model.by_layer(ids[max(place - asked.run.max_length, 0) : place])
    came = int(ids[place]) if place < len(ids) else None
    return tuple(expected(asked, one, place, came, top) for one in found) if len(found) > 1 else ()


def entropies(asked: Asked, text: str, most: int = LONGEST_COURSE) -> NDArray[np.float64]:
    """Return the entropy of the distribution before each of the first tokens of ``text``, in nats, (T,), T <= most."""
    ids, state, found = asked.ids(text)[:most], asked.model.begin(), []
    for start in range(0, len(ids), _AT_ONCE):
        piece = ids[start : start + _AT_ONCE]
        logs = asked.model.distributions(state, piece)[:-1].astype(np.float64)
        shares = np.exp(logs)
        found.append(-np.multiply(shares, logs, out=np.zeros_like(shares), where=shares > 0).sum(axis=1))
        state = asked.model.after(state, piece)
    return np.concatenate(found) if found else np.empty(0)


def expected(asked: Asked, found: LogProbabilities, place: int, came: int | None, top: int) -> NextWord:
    """Return a distribution (V,) as its likeliest words, its entropy and the actual next word."""
    found = found.astype(np.float64)
    probabilities = np.exp(found)
    possible = int((probabilities > 0).sum())
    ids = likeliest(found, min(top, possible))
    known = came is not None and np.isfinite(found[came])
    return NextWord(
        run=asked.run.name,
        epoch=asked.epoch,
        title=asked.title,
        place=place,
        ids=ids,
        words=tuple(asked.vocabulary.words[one] for one in ids),
        probabilities=probabilities[ids],
        entropy=float(-(probabilities[probabilities > 0] * found[probabilities > 0]).sum()),
        came=came,
        rank=int((found > found[came]).sum()) + 1 if known else None,
        probability=None if came is None else float(probabilities[came]),
    )
