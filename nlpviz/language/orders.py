"""A sentence and its shuffles: a language model prefers some orders of the same words (003, language modelling)."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from nlpviz.language.surprisal import Asked
from nlpviz.results.word_order import WordOrders
from nlpviz.text.tokenizers import EOS

MOST_WORDS = 12
SHUFFLES = 300
"""Orders that are drawn where there are too many to try all."""
_ALL_UP_TO = 720
_SIGNS = (".", "!", "?")


def sentence(asked: Asked, text: str) -> tuple[tuple[str, ...], str]:
    """Return the words of the first sentence of ``text``, at most :data:`MOST_WORDS`, and the sign that ends it.

    Of a model of characters they are what stands between blanks, and a sign stays with its word.
    """
    if asked.run.tokenizer.of_characters:
        line = next((line for line in text.splitlines() if line.strip()), "")
        return tuple(line.split()[:MOST_WORDS]), ""
    words: list[str] = []
    for token in asked.run.tokenizer.tokens(text.strip()):
        if token.word == EOS or token.word in _SIGNS:
            if any(map(str.isalnum, "".join(words))):
                return tuple(words), token.word if token.word in _SIGNS else ""
            words.clear()
            continue
        words.append(token.word)
        if len(words) == MOST_WORDS:
            break
    return tuple(words), ""


def word_orders(asked: Asked, text: str, seed: int = 0) -> WordOrders:
    """Return the log-probabilities of a sentence in its original word order and in other orders.

    All orders are tried if there are at most 720; otherwise, 300 random orders are tried.

    Args:
        asked: a language model from :func:`nlpviz.language.surprisal.opened`.
        text: any text. Only its first sentence is used, up to 12 words; the sentence's final punctuation mark stays at
            the end.
        seed: the seed of the random orders.

    Returns:
        The log-probabilities in nats of the sentence and of the N other orders, shape (N,).

    Example:
        >>> from nlpviz.language.surprisal import opened
        >>> from nlpviz.language.orders import word_orders
        >>> from nlpviz.runs import open_run
        >>> orders = word_orders(opened(open_run("wikitext2-lstm")), "He was born in London .")
        >>> len(orders.shuffled), orders.rank  # the most probable of all orders
        (119, 1)
    """
    words, end = sentence(asked, text)
    orders, every = _orders(words, seed)
    every_text = np.concatenate([np.arange(len(words))[None], orders])
    ids = np.stack([_ids(asked, [words[place] for place in row], end) for row in every_text.tolist()])
    found = asked.model.texts(ids).astype(np.float64).sum(axis=1)
    return WordOrders(asked.title, words, orders, float(found[0]), found[1:], every)


def _orders(words: tuple[str, ...], seed: int) -> tuple[NDArray[np.int64], bool]:
    """Return orders other than the words' own that read differently, and whether these are all."""
    count, rng = len(words), np.random.default_rng(seed)
    every = factorial(count) <= _ALL_UP_TO
    drawn = permutations(range(count)) if every else (tuple(rng.permutation(count)) for _ in range(SHUFFLES))
    seen, kept = {words}, []
    for order in drawn:
        read = tuple(words[place] for place in order)
        if read not in seen:
            seen.add(read)
            kept.append(order)
    return np.array(kept, dtype=np.int64).reshape(len(kept), count), every


def _ids(asked: Asked, words: list[str], end: str) -> NDArray[np.int64]:
    if asked.run.tokenizer.of_characters:
        return asked.ids(" ".join(words))
    return asked.vocabulary.ids([*words, *([end] if end else [])])
