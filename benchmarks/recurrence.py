"""What do recurrences that are written out cost, beside PyTorch's fused ``nn.LSTM``?

The network of each recurrent recipe on IMDB, all of about as many parameters, is trained on texts of random words with
the lengths of reviews, as in ``training_epoch.py``, in blocks that take turns with those of a plain loop over
``nn.LSTM`` of as many parameters. What of that is the recurrence, and what the loop that puts texts of like length
together, a training step on 64 texts of 250 words says, which all of them take in the plain loop. Numbers below the
normal range are taken for zero, as in our training loop: gradients that vanish on their way back fall into it, and
would cost the plain LSTM ten times as much. Then ``read_states`` says what every gate of ``imdb-lstm`` held after each
of 400 tokens, where the plain network gives the prediction alone; and ``read_memory`` what each of its states and
scores owes to every word before, where autograd gives the gradient of the plain network's last score alone. All of it
is measured on one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.plain_loop import PlainLoop
from benchmarks.peers.plain_recurrence import PlainLSTM
from benchmarks.training_epoch import EPOCH, random_texts, review_lengths, seconds_of_an_epoch
from nlpviz.analysis.inspection.memory import read_memory
from nlpviz.analysis.inspection.states import read_states
from nlpviz.networks.architectures import Penalised, architectures, padded
from nlpviz.runs import TrainedModel, open_run
from nlpviz.training.classifier import ClassifierSettings
from nlpviz.training.recipes import recipes

RECIPES = ("imdb-elman", "imdb-gated", "imdb-lstm", "imdb-gru", "imdb-qrnn", "imdb-tcn", "imdb-skip")
UNITS = 116  # of the plain LSTM, as of ``imdb-lstm``
BLOCK, BLOCKS = 960, 5  # texts in a block
TEXTS, WORDS, ROUNDS = 64, 250, 9  # of a step
SLOWER = 1.1  # than the plain LSTM, at most
REVIEW, BAR, MEMORY = 400, 40, 500  # tokens; ms; ms


def measure() -> Iterator[Row]:
    """Yield the seconds of an epoch and the milliseconds of a step of each network, and those of a review's gates."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        yield from _epochs()
        yield from _steps()
        text = _review()
        yield _gates(text)
        yield _memory(text)
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(threads)


class _Answering(nn.Module):
    """One of our networks as a plain loop calls it."""

    def __init__(self, recipe: str) -> None:
        """Build the network of a recipe with random weights, without word dropout, which the plain LSTM lacks."""
        super().__init__()
        self.network = _network(recipe, word_dropout=0.0)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the log-odds (B,) of ``ids`` (B, T)."""
        answered = self.network(ids)
        logits = answered.logits if isinstance(answered, Penalised) else answered
        return cast("Tensor", logits[:, 0])


def _settings(recipe: str) -> ClassifierSettings:
    return cast("ClassifierSettings", recipes()[recipe].settings)


def _network(recipe: str, **others: float) -> nn.Module:
    """Return the network of a recipe with random weights, and with ``others`` of its settings."""
    settings = _settings(recipe)
    architecture = architectures()[settings.architecture]
    return architecture.build(architecture.config(settings.vocabulary_size, **{**settings.config, **others}))


def _plain_lstm() -> PlainLSTM:
    """Return the plain network of as many parameters."""
    settings = _settings("imdb-lstm")
    return PlainLSTM(settings.vocabulary_size, settings.config["dimensions"], UNITS)


def _epochs() -> Iterator[Row]:
    """Yield the seconds of an epoch of each recipe's network beside those of a plain loop over ``nn.LSTM``."""
    settings = _settings("imdb-lstm")
    lengths = np.minimum(review_lengths(BLOCK), settings.max_length)
    texts = random_texts(settings.vocabulary_size, lengths, SEED)
    torch.manual_seed(SEED)
    loop = PlainLoop(_plain_lstm(), settings.fit.learning_rate)

    def plain() -> float:
        torch.set_flush_denormal(True)  # our loop leaves it off
        return loop.seconds(padded(texts.ids), torch.from_numpy(texts.labels).float(), TEXTS) * EPOCH / BLOCK

    def ours(recipe: str) -> float:
        torch.manual_seed(SEED)
        return seconds_of_an_epoch(_network(recipe), texts, _settings(recipe).fit)

    rounds = [(plain(), *(ours(recipe) for recipe in RECIPES)) for _ in range(BLOCKS + 1)]
    theirs, *mine = zip(*rounds[1:], strict=True)  # the first round warms up
    for recipe, seconds in zip(RECIPES, mine, strict=True):
        what = f"training epoch of the recipe `{recipe}`, up to {settings.max_length} tokens"
        yield Row(what, "s", seconds, "`nn.LSTM` in a plain loop", theirs, bar=SLOWER * median(theirs))
    torch.set_flush_denormal(True)


