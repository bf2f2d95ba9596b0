"""How long does a million words take to train on, beside gensim, both with two threads?

Skip-gram and CBOW with 200 dimensions, window 5, 5 negative words, the commonest words subsampled at 1e-4, on random
words with the frequencies of those of a run: what they mean changes no time. Ours is ``nlpviz.word_vectors.learning``,
as a recipe calls it, PyTorch on the CPU; gensim's is compiled C. Both make one pass over text that is numbers or lists
already.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import torch
from gensim.models import Word2Vec

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate
from benchmarks.peers.many_words import word_run
from nlpviz.runs import open_run
from nlpviz.text.vocabulary import SPECIALS
from nlpviz.word_vectors.learning import Fit, word_models
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling
from nlpviz.word_vectors.learning.text import EncodedCorpus

WORDS = 1_000_000
ROUNDS, THREADS, SENTENCE = 3, 2, 10_000
SETTINGS = NegativeSampling(epochs=1)


def measure() -> Iterator[Row]:
    """Yield the seconds for a million words of each model."""
    counts = open_run(word_run()).vocabulary.counts[len(SPECIALS) :]
    ids = np.random.default_rng(SEED).choice(len(counts), WORDS, p=counts / counts.sum()).astype(np.int32)
    text = EncodedCorpus(ids, counts, WORDS)
    names = [f"word{number}" for number in range(len(counts))]
    sentences = [[names[number] for number in ids[start : start + SENTENCE]] for start in range(0, WORDS, SENTENCE)]
    threads = torch.get_num_threads()
    torch.set_num_threads(THREADS)
    try:
        for model, skip_gram in (("skip-gram", 1), ("cbow", 0)):
            gensims = Word2Vec(
                vector_size=SETTINGS.dimensions,
                window=SETTINGS.window,
                negative=SETTINGS.negative,
                sample=SETTINGS.subsample,
                sg=skip_gram,
                min_count=1,
                workers=THREADS,
                seed=SEED + 1,
            )
            gensims.build_vocab_from_freq(dict(zip(names, counts.tolist(), strict=True)))
            seconds, theirs = alternate(ROUNDS, partial(_fit, model, text), partial(_gensim, gensims, sentences))
            title = word_models()[model].title
            yield Row(f"{title}, a million words, two threads", "s", seconds, "gensim, two workers", theirs)
    finally:
        torch.set_num_threads(threads)


def _fit(model: str, text: EncodedCorpus) -> None:
    fitted = Fit(text, torch.device("cpu"), SEED, lambda _: None)
    for _ in word_models()[model].fit(fitted, SETTINGS):
        pass


def _gensim(model: Word2Vec, sentences: list[list[str]]) -> None:
    model.train(sentences, total_words=WORDS, epochs=1)


BENCHMARK = Benchmark("word-training", "How long does training on a million words take?", measure, "words")
