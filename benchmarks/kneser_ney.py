"""How long do counting and querying n-grams take, compared with dictionaries?

The 1- to 5-grams of the first 400,000 words of WikiText-2 are counted and smoothed. Then 10,000 words of its validation
text are asked for: their probabilities, and after 20 of them the distribution over all words. The answers are compared
first. The Natural Language Toolkit is left out: it is no requirement here, and its ``KneserNeyInterpolated`` takes one
discount off all counts, so that the answers would be others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from benchmarks import Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.plain_kneser_ney import PlainKneserNey
from nlpviz.runs import open_run
from nlpviz.text.ngrams.kneser_ney import KneserNey
from nlpviz.text.ngrams.trie import count
from nlpviz.text.vocabulary import PAD
from nlpviz.training.streams import stream

COUNTED = "wikitext2-kn"
WORDS, ASKED, DISTRIBUTIONS = 400_000, 10_000, 20
ORDER, ROUNDS = 5, 3
PEER = "dictionaries of tuples in plain Python"


def measure() -> Iterator[Row]:
    """Yield the seconds of counting, and the milliseconds of both questions."""
    text, asked = first_words("train", WORDS), first_words("validation", ASKED)
    size = len(open_run(COUNTED).vocabulary)
    as_list, asked_as_list = text.tolist(), asked.tolist()
    ours, theirs = alternate(ROUNDS, partial(_counted, text, size), partial(PlainKneserNey, as_list, size, ORDER))
    yield Row(f"counting and smoothing 1- to {ORDER}-grams of {WORDS:,} words", "s", ours, PEER, theirs)
    model, plain = _counted(text, size), PlainKneserNey(as_list, size, ORDER)
    if not np.allclose(np.log(model.probabilities(asked)), plain.log_probabilities(asked_as_list), atol=1e-9, rtol=0):
        raise AssertionError("the probabilities differ")
    ours, theirs = alternate(ROUNDS, lambda: model.probabilities(asked), lambda: plain.log_probabilities(asked_as_list))
    yield Row(f"probabilities of {ASKED:,} words, one text", "ms", in_ms(ours), PEER, in_ms(theirs))
    contexts = [asked[at : at + ORDER - 1] for at in range(0, DISTRIBUTIONS * ORDER, ORDER)]
    if not np.allclose(model.distribution(contexts[0]), plain.distribution(tuple(contexts[0].tolist())), atol=1e-12):
        raise AssertionError("the distributions differ")
    turns = cycle(contexts)
    ours, theirs = alternate(
        ROUNDS,
        lambda: model.distribution(next(turns)),
        lambda: plain.distribution(tuple(next(turns).tolist())),
        repeat=DISTRIBUTIONS,
    )
    what = f"distribution over {size - 1:,} words after {ORDER - 1} words"
    yield Row(what, "ms", in_ms(ours), PEER, in_ms(theirs))


def first_words(split: str, words: int) -> NDArray[np.int64]:
    """Return the first words of a split of WikiText-2 as ids."""
    run = open_run(COUNTED)
    return run.vocabulary.ids(stream(run.corpus["name"], split, run.tokenizer).tokens[:words])


def _counted(text: NDArray[np.int64], size: int) -> KneserNey:
    return KneserNey(count(text, size, ORDER), ORDER, (PAD,))


BENCHMARK = Benchmark(
    "kneser-ney", "How long do counting and querying n-grams take, compared with dictionaries?", measure, "language"
)
