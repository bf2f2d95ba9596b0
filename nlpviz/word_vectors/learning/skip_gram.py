"""Skip-gram with negative sampling: a word predicts each word of its window.

Mikolov, Chen, Corrado and Dean (2013), *Efficient Estimation of Word Representations in Vector Space*, and, for the
negative samples, Mikolov, Sutskever et al. (2013). The gradients are written out: they are three matrix products.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional

from nlpviz.word_vectors.learning import Fit, FittedEpoch, Tables, WordModel
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling, SparseGradient, Step, Windows, fit


def step(tables: Tables, windows: Windows) -> Step:
    r"""Return loss and gradients of one step.

    For a centre word :math:`w` with the context word :math:`c` in its window and the negative words :math:`n`::

        -log sigmoid(in_w . out_c) - sum_n log sigmoid(-in_w . out_n)

    whose gradient for each product is sigmoid - 1 or sigmoid.
    """
    assert tables.output is not None
    centres = functional.embedding(windows.centres, tables.input)  # (B, S, D)
    context = functional.embedding(windows.context, tables.output)  # (B, S + 2W, D)
    noise = functional.embedding(windows.noise, tables.output)  # (B, K, D)
    true = torch.bmm(centres, context.transpose(1, 2))  # (B, S, S + 2W)
    false = torch.bmm(centres, noise.transpose(1, 2))  # (B, S, K)
    predicted = windows.near.sum(dim=2, keepdim=True)  # (B, S, 1)
    # Shared negative words stand for `negative` words per prediction: each counts proportionally.
    weights = predicted * windows.weight
    # ∂loss / ∂product: σ − 1 for a word of the window, σ for a negative word.
    of_true = torch.sigmoid(true).sub_(1).mul_(windows.near)
    of_false = torch.sigmoid(false).mul_(weights)

    def loss() -> Tensor:
        return (functional.softplus(-true) * windows.near).sum() + (functional.softplus(false) * weights).sum()

    return Step(
        loss=loss,
        predictions=predicted.sum(),
        input=(SparseGradient(windows.centres, torch.baddbmm(torch.bmm(of_true, context), of_false, noise)),),
        output=(
            SparseGradient(windows.context, torch.bmm(of_true.transpose(1, 2), centres)),
            SparseGradient(windows.noise, torch.bmm(of_false.transpose(1, 2), centres)),
        ),
    )


def _fit(fitted: Fit, settings: NegativeSampling) -> Iterator[FittedEpoch]:
    return fit(fitted, settings, step)


WORD_MODEL = WordModel(
    name="skip-gram",
    title="Skip-gram",
    source="Mikolov, Sutskever, Chen, Corrado and Dean 2013",
    formula=(
        r"-\log \sigma(\mathbf{v}_w \cdot \mathbf{v}'_c)"
        r" - \sum_{i=1}^{k} \mathbb{E}_{n_i \sim P^{3/4}} \log \sigma(-\mathbf{v}_w \cdot \mathbf{v}'_{n_i})"
    ),
    reading="Training pulls a word’s input vector towards the output vectors of its context words and away from those "
    "of random words.",
    settings=NegativeSampling,
    fit=_fit,
)
