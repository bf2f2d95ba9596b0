"""How many words a second do paragraph vectors learn from, beside gensim, both with one thread?

PV-DBOW and PV-DM with 100 dimensions and 5 negative words, the commonest words subsampled at 1e-4, on texts of 250
random words with the frequencies of those of a run: what they mean changes no time. Ours is
``nlpviz.training.paragraph_fit``, PyTorch on the CPU; gensim's Doc2Vec is compiled C. Both make one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import cast

import numpy as np
import torch
from gensim.models.doc2vec import Doc2Vec, TaggedDocument

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate
from benchmarks.peers.many_words import word_run
from nlpviz.networks.architectures import architectures
from nlpviz.networks.paragraph_networks import ParagraphNetwork
from nlpviz.runs import open_run
from nlpviz.text.vocabulary import SPECIALS
from nlpviz.training.paragraph_fit import ParagraphFit, WordRows, fit, prepare

WORDS, TEXT, ROUNDS, DIMENSIONS = 1_000_000, 250, 3, 100
SETTINGS = ParagraphFit(epochs=1, group=8, groups=16, shared=64)


def measure() -> Iterator[Row]:
    """Yield the seconds for a million words of each model."""
    counts = open_run(word_run()).vocabulary.counts[:20_000]
    ids = np.random.default_rng(SEED).choice(len(counts), WORDS, p=counts / counts.sum())
    texts = WordRows(ids, np.full(WORDS // TEXT, TEXT))
    words = [f"word{number}" for number in range(len(counts))]
    tagged = [
        TaggedDocument([words[number] for number in ids[start : start + TEXT]], [start // TEXT])
        for start in range(0, WORDS, TEXT)
    ]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for name, memory in (("pv-dbow", 0), ("pv-dm", 1)):
            gensims = Doc2Vec(
                dm=memory, dm_mean=1, vector_size=DIMENSIONS, window=5, negative=5, hs=0, sample=SETTINGS.subsample,
                min_count=1, workers=1, seed=SEED + 1,
            )  # fmt: skip
            gensims.build_vocab(tagged)
            seconds, theirs = alternate(ROUNDS, partial(_fit, name, texts, counts), partial(_gensim, gensims, tagged))
            title = architectures()[name].title
            yield Row(f"{title}, a million words, one thread", "s", seconds, "gensim, one worker", theirs)
    finally:
        torch.set_num_threads(threads)


def _fit(name: str, texts: WordRows, counts: np.ndarray) -> None:
    architecture = architectures()[name]
    network = cast("ParagraphNetwork", architecture.build(architecture.config(len(counts), dimensions=DIMENSIONS)))
    known = counts.copy()
    known[: len(SPECIALS)] = 0
    prepare(network, known, SETTINGS)
    for _ in fit(network, texts, SETTINGS):
        pass


def _gensim(model: Doc2Vec, tagged: list[TaggedDocument]) -> None:
    model.train(tagged, total_examples=len(tagged), epochs=1)


BENCHMARK = Benchmark("paragraphs", "How fast do paragraph vectors train, in words per second?", measure, "words")
