"""SmoothGrad: the mean gradient over copies of the text with noise added to the word vectors.

Smilkov, Thorat, Kim, Viégas and Wattenberg (2017), *SmoothGrad: removing noise by adding noise*. The noise is normal,
with a standard deviation of a share of the range of the text's word vectors, as theirs of the range of an image's
pixels. Signs are kept while the mean is taken, and a word's mean gradient is summed up by its Euclidean norm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method, gradient

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore

SAMPLES = 50
"""Noisy copies: beyond so many they saw little gain (section 3.2)."""
NOISE = 0.1
"""Standard deviation of the noise, as a share of the range; theirs is 0.1 to 0.2."""
SEED = 0
_AT_ONCE = 10  # copies that are differentiated at once: each keeps a graph


def attribute(score: ClassScore, embedded: Tensor) -> Attributed:
    """Return the norm of the mean gradient at each word, in log-odds for each unit that the vector moves."""
    import torch

    words = embedded.detach()
    if not words.numel():
        return Attributed(scores=words.new_zeros(words.shape[1]), matrix=words[0])
    spread, draw = NOISE * (words.max() - words.min()), torch.Generator().manual_seed(SEED)
    total = torch.zeros_like(words)
    for first in range(0, SAMPLES, _AT_ONCE):
        copies = (min(_AT_ONCE, SAMPLES - first), *words.shape[1:])
        noisy = torch.randn(copies, generator=draw, dtype=words.dtype).mul_(spread).add_(words)
        total += gradient(score, noisy).sum(dim=0)
    mean = total[0] / SAMPLES  # (T, D)
    return Attributed(scores=mean.norm(dim=1), matrix=mean)


METHOD = Method(
    name="smoothgrad",
    title="SmoothGrad",
    source="Smilkov et al. 2017",
    formula=r"\left\lVert \frac{1}{n} \sum_{i=1}^{n} \frac{\partial\,\text{score}(\text{text} + \varepsilon_i)}"
    r"{\partial a} \right\rVert_2, \qquad \varepsilon_i \sim \mathcal{N}(0, \sigma^2)",
    reading=(
        "The longer the bar, the more the score changes per unit of change in the word’s vector. The gradient is "
        f"averaged over {SAMPLES} copies of the text with Gaussian noise added to all word vectors (seed {SEED}). The "
        f"standard deviation of the noise is {NOISE:.0%} of the range of their components. If the gradient changes "
        "direction with every small perturbation, the mean is small. Saliency has no sign."
    ),
    unit="log-odds per unit of the word’s vector",
    signed=False,
    attribute=attribute,
)
