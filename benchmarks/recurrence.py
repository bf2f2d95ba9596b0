"""What do recurrences that are written out cost, beside PyTorch's fused ``nn.LSTM``?

The network of each recurrent recipe on IMDB, all of about as many parameters, takes a training step on 64 texts of 250
random words. A plain ``nn.LSTM`` of as many parameters takes its steps in the same loop, with the same optimizer; all
of them take turns, on one thread. Numbers below the normal range are taken for zero, as in our training loop: gradients
that vanish on their way back fall into it, and would cost the plain LSTM ten times as much. Then ``read_states`` says
what every gate of ``imdb-lstm`` held after each of 400 tokens, where the plain network gives the prediction alone; and
``read_memory`` what each of its states and scores owes to every word before, where autograd gives the gradient of the
plain network's last score alone.
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
from nlpviz.models import Penalised, architectures
from nlpviz.reading.memory import read_memory
from nlpviz.reading.states import read_states
from nlpviz.runs import TrainedModel, open_run
from nlpviz.training.classifier import ClassifierSettings
from nlpviz.training.recipes import recipes

RECIPES = ("imdb-elman", "imdb-gated", "imdb-lstm", "imdb-gru", "imdb-qrnn", "imdb-tcn", "imdb-skip")
UNITS = 116  # of the plain LSTM, as of ``imdb-lstm``
TEXTS, WORDS, ROUNDS = 64, 250, 9
SLOWER = 1.1  # than the plain LSTM, at most
REVIEW, BAR, MEMORY = 400, 40, 500  # tokens; ms; ms


def measure() -> Iterator[Row]:
    """Yield the milliseconds of a step of each network, and those of a review's gates."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
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
        """Build the network of a recipe with random weights, without word dropout."""
        super().__init__()
        settings = cast("ClassifierSettings", recipes()[recipe].settings)
        architecture = architectures()[settings.architecture]
        config = {**settings.config, "word_dropout": 0.0}  # the plain LSTM has none
        self.network = architecture.build(architecture.config(settings.vocabulary_size, **config))

    def forward(self, ids: Tensor) -> Tensor:
        """Return the log-odds (B,) of ``ids`` (B, T)."""
        answered = self.network(ids)
        logits = answered.logits if isinstance(answered, Penalised) else answered
        return cast("Tensor", logits[:, 0])


def _steps() -> Iterator[Row]:
    """Yield the milliseconds of a training step of each recipe's network beside those of the plain one."""
    settings = cast("ClassifierSettings", recipes()["imdb-lstm"].settings)
    rng = np.random.default_rng(SEED)
    ids = torch.from_numpy(rng.integers(2, settings.vocabulary_size, (TEXTS, WORDS)))
    labels = torch.from_numpy(rng.integers(2, size=TEXTS)).float()
    torch.manual_seed(SEED)
    plain = PlainLSTM(settings.vocabulary_size, settings.config["dimensions"], UNITS)
    networks = [plain, *(_Answering(recipe) for recipe in RECIPES)]
    loops = [PlainLoop(network, settings.fit.learning_rate) for network in networks]
    theirs, *ours = alternate(ROUNDS, *(lambda loop=loop: loop.seconds(ids, labels, TEXTS) for loop in loops))
    bar = SLOWER * median(in_ms(theirs))
    for recipe, network, seconds in zip(RECIPES, networks[1:], ours, strict=True):
        what = f"training step of `{recipe}` ({_size(network):,} parameters), {TEXTS} texts of {WORDS} words"
        peer = f"`nn.LSTM` ({_size(plain):,} parameters)"
        yield Row(what, "ms", in_ms(seconds), peer, in_ms(theirs), bar=bar)


def _size(network: nn.Module) -> int:
    """Return how many parameters are trained."""
    return sum(weight.numel() for weight in network.parameters() if weight.requires_grad)


def _review() -> str:
    """Return a text of as many known words as the network reads."""
    trained = open_run("imdb-lstm").load()
    words = [word for word in trained.vocabulary.words if word.isalpha() and word.isascii()]
    text = " ".join(np.random.default_rng(SEED).choice(words, REVIEW))
    if len(trained.encode(text).ids) != REVIEW:
        raise RuntimeError("the review does not have the tokens that were meant")
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
    return Row(what, "ms", in_ms(mine), "`nn.LSTM`, its prediction alone", in_ms(theirs), bar=BAR)


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
    return Row(what, "ms", in_ms(mine), "`nn.LSTM`, the last score's gradient alone", in_ms(theirs), bar=MEMORY)


BENCHMARK = Benchmark(
    "recurrence", "What do recurrences that are written out cost, beside PyTorch's fused nn.LSTM?", measure, "training"
)
