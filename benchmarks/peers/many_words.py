"""Word vectors of a size that people use, and gensim's own object with the same ones."""

from __future__ import annotations

import numpy as np
from gensim.models import KeyedVectors

from benchmarks import SEED
from nlpviz.results.vectors import WordVectors
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.vectors import KIND, read_vectors

WORDS, DIMENSIONS = 68_000, 200
PREFERRED = "enwiki-skipgram"


def word_run() -> str:
    """Return the name of the run of words that is measured: the preferred one, or the first there is."""
    names = [name for name, run in list_runs()[0].items() if run.kind == KIND]
    return PREFERRED if PREFERRED in names else names[0]


def many_words() -> WordVectors:
    """Return 68,000 words of 200 numbers: a run's, then means of two of them; shorter ones are filled up with noise."""
    run = read_vectors(open_run(word_run()))
    rng = np.random.default_rng(SEED)
    vectors = run.directions * run.lengths[:, None]
    noise = rng.normal(scale=0.1 * vectors.std(), size=(len(run), max(0, DIMENSIONS - run.dimensions)))
    vectors = np.concatenate([vectors, noise], axis=1)[:, :DIMENSIONS]
    first, second = rng.integers(len(run), size=(2, WORDS - len(run)))
    vectors = np.concatenate([vectors, (vectors[first] + vectors[second]) / 2]).astype(np.float32)
    words = [*run.words, *(f"mean{number}" for number in range(WORDS - len(run)))]
    return WordVectors.of("many words", words, vectors)


def in_gensim(vectors: WordVectors) -> KeyedVectors:
    """Return the same vectors as gensim keeps them, their lengths computed."""
    made = KeyedVectors(vectors.dimensions)
    made.add_vectors(list(vectors.words), vectors.directions * vectors.lengths[:, None])
    made.fill_norms()
    return made
