"""Positive pointwise mutual information of words and their neighbours, factorized by a truncated SVD.

Levy, Goldberg and Dagan (2015), *Improving Distributional Similarity with Lessons Learned from Word Embeddings*: the
context distribution smoothed by a power (section 3.2), the singular values weighted by a power (section 3.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from nlpviz.word_vectors.learning import Fit, FittedEpoch, Tables, WordModel
from nlpviz.word_vectors.learning.cooccurrence import cooccurrences

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class PPMISettings:
    """How the matrix is made and factorized.

    Attributes:
        dimensions: singular vectors kept.
        window: words to either side, each counting the same.
        smoothing: power of the context words' frequencies; 1 leaves them.
        shift: log of this is taken from every mutual information; 1 takes nothing.
        weighting: power of the singular values in the word vectors; 1 is the SVD's own.
        iterations: power iterations of the randomized SVD (Halko et al. 2011).
    """

    dimensions: int = 200
    window: int = 5
    smoothing: float = 0.75
    shift: float = 1.0
    weighting: float = 0.5
    iterations: int = 5


def ppmi(counts: csr_array, smoothing: float = 0.75, shift: float = 1.0) -> csr_array:
    """Return max(0, log(P(w, c) / (P(w) P_smoothed(c))) - log(shift)) for each pair that was counted, (N, N)."""
    made = counts.tocoo()
    of_words = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    of_contexts = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel() ** smoothing
    rows, columns = made.coords
    # P(w, c) / (P(w) P(c)); the total of the counts cancels.
    ratio = made.data * of_contexts.sum() / (of_words[rows] * of_contexts[columns])
    made.data = np.maximum(np.log(ratio) - np.log(shift), 0).astype(np.float32)
    kept = made.tocsr()
    kept.eliminate_zeros()
    return kept


def _fit(fitted: Fit, settings: PPMISettings) -> Iterator[FittedEpoch]:
    """Yield the one set of vectors that there is."""
    import torch
    from sklearn.utils.extmath import randomized_svd

    started = perf_counter()
    fitted.say("Counting co-occurrences")
    matrix = ppmi(cooccurrences(fitted.text, settings.window, harmonic=False), settings.smoothing, settings.shift)
    fitted.say(f"Factorizing {matrix.nnz:,} positive entries")
    left, values, _ = randomized_svd(matrix, settings.dimensions, n_iter=settings.iterations, random_state=fitted.seed)
    # U Σ^p (section 3.3).
    vectors = np.ascontiguousarray(left * values**settings.weighting, dtype=np.float32)
    yield FittedEpoch(1, Tables(torch.from_numpy(vectors), None), float("nan"), perf_counter() - started)


WORD_MODEL = WordModel(
    name="ppmi-svd",
    title="PPMI and SVD",
    source="Levy, Goldberg and Dagan 2015",
    formula=(
        r"\max\!\left(0, \log \frac{P(w, c)}{P(w)\,P_{3/4}(c)}\right) \approx"
        r" (\mathbf{U} \mathbf{\Sigma} \mathbf{V}^\top)_{wc},"
        r" \qquad \mathbf{v}_w = (\mathbf{U} \mathbf{\Sigma}^{1/2})_w"
    ),
    reading="How much more often two words co-occur than expected by chance, compressed by a truncated SVD.",
    settings=PPMISettings,
    fit=_fit,
)
