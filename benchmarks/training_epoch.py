"""How long does a training epoch take, compared with a plain PyTorch loop?

Both train networks of the same size on texts of random words with the lengths of film reviews, in blocks that take
turns; a block's seconds are scaled to an epoch of 25,000 texts. Our loop is ``nlpviz.training.fit.fit``, as a recipe
calls it: batches of like length, a gradient for the winning windows only, fused AdamW, an average of the weights.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.peers.plain_loop import PlainCNN, PlainLoop
from nlpviz.networks.architectures.cnn import CNN, CNNConfig
from nlpviz.runs import RunError, open_run
from nlpviz.runs.documents import documents_of
from nlpviz.training import accelerator_for
from nlpviz.training.batches import Labelled
from nlpviz.training.classifier import ClassifierSettings
from nlpviz.training.fit import FitSettings, fit
from nlpviz.training.recipes import recipes

EPOCH = 25_000  # texts
OURS, PLAIN = 1_600, 640  # texts in a block
ROUNDS = 4


@dataclass(frozen=True)
class Size:
    """A network, and how it is trained.

    Attributes:
        config: of the network.
        fit: of our loop; the plain one takes batch size and learning rate from it.
        longest: tokens that are read of a text.
    """

    config: CNNConfig
    fit: FitSettings
    longest: int

    def __str__(self) -> str:
        """What makes an epoch long."""
        filters = self.config.filters * len(self.config.region_sizes)
        return (
            f"{self.config.vocabulary_size:,} words × {self.config.dimensions}, {filters} filters, "
            f"up to {self.longest} tokens, batches of {self.fit.batch_size}"
        )


def sizes() -> dict[str, Size]:
    """Return the size for which plain loops are known, and the recipe's own."""
    recipe = cast("ClassifierSettings", recipes()[RUN].settings)
    known = CNNConfig(vocabulary_size=30_000, dimensions=100, region_sizes=(1, 2, 3), filters=100)
    own = CNNConfig(**{"vocabulary_size": recipe.vocabulary_size, **recipe.config})
    return {
        "training epoch": Size(known, FitSettings(batch_size=64, averaging=0.998), 400),
        f"training epoch of the recipe `{RUN}`": Size(own, recipe.fit, recipe.max_length),
    }


def measure() -> Iterator[Row]:
    """Yield the seconds of an epoch with our loop beside the plain one's, for each size."""
    lengths = review_lengths(OURS)
    loops = {what: _plain_loop(size) for what, size in sizes().items()}
    ours: dict[str, list[float]] = {what: [] for what in loops}
    plain: dict[str, list[float]] = {what: [] for what in loops}
    for number in range(ROUNDS + 1):
        for what, size in sizes().items():
            seconds = _ours(size, lengths, number), _plain(loops[what], size, lengths[:PLAIN], number)
            if number:  # the first round warms up
                ours[what].append(seconds[0])
                plain[what].append(seconds[1])
    for what, size in sizes().items():
        yield Row(f"{what}, {size}", "s", tuple(ours[what]), "the same in a plain PyTorch loop", tuple(plain[what]))


def _ours(size: Size, lengths: NDArray[np.int64], number: int) -> float:
    """Return the seconds of an epoch with our loop."""
    texts = random_texts(size.config.vocabulary_size, np.minimum(lengths, size.longest), number)
    torch.manual_seed(SEED)
    return seconds_of_an_epoch(CNN(size.config), texts, size.fit)


def seconds_of_an_epoch(model: nn.Module, texts: Labelled, settings: FitSettings) -> float:
    """Return the seconds of an epoch with our loop, from those of ``texts``."""
    few = texts.take(np.arange(8))
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        records = fit(model, texts, few, replace(settings, epochs=1), Path(folder), accelerator_for("cpu"))
    return records[-1].seconds * EPOCH / len(texts)


def _plain_loop(size: Size) -> PlainLoop:
    config = size.config
    network = PlainCNN(config.vocabulary_size, config.dimensions, config.region_sizes, config.filters)
    return PlainLoop(network, size.fit.learning_rate)


def _plain(loop: PlainLoop, size: Size, lengths: NDArray[np.int64], number: int) -> float:
    """Return the seconds of an epoch with the plain loop."""
    texts = random_texts(size.config.vocabulary_size, np.minimum(lengths, size.longest), number)
    ids = torch.zeros((len(texts), size.longest), dtype=torch.int64)
    for row, text in zip(ids, texts.ids, strict=True):
        row[: len(text)] = torch.from_numpy(text)
    return loop.seconds(ids, torch.from_numpy(texts.labels).float(), size.fit.batch_size) * EPOCH / len(texts)


def random_texts(vocabulary_size: int, lengths: NDArray[np.int64], number: int) -> Labelled:
    """Return texts of random words, frequent ones more often (Zipf), and their random labels."""
    rng = np.random.default_rng([SEED, number])
    shares = 1 / np.arange(1, vocabulary_size - 1)
    ids = 2 + rng.choice(vocabulary_size - 2, size=int(lengths.sum()), p=shares / shares.sum())
    return Labelled(np.split(ids, np.cumsum(lengths)[:-1]), rng.integers(2, size=len(lengths), dtype=np.int8))


def review_lengths(count: int) -> NDArray[np.int64]:
    """Return lengths of reviews in tokens: those of the run's test reviews, or like them where there is no run."""
    rng = np.random.default_rng(SEED)
    try:
        known = documents_of(open_run(RUN)).lengths.astype(np.int64)
    except RunError:
        known = np.exp(rng.normal(5.4, 0.65, 2000)).astype(np.int64)
    lengths: NDArray[np.int64] = np.maximum(rng.choice(known, count), 1)
    return lengths


BENCHMARK = Benchmark(
    "training-epoch", "How long does a training epoch take, compared with a plain PyTorch loop?", measure, "training"
)