def _steps() -> Iterator[Row]:
    """Yield the milliseconds of a training step of each recipe's network beside those of the plain one."""
    settings = _settings("imdb-lstm")
    rng = np.random.default_rng(SEED)
    ids = torch.from_numpy(rng.integers(2, settings.vocabulary_size, (TEXTS, WORDS)))
    labels = torch.from_numpy(rng.integers(2, size=TEXTS)).float()
    torch.manual_seed(SEED)
    plain = _plain_lstm()
    networks = [plain, *(_Answering(recipe) for recipe in RECIPES)]
    loops = [PlainLoop(network, settings.fit.learning_rate) for network in networks]
    theirs, *ours = alternate(ROUNDS, *(lambda loop=loop: loop.seconds(ids, labels, TEXTS) for loop in loops))
    for recipe, network, seconds in zip(RECIPES, networks[1:], ours, strict=True):
        what = f"training step of `{recipe}` ({_size(network):,} parameters), {TEXTS} texts of {WORDS} words"
        peer = f"`nn.LSTM` ({_size(plain):,} parameters)"
        yield Row(what, "ms", in_ms(seconds), peer, in_ms(theirs))


def _size(network: nn.Module) -> int:
    """Return how many parameters are trained."""
    return sum(weight.numel() for weight in network.parameters() if weight.requires_grad)


def _review() -> str:
    """Return a text of as many known words as the network reads."""
    trained = open_run("imdb-lstm").load()
    words = [word for word in trained.vocabulary.words if word.isalpha() and word.isascii()]
    text = " ".join(np.random.default_rng(SEED).choice(words, REVIEW))
    if len(trained.encode(text).ids) != REVIEW:
        raise RuntimeError("the review does not have the intended tokens")
    return text


def _plain(trained: TrainedModel, text: str) -> tuple[PlainLSTM, Tensor]:
    """Return the plain network, and the ids (1, T) of ``text``."""
    config = trained.module.config
    plain = PlainLSTM(config.vocabulary_size, config.dimensions, UNITS).eval()
    return plain, torch.from_numpy(trained.encode(text).ids).unsqueeze(0)


def _gates(text: str) -> Row:
    """Return the milliseconds of a review's gates beside those of the plain network's prediction."""
    trained = open_run("imdb-lstm").load()
    plain, ids = _plain(trained, text)
    with torch.inference_mode():
        mine, theirs = alternate(21, lambda: read_states(trained, text), lambda: plain(ids))
    what = f"`read_states` of `imdb-lstm`, {REVIEW} tokens, from text to gates and a prediction after each"
    return Row(what, "ms", in_ms(mine), "`nn.LSTM`, prediction only", in_ms(theirs), bar=BAR)


def _memory(text: str) -> Row:
    """Return the milliseconds of a review's memory beside those of the plain network's gradient by each word."""
    trained = open_run("imdb-lstm").load()
    plain, ids = _plain(trained, text)

    def gradient() -> Tensor:
        embedded = plain.embedding(ids).requires_grad_()
        score = plain.output(plain.lstm(embedded)[0][:, -1])
        return torch.autograd.grad(score.sum(), embedded)[0]

    mine, theirs = alternate(9, lambda: read_memory(trained, text), gradient)
    what = f"`read_memory` of `imdb-lstm`, {REVIEW} tokens: gains and gradients for all pairs of words"
    return Row(what, "ms", in_ms(mine), "`nn.LSTM`, gradient of the last score only", in_ms(theirs), bar=MEMORY)


BENCHMARK = Benchmark(
    "recurrence", "What do explicit recurrences cost, compared with PyTorch's fused nn.LSTM?", measure, "training"
)
