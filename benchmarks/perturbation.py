"""What do SmoothGrad, occlusion, LIME and sampled Shapley values cost on a review of 400 tokens, beside Captum?

As in ``saliency.py``: the same class score of the same weights, Captum on the plain network, one thread. Each method
and its peer read the network as often: as many noisy copies, samples and orders. By default Captum reads one text after
the other but for SmoothGrad, whose copies it reads at once; it is measured with twenty at once as well. The bars are
shares of the peer's time in the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

import torch
from captum._utils.models.linear_model import SkLearnRidge  # type: ignore[import-untyped]
from captum.attr import (  # type: ignore[import-untyped]
    Lime,
    NoiseTunnel,
    Occlusion,
    Saliency,
    ShapleyValueSampling,
)
from captum.attr._core.lime import get_exp_kernel_similarity_function  # type: ignore[import-untyped]

from benchmarks import Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.saliency import TARGET, TOKENS, Setting, one_thread, random_review
from nlpviz.analysis.attribution import lime, methods, shapley, smoothgrad
from nlpviz.analysis.attribution.class_score import class_score

ROUNDS = 3
AT_ONCE = 20
BATCHED, SLOWER = 0.7, 1.0  # of the peer's time, at most


def measure() -> Iterator[Row]:
    """Yield the time of each method beside its peer, which reads one text at a time and then many at once."""
    setting = random_review()
    with one_thread():
        for name, what, peer, bar, theirs in _peers(setting):
            ours, one, many = alternate(
                ROUNDS, lambda name=name: _ours(setting, name), theirs, partial(theirs, perturbations_per_eval=AT_ONCE)
            )
            said = f"{what}, {TOKENS} tokens"
            yield Row(said, "ms", in_ms(ours), f"Captum's `{peer}`", in_ms(one), bar * median(in_ms(one)))
            yield Row(said, "ms", in_ms(ours), f"Captum's `{peer}`, {AT_ONCE} at once", in_ms(many))
        ours, theirs = alternate(ROUNDS, lambda: _ours(setting, "smoothgrad"), lambda: _noisy(setting))
        said = f"SmoothGrad, {smoothgrad.SAMPLES} copies, {TOKENS} tokens"
        peer = "Captum's `NoiseTunnel` of `Saliency`, all copies at once"
        yield Row(said, "ms", in_ms(ours), peer, in_ms(theirs), BATCHED * median(in_ms(theirs)))


def _ours(setting: Setting, method: str) -> torch.Tensor:
    """Return what a method says of the embedded words, from their ids on."""
    score = class_score(setting.trained.module, setting.ids, TARGET)  # type: ignore[arg-type]
    return methods()[method].attribute(score, score.embedded).scores


def _peers(setting: Setting) -> Iterator[tuple[str, str, str, float, Callable[..., object]]]:
    """Yield our method's name, what is measured, its peer's name, the bar, and the peer."""
    words, orders = setting.embedded, shapley.orders_of(TOKENS)
    features = {"target": TARGET, "feature_mask": torch.arange(TOKENS).view(1, -1, 1)}
    covering = partial(Occlusion(setting.plain).attribute, words, (1, words.shape[2]), target=TARGET)
    yield "occlusion", "occlusion", "Occlusion", BATCHED, covering
    linear = Lime(
        setting.plain, SkLearnRidge(alpha=lime.RIDGE), get_exp_kernel_similarity_function("cosine", lime.WIDTH)
    )
    fitting = partial(linear.attribute, words, n_samples=lime.samples_of(TOKENS), **features)
    yield "lime", f"LIME, {lime.samples_of(TOKENS):,} samples", "Lime` with `SkLearnRidge", SLOWER, fitting
    sampling = partial(ShapleyValueSampling(setting.plain).attribute, words, n_samples=orders, **features)
    yield "shapley", f"Shapley values, {orders} orders", "ShapleyValueSampling", BATCHED, sampling


def _noisy(setting: Setting) -> object:
    words = setting.leaf()
    spread = smoothgrad.NOISE * float(words.detach().max() - words.detach().min())
    tunnel = NoiseTunnel(Saliency(setting.plain))
    return tunnel.attribute(words, nt_samples=smoothgrad.SAMPLES, stdevs=spread, abs=False, target=TARGET)


BENCHMARK = Benchmark(
    "perturbation",
    "How long do SmoothGrad, occlusion, LIME and Shapley values take on a review of 400 tokens?",
    measure,
    "attribution",
)
