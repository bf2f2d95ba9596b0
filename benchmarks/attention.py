"""What do recurrent networks with attention cost, beside the same over plain ``nn.GRU``?

The network of ``imdb-bigru-attention`` is trained on texts of random words with the lengths of reviews, as in
``training_epoch.py``, in blocks that take turns with a plain loop's. Then the network of ``imdb-han`` reads a review of
400 tokens in 20 sentences, on one thread: ``attend`` tokenizes, splits it into sentences, and says what every word and
sentence weighs, where the plain network gives the prediction alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.plain_attention import PlainBiGRU, PlainHAN
from benchmarks.peers.plain_loop import PlainLoop
from benchmarks.training_epoch import EPOCH, random_texts, review_lengths, seconds_of_an_epoch
from nlpviz.analysis.inspection.attention import attend
from nlpviz.networks.architectures import padded
from nlpviz.networks.architectures.attentive_rnn import AttentiveRNN, AttentiveRNNConfig
from nlpviz.runs import open_run
from nlpviz.training.classifier import ClassifierSettings
from nlpviz.training.recipes import recipes

OURS, PLAIN, ROUNDS = 960, 320, 3  # texts in a block
SENTENCES, WORDS, BAR = 20, 20, 30  # of the review, in each of them; ms


def measure() -> Iterator[Row]:
    """Yield the seconds of an epoch, and the milliseconds of a review."""
    yield _epoch()
    yield _review()


def _epoch() -> Row:
    """Return the seconds of an epoch of the attentive BiGRU beside those of a plain loop."""
    settings = cast("ClassifierSettings", recipes()["imdb-bigru-attention"].settings)
    config = AttentiveRNNConfig(settings.vocabulary_size, **settings.config)
    plain = PlainBiGRU(config.vocabulary_size, config.dimensions, config.units, config.attention)
    loop = PlainLoop(plain, settings.fit.learning_rate)
    lengths = np.minimum(review_lengths(OURS), settings.max_length)
    ours, theirs = [], []
    for number in range(ROUNDS + 1):
        ours.append(_ours(config, settings, lengths, number))
        texts = random_texts(config.vocabulary_size, lengths[:PLAIN], number)
        labels = torch.from_numpy(texts.labels).float()
        theirs.append(loop.seconds(padded(texts.ids), labels, settings.fit.batch_size) * EPOCH / PLAIN)
    what = f"training epoch of the recipe `imdb-bigru-attention`, up to {settings.max_length:,} tokens"
    return Row(what, "s", tuple(ours[1:]), "the same with `nn.GRU` in a plain loop", tuple(theirs[1:]))


def _ours(config: AttentiveRNNConfig, settings: ClassifierSettings, lengths: NDArray[np.int64], number: int) -> float:
    """Return the seconds of an epoch with our loop."""
    texts = random_texts(config.vocabulary_size, lengths, number)
    torch.manual_seed(SEED)
    return seconds_of_an_epoch(AttentiveRNN(config), texts, settings.fit)


def _review() -> Row:
    """Return the milliseconds of a review by the hierarchical network beside those of a plain one."""
    trained = open_run("imdb-han").load()
    config = trained.module.config
    words = [word for word in trained.vocabulary.words if word.isalpha() and word.isascii()]
    drawn = np.random.default_rng(SEED).choice(words, (SENTENCES, WORDS - 1))
    text = "<br />".join(f"{' '.join(row)}." for row in drawn)
    encoded = trained.encode(text)
    if encoded.sentences is None or np.bincount(encoded.sentences).tolist() != [WORDS] * SENTENCES:
        raise RuntimeError("the review does not have the intended tokens and sentences")
    plain = PlainHAN(config.vocabulary_size, config.dimensions, config.units, config.attention).eval()
    rows: list[Tensor] = list(torch.from_numpy(encoded.ids).view(SENTENCES, WORDS))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            mine, theirs = alternate(21, lambda: attend(trained, text), lambda: plain(rows))
    finally:
        torch.set_num_threads(threads)
    what = f"`attend` of HAN, {SENTENCES * WORDS} tokens in {SENTENCES} sentences, from text to result"
    return Row(what, "ms", in_ms(mine), "a plain network with `nn.GRU`, prediction only", in_ms(theirs), bar=BAR)


BENCHMARK = Benchmark(
    "attention", "What do recurrent networks with attention cost, compared with plain nn.GRU?", measure, "attention"
)
