"""How long does an epoch of a language model take, beside a plain loop over ``nn.LSTM``?

Both train networks of the recipe's size on random words, frequent ones more often; a block of some steps takes its
share of an epoch of WikiText-2. Our loop is ``nlpviz.training.language_fit``: rare words have shorter vectors, the
softmax's denominator is estimated, AdamW is fused, the weights are averaged. The plain one's softmax is over all words.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks import SEED, Benchmark, Row
from benchmarks.peers.plain_language_model import PlainLanguageModel, seconds_of_reading
from nlpviz.networks.architectures.recurrent_language_model import RecurrentLanguageConfig, RecurrentLanguageModel
from nlpviz.text.vocabulary import UNKNOWN
from nlpviz.training.language import LanguageSettings
from nlpviz.training.language_fit import LanguageFit, Texts, fit_language_model, steps_of
from nlpviz.training.recipes import recipes

RECIPE = "wikitext2-lstm"
IDS, WORDS = 33_279, 2_088_628
OURS, PLAIN, ROUNDS = 20, 3, 3  # steps of a block; blocks


def measure() -> Iterator[Row]:
    """Yield the seconds of an epoch."""
    settings = cast("LanguageSettings", recipes()[RECIPE].settings)
    config = RecurrentLanguageConfig(IDS, **settings.config)
    plain = PlainLanguageModel(IDS, config.dimensions, config.units, config.layers).train()
    blocks = [
        (_ours(config, settings.fit, number), _plain(plain, settings.fit, number)) for number in range(ROUNDS + 1)
    ][1:]  # the first round warms up
    ours, theirs = zip(*blocks, strict=True)
    size = f"{config.layers} × {config.units} units, {config.dimensions} dimensions, {IDS:,} words"
    what = f"training epoch of the recipe `{RECIPE}`, {size}"
    yield Row(what, "s", ours, "`nn.LSTM` with a full softmax in a plain loop", theirs)


def _ours(config: RecurrentLanguageConfig, fit: LanguageFit, number: int) -> float:
    """Return the seconds of an epoch with our loop."""
    torch.manual_seed(SEED)
    text = _words(fit, OURS, number)
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        texts = Texts(text, text[:8], UNKNOWN)
        records = fit_language_model(RecurrentLanguageModel(config), texts, replace(fit, epochs=1), Path(folder))
    return records[-1].seconds * steps_of(WORDS, fit) / OURS


def _plain(model: PlainLanguageModel, fit: LanguageFit, number: int) -> float:
    """Return the seconds of an epoch with the plain loop."""
    rows = torch.from_numpy(_words(fit, PLAIN, number)).view(fit.rows, -1)
    return seconds_of_reading(model, rows, fit.steps) * steps_of(WORDS, fit) / PLAIN


def _words(fit: LanguageFit, steps: int, number: int) -> NDArray[np.int64]:
    """Return random words, frequent ones more often (Zipf), for so many steps."""
    shares = 1 / np.arange(1, IDS - UNKNOWN + 1)
    rng = np.random.default_rng([SEED, number])
    return UNKNOWN + rng.choice(len(shares), size=fit.rows * (steps * fit.steps + 1), p=shares / shares.sum())


BENCHMARK = Benchmark(
    "language-training",
    "How long does an epoch of a language model take, compared with a plain loop?",
    measure,
    "language",
)
