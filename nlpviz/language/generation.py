"""A model's continuation of a prompt, with forced words; and the alternatives at one position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.language.sampling import Sampling, draws, filtered, likeliest, sample
from nlpviz.language.surprisal import Asked
from nlpviz.results.generated_text import Choices, Draws, WrittenText
from nlpviz.results.next_word import Filtered

DRAWS = 1_000
"""Draws that are held against their distribution."""
_CUT_SHOWN = 3
"""The minimum number of removed tokens to list: those of a long tail would not be among the likeliest."""
_EXPECTED = 5
"""How often a word must be expected for Pearson's statistic to be about chi-square distributed (Cochran 1954)."""


def write(asked: Asked, prompt: str, how: Sampling, length: int, given: Sequence[int] = ()) -> WrittenText:
    """Return a continuation of a prompt, sampled from a language model.

    Args:
        asked: a language model from :func:`nlpviz.language.surprisal.opened`.
        prompt: any text; only its end is read if it is long. An empty prompt stands for the beginning of a line.
        how: temperature, top-k, top-p and the seed.
        length: the number of tokens to generate.
        given: ids of the tokens with which the continuation must begin, at most ``length``.

    Returns:
        The generated tokens with their probabilities before and after filtering, shape (length,) each.

    Example:
        >>> from nlpviz.language.surprisal import opened
        >>> from nlpviz.language.sampling import Sampling
        >>> from nlpviz.language.generation import write
        >>> from nlpviz.runs import open_run
        >>> written = write(opened(open_run("wikitext2-lstm")), "The film was", Sampling(temperature=0), 5)
        >>> written.text()
        ' released in the United States'
    """
    read = asked.prompt(prompt)
    words = [token.word for token in read.tokens[-2:]]
    written, pieces = list(sample(asked.model, asked.after(read.ids), how, length, given)), []
    for one in written:
        words.append(asked.vocabulary.words[one.word])
        pieces.append(asked.run.tokenizer.added(words))
    return WrittenText(
        run=asked.run.name,
        epoch=asked.epoch,
        title=asked.title,
        unit=asked.run.tokenizer.unit,
        ids=np.array([one.word for one in written], dtype=np.int64),
        words=tuple(words[len(words) - length :]),
        pieces=tuple(pieces),
        probabilities=np.array([one.probability for one in written]),
        filtered=np.array([one.filtered for one in written]),
        kept=np.array([one.kept for one in written], dtype=np.int64),
        likeliest=np.array([one.likeliest for one in written], dtype=bool),
        given=min(len(given), length),
    )


def choices(asked: Asked, prompt: str, how: Sampling, ids: Sequence[int], top: int = 12, count: int = DRAWS) -> Choices:
    """Return what the last token of a written text was drawn from, and draws from the same distribution.

    Args:
        asked: the model.
        prompt: that the text was written after.
        how: tokens are drawn; the seed is that of the draws as well.
        ids: of the text's tokens, at least one.
        top: how many of the likeliest tokens are listed.
        count: of draws.
    """
    before, came = np.array(ids[:-1], dtype=np.int64), int(ids[-1])
    state = asked.model.read(asked.after(asked.prompt(prompt).ids), before).state
    found = filtered(asked.model.distributions(state, before[:0])[-1], how)
    possible = int((found.before > 0).sum())
    told = _told(found, min(top, possible), came)
    return Choices(
        title=asked.title,
        unit=asked.run.tokenizer.unit,
        place=len(before),
        ids=told,
        words=tuple(asked.vocabulary.words[one] for one in told),
        before=found.before[told],
        after=found.after[told],
        came=came,
        possible=possible,
        kept=found.kept,
        cut=found.cut,
        draws=drawn_against(found, told, count, how.seed),
    )


def _told(found: Filtered, top: int, came: int) -> NDArray[np.int64]:
    """Return the ids of the likeliest tokens, some that were cut among them, and of the one that stands there."""
    ids = likeliest(found.before, top)
    if found.cut > 0 and found.after[ids].all():
        gone = (found.after == 0) & (found.before > 0)
        cut = likeliest(np.where(gone, found.before, 0.0), min(_CUT_SHOWN, int(gone.sum())))
        ids = np.concatenate([ids[: top - len(cut)], cut])
    ids = np.unique(np.append(ids, came))
    return np.asarray(ids[np.argsort(-found.before[ids], kind="stable")])


def drawn_against(distribution: Filtered, ids: NDArray[np.int64], count: int, seed: int) -> Draws:
    """Return what ``count`` seeded draws from a filtered distribution give of the tokens ``ids`` (K,)."""
    import torch

    drawn = np.bincount(draws(distribution, np.random.default_rng(seed), count), minlength=len(distribution.after))
    low, high = (_quantile(share, count, distribution.after[ids]) for share in (0.025, 0.975))
    observed, expected = _binned(drawn, distribution.after * count)
    chi_square, freedom = float(((observed - expected) ** 2 / expected).sum()), len(expected) - 1
    return Draws(
        count=count,
        seed=seed,
        drawn=drawn[ids],
        low=low,
        high=high,
        chi_square=chi_square,
        freedom=freedom,
        p=float(torch.special.gammaincc(*torch.tensor([freedom, chi_square], dtype=torch.float64) / 2))
        if freedom
        else float("nan"),
    )


def _quantile(share: float, count: int, probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the fewest of ``count`` draws that are not exceeded with at least that probability."""
    number, likely = np.arange(count + 1), np.clip(probabilities, 1e-300, 1 - 1e-16)[:, None]  # finite logs
    ways = np.concatenate([[0.0], np.cumsum(np.log(number[:0:-1] / number[1:]))])  # log of the binomial coefficients
    shares = np.exp(ways + number * np.log(likely) + (count - number) * np.log1p(-likely))
    return np.asarray((shares.cumsum(axis=1) < share).sum(axis=1))


def _binned(drawn: NDArray[np.int64], expected: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how often each frequent token, and all others as one, were drawn and are expected; each often enough."""
    order = np.argsort(-expected, kind="stable")
    frequent = int((expected >= _EXPECTED).sum())
    if expected[order[frequent:]].sum() < _EXPECTED:  # too few by themselves: they join the rarest of the frequent ones
        frequent = max(frequent - 1, 0)
    starts = np.arange(frequent + 1)
    return np.add.reduceat(drawn[order].astype(np.float64), starts), np.add.reduceat(expected[order], starts)
