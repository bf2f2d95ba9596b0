"""How long does it take to say because of which training reviews a review is classified so?

A test review of IMDB of about 400 tokens, asked of ``imdb-cnn``, whose 22,500 training reviews have sketches: from the
text to the influence of 200 candidates, exact and by word, models and corpus open. The peer is the loop that one would
write: for each training review and epoch the loss, its gradient with respect to the whole table of word vectors by
autograd, and a dot product. It takes a sample of the reviews, and its time is scaled to all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from time import perf_counter

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.saliency import TOKENS, one_thread
from nlpviz.data import imdb
from nlpviz.run_kinds.influence import influence
from nlpviz.runs import Run, open_run
from nlpviz.runs.influence import sketches_of

BAR = 3.0  # seconds
ROUNDS, SAMPLE = 5, 40


def measure() -> Iterator[Row]:
    """Yield the seconds of an answer beside those of the loop over all training reviews."""
    run, texts = open_run(RUN), imdb.read("test").texts
    models = {epoch: run.load(epoch) for epoch in sketches_of(run).epochs}
    text = min((texts[place] for place in range(0, len(texts), 50)), key=lambda one: abs(_read(run, one) - TOKENS))
    with one_thread():
        influence(run, text, 1, models.__getitem__)  # opens the corpus
        samples = []
        for _ in range(ROUNDS):
            started = perf_counter()
            influence(run, text, 1, models.__getitem__)
            samples.append(perf_counter() - started)
        loop = _loop(run, {epoch: deepcopy(model.module) for epoch, model in models.items()}, text)
    documents = len(sketches_of(run).ids)
    what = f"influence of {documents:,} training reviews on a review, {_read(run, text)} tokens"
    yield Row(
        what, "s", tuple(samples), f"a loop over exact gradients, extrapolated from {SAMPLE} reviews", (loop,), BAR
    )


def _loop(run: Run, modules: dict[int, nn.Module], text: str) -> float:
    """Return the seconds that a plain loop would take over all training reviews."""
    stored, reviews = sketches_of(run), imdb.read("train")
    drawn = np.random.default_rng(SEED).choice(len(reviews.texts), SAMPLE, replace=False)
    rows = [run.vocabulary.encode(reviews.texts[place], run.max_length).ids for place in drawn]
    own = run.vocabulary.encode(text, run.max_length).ids
    queries = {epoch: _gradient(module, own, 1) for epoch, module in modules.items()}
    started = perf_counter()
    for row, label in zip(rows, reviews.labels[drawn], strict=True):
        for epoch, module in modules.items():
            (_gradient(module, row, int(label)) * queries[epoch]).sum().item()
    return (perf_counter() - started) / SAMPLE * len(stored.ids)


def _gradient(module: nn.Module, ids: np.ndarray, label: int) -> Tensor:
    table = module.get_parameter("embedding.weight").requires_grad_()
    logits = module(torch.from_numpy(ids)[None])[:, 0]
    loss = functional.binary_cross_entropy_with_logits(logits, torch.tensor([float(label)]))
    return torch.autograd.grad(loss, table)[0]


def _read(run: Run, text: str) -> int:
    return len(run.vocabulary.encode(text, run.max_length).ids)


BENCHMARK = Benchmark(
    "influence",
    "How long does it take to find the training reviews behind a prediction?",
    measure,
    "attribution",
)
