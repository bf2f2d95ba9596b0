"""How long does an epoch of a translator take, and one sentence, beside a plain PyTorch loop?

Both train networks of the recipe's size on pairs of random words, frequent ones more often, with about the lengths of
captions; a block takes its share of an epoch of 29,000 pairs. Our loop is ``nlpviz.training.translator_fit``: batches
with sources of one length, a softmax whose denominator is estimated, fused Adam, an average of the weights. Then a
sentence of 15 words is translated by a network with random weights that never ends a sentence: 25 words are written, by
a beam of 5, beside the plain network's greedy search, which keeps one hypothesis.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.plain_translator import PlainTranslator, greedily, seconds_of_training
from nlpviz.language.decoding.search import SearchSettings, search
from nlpviz.networks.architectures import padded
from nlpviz.networks.architectures.seq2seq import Seq2Seq, Seq2SeqConfig
from nlpviz.training.recipes import recipes
from nlpviz.training.translator import TranslatorSettings
from nlpviz.training.translator_fit import SentencePairs, TranslatorFit, fit_translator

RECIPE = "multi30k-en-fr-general"
EPOCH = 29_000  # pairs
OURS, PLAIN = 1_920, 640  # pairs in a block
ROUNDS, WORDS, EOS = 3, 25, 2
SOURCE_WORDS, TARGET_WORDS = 5_900, 6_500
BAR = 300  # ms


def measure() -> Iterator[Row]:
    """Yield the seconds of an epoch, and the milliseconds of a sentence."""
    settings = cast("TranslatorSettings", recipes()[RECIPE].settings)
    config = Seq2SeqConfig(SOURCE_WORDS, TARGET_WORDS, **settings.config)
    plain = PlainTranslator(SOURCE_WORDS, TARGET_WORDS, config.dimensions, config.units)
    epochs = [
        (_ours(config, settings.fit, number), _plain(plain, settings.fit.batch_size, number))
        for number in range(ROUNDS + 1)
    ][1:]  # the first round warms up
    ours, theirs = zip(*epochs, strict=True)
    size = f"{config.units} units, {config.dimensions} dimensions, {SOURCE_WORDS:,} and {TARGET_WORDS:,} words"
    yield Row(f"training epoch of a translator, {size}", "s", ours, "the same in a plain PyTorch loop", theirs)
    model, source = Seq2Seq(config).eval(), np.arange(3, 18)
    model.bias.data[EOS] = -100.0
    mine, greedy = alternate(
        10,
        lambda: search(model, [source], _Shortened(EOS, width=5)),
        partial(greedily, plain.eval(), torch.from_numpy(source)[None], WORDS),
    )
    title = f"translating 15 words into {WORDS}, beam width 5"
    yield Row(title, "ms", in_ms(mine), "a plain loop, greedy", in_ms(greedy), bar=BAR)


class _Shortened(SearchSettings):
    """A search that writes as many words as its peer."""

    def longest(self, source: int) -> int:
        """Return the number of words."""
        return min(WORDS, super().longest(source))


def _ours(config: Seq2SeqConfig, fit: TranslatorFit, number: int) -> float:
    """Return the seconds of an epoch with our loop."""
    torch.manual_seed(SEED)
    pairs, few = _pairs(OURS, number), _pairs(8, number)
    one = TranslatorFit(**{**vars(fit), "epochs": 1})
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        records = fit_translator(Seq2Seq(config), (pairs, few), EOS, one, Path(folder), lambda _: 0.0)
    return records[-1].seconds * EPOCH / OURS


def _plain(model: PlainTranslator, size: int, number: int) -> float:
    """Return the seconds of an epoch with the plain loop."""
    pairs, batches = _pairs(PLAIN, number), []
    for first in range(0, PLAIN, size):
        targets = pairs.targets[first : first + size]
        batches.append(
            (
                padded(pairs.sources[first : first + size]),
                padded([np.append(EOS, target) for target in targets]),
                padded([np.append(target, EOS) for target in targets]),
            )
        )
    return seconds_of_training(model.train(), batches) * EPOCH / PLAIN


def _pairs(count: int, number: int) -> SentencePairs:
    """Return pairs of random words, frequent ones more often (Zipf), with the lengths of captions: 13 words or so."""
    rng = np.random.default_rng([SEED, number])
    lengths = np.clip(np.exp(rng.normal(2.5, 0.3, count)), 4, 40).astype(np.int64)
    return SentencePairs(
        _words(lengths, SOURCE_WORDS, rng), _words(lengths + rng.integers(-1, 4, count), TARGET_WORDS, rng)
    )


def _words(lengths: NDArray[np.int64], words: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    shares = 1 / np.arange(1, words - 2)
    ids = 3 + rng.choice(words - 3, size=int(lengths.sum()), p=shares / shares.sum())
    return np.split(ids, np.cumsum(lengths)[:-1])


BENCHMARK = Benchmark(
    "translation", "How long do a translator's training epoch and one sentence take?", measure, "translation"
)
