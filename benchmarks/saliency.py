"""What does saliency cost on a review of 400 tokens, beside Captum's and beside bare autograd?

All three differentiate the same class score of the same model with respect to the same embedded words. Captum's
``Saliency`` returns the gradient's magnitudes; ours also sums each word's up, and with ``explain`` tokenizes, looks
up and checks as well. On one thread: operations as small as these gain nothing from a second one, and lose much where
the other core is busy.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from captum.attr import Saliency  # type: ignore[import-untyped]
from torch import Tensor

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from nlpviz.attribution import explain, methods
from nlpviz.models import Classifier, class_scores
from nlpviz.runs import open_run
from nlpviz.vocabulary import SPECIALS

TOKENS = 400
ROUNDS, REPEAT = 21, 30


def measure() -> Iterator[Row]:
    """Yield the time of the method alone beside both peers, and that of the whole explanation."""
    trained = open_run(RUN).load()
    module, vocabulary = trained.module, trained.vocabulary
    if not isinstance(module, Classifier):
        raise TypeError(f"{RUN} is no classifier")
    words = [word for word in vocabulary.words[len(SPECIALS) :] if word.isalpha()][:5000]
    text = " ".join(np.random.default_rng(SEED).choice(words, TOKENS))
    ids = torch.from_numpy(vocabulary.encode(text, TOKENS).ids).unsqueeze(0)  # (1, T)
    mask = torch.ones_like(ids, dtype=torch.bool)
    embedded = module.embed(ids).detach()

    def scores(words: Tensor) -> Tensor:
        return class_scores(module.classify(words, mask))

    def bare() -> Tensor:
        leaf = embedded.detach().requires_grad_()
        return torch.autograd.grad(scores(leaf)[0, 1], leaf)[0]

    captum = Saliency(scores)
    own = methods()["saliency"]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    method, theirs, floor, whole = alternate(
        ROUNDS,
        lambda: own.attribute(lambda words: scores(words)[:, 1], embedded),
        lambda: captum.attribute(embedded.detach().requires_grad_(), target=1),
        bare,
        lambda: explain(trained, text, "saliency", 1),
        repeat=REPEAT,
    )
    torch.set_num_threads(threads)
    what, peer = f"saliency, {TOKENS} tokens", "Captum's `Saliency`"
    yield Row(what, "ms", in_ms(method), peer, in_ms(theirs))
    yield Row(what, "ms", in_ms(method), "bare `torch.autograd.grad`", in_ms(floor))
    yield Row(f"`explain`, {TOKENS} tokens, from text to result", "ms", in_ms(whole), peer, in_ms(theirs))


BENCHMARK = Benchmark("saliency", "What does saliency cost on a review of 400 tokens?", measure)
