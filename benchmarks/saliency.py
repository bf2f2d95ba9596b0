"""What do saliency and integrated gradients cost on a review of 400 tokens, beside Captum?

All differentiate the same class score of the same weights with respect to the same embedded words. What a user of
Captum has is a plain network (``peers/plain_scores.py``); Captum on our own network is measured as well, which tells
the network's part of the difference from the method's. Captum's ``Saliency`` returns the gradient's magnitudes; ours
also sums each word's up, and with ``explain`` tokenizes, looks up and predicts as well. Both integrate in 50 steps by
Gauss and Legendre's rule. On one thread: operations as small as these gain nothing from a second one, and lose much
where the other core is busy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from captum.attr import IntegratedGradients, Saliency  # type: ignore[import-untyped]
from torch import Tensor

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.plain_scores import PlainScores
from nlpviz.analysis.attribution import explain, methods
from nlpviz.analysis.attribution.class_score import class_score
from nlpviz.analysis.attribution.integrated_gradients import STEPS, additions
from nlpviz.networks.architectures import class_scores
from nlpviz.networks.architectures.cnn import CNN
from nlpviz.runs import TrainedModel, open_run
from nlpviz.text.vocabulary import SPECIALS

TOKENS, TARGET = 400, 1
ROUNDS, REPEAT = 21, 30
STEP_ROUNDS, STEP_REPEAT = 9, 2


@dataclass(frozen=True)
class Setting:
    """A text of random words, its embedded words (1, T, D), and who scores them: we, or the plain network."""

    trained: TrainedModel
    text: str
    ids: Tensor
    embedded: Tensor
    ours: Callable[[Tensor], Tensor]
    plain: Callable[[Tensor], Tensor]

    def attribute(self, method: str) -> Tensor:
        """Return what a method says of the embedded words, from their ids on."""
        score = class_score(self.trained.module, self.ids, TARGET)  # type: ignore[arg-type]
        return methods()[method].attribute(score, score.embedded).matrix

    def integrate(self) -> Tensor:
        """Return what 50 steps of integrated gradients say of the embedded words; the method itself may add others."""
        score = class_score(self.trained.module, self.ids, TARGET)  # type: ignore[arg-type]
        return additions(score, score.embedded)

    def leaf(self) -> Tensor:
        """Return the embedded words, ready for a gradient."""
        return self.embedded.detach().requires_grad_()


def measure() -> Iterator[Row]:
    """Yield the time of saliency and of integrated gradients beside their peers, and of a whole explanation."""
    setting = random_review()
    with one_thread():
        yield from _saliency(setting)
        yield from _integrated_gradients(setting)


def _saliency(setting: Setting) -> Iterator[Row]:
    on_plain, on_ours = Saliency(setting.plain), Saliency(setting.ours)

    def bare() -> Tensor:
        words = setting.leaf()
        return torch.autograd.grad(setting.plain(words)[0, TARGET], words)[0]

    own, plain, same, floor, whole = alternate(
        ROUNDS,
        lambda: setting.attribute("saliency"),
        lambda: on_plain.attribute(setting.leaf(), target=TARGET),
        lambda: on_ours.attribute(setting.leaf(), target=TARGET),
        bare,
        lambda: explain(setting.trained, setting.text, "saliency", TARGET),
        repeat=REPEAT,
    )
    what = f"saliency, {TOKENS} tokens"
    yield Row(what, "ms", in_ms(own), "Captum's `Saliency` on a plain network with the same weights", in_ms(plain))
    yield Row(what, "ms", in_ms(own), "Captum's `Saliency` on our network", in_ms(same))
    yield Row(what, "ms", in_ms(own), "bare `torch.autograd.grad` on the plain network", in_ms(floor))
    peer = "Captum's `Saliency` on the plain network"
    yield Row(f"`explain`, {TOKENS} tokens, from text to result", "ms", in_ms(whole), peer, in_ms(plain))


def _integrated_gradients(setting: Setting) -> Iterator[Row]:
    on_plain, on_ours = IntegratedGradients(setting.plain), IntegratedGradients(setting.ours)
    own, plain, same = alternate(
        STEP_ROUNDS,
        setting.integrate,
        lambda: on_plain.attribute(setting.embedded, target=TARGET, n_steps=STEPS),
        lambda: on_ours.attribute(setting.embedded, target=TARGET, n_steps=STEPS),
        repeat=STEP_REPEAT,
    )
    what, peer = f"integrated gradients, {STEPS} steps, {TOKENS} tokens", "Captum's `IntegratedGradients`"
    yield Row(what, "ms", in_ms(own), f"{peer} on a plain network with the same weights", in_ms(plain))
    yield Row(what, "ms", in_ms(own), f"{peer} on our network", in_ms(same))


def random_review() -> Setting:
    """Return the text and both networks, which must agree on it."""
    trained = open_run(RUN).load()
    module, vocabulary = trained.module, trained.vocabulary
    if not isinstance(module, CNN):
        raise TypeError(f"{RUN} is not a CNN")
    words = [word for word in vocabulary.words[len(SPECIALS) :] if word.isalpha()][:5000]
    text = " ".join(np.random.default_rng(SEED).choice(words, TOKENS))
    ids = torch.from_numpy(vocabulary.encode(text, TOKENS).ids)
    embedded = module.embed(ids.unsqueeze(0)).detach()

    def ours(words: Tensor) -> Tensor:
        return class_scores(module.classify(words, torch.ones(words.shape[:2], dtype=torch.bool)))

    plain = PlainScores(module)
    torch.testing.assert_close(plain(embedded), ours(embedded))
    return Setting(trained, text, ids, embedded, ours, plain)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch compute on one thread meanwhile."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


BENCHMARK = Benchmark(
    "saliency", "How long do saliency and integrated gradients take on a review of 400 tokens?", measure, "attribution"
)
