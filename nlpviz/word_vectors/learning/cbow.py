"""Continuous bag of words with negative sampling: the mean of a window predicts the word in its middle.

Mikolov, Chen, Corrado and Dean (2013), *Efficient Estimation of Word Representations in Vector Space*; negative
sampling as in Mikolov, Sutskever et al. (2013). The gradient of the mean is divided among the window's words, which
word2vec's program forgets (İrsoy, Benton and Stratos 2021, *Corrected CBOW Performs as well as Skip-gram*).
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

    For a word :math:`w` and the mean :math:`h` of its window's input vectors::

        -log sigmoid(h . out_w) - sum_n log sigmoid(-h . out_n)
    """
    assert tables.output is not None
    context = functional.embedding(windows.context, tables.input)  # (B, S + 2W, D)
    centres = functional.embedding(windows.centres, tables.output)  # (B, S, D)
    noise = functional.embedding(windows.noise, tables.output)  # (B, K, D)
    sizes = windows.near.sum(dim=2, keepdim=True)  # (B, S, 1)
    shares = (windows.near / sizes.clamp(min=1)).to(context.dtype)
    mean = torch.bmm(shares, context)  # (B, S, D)
    true = (mean * centres).sum(dim=2, keepdim=True)  # (B, S, 1)
    false = torch.bmm(mean, noise.transpose(1, 2))  # (B, S, K)
    predicted = sizes > 0
    weights = predicted * windows.weight
    of_true = torch.sigmoid(true).sub_(1).mul_(predicted)
    of_false = torch.sigmoid(false).mul_(weights)
    # The gradient of the mean, which the input table below divides among the window’s words.
    of_mean = torch.baddbmm(of_true * centres, of_false, noise)

    def loss() -> Tensor:
        return (functional.softplus(-true) * predicted).sum() + (functional.softplus(false) * weights).sum()

    return Step(
        loss=loss,
        predictions=predicted.sum(),
        input=(SparseGradient(windows.context, torch.bmm(shares.transpose(1, 2), of_mean)),),
        output=(
            SparseGradient(windows.centres, of_true * mean),
            SparseGradient(windows.noise, torch.bmm(of_false.transpose(1, 2), mean)),
        ),
    )


def _fit(fitted: Fit, settings: NegativeSampling) -> Iterator[FittedEpoch]:
    return fit(fitted, settings, step)


WORD_MODEL = WordModel(
    name="cbow",
    title="CBOW",
    source="Mikolov, Chen, Corrado and Dean 2013",
    formula=(
        r"-\log \sigma(\bar{\mathbf{v}} \cdot \mathbf{v}'_w)"
        r" - \sum_{i=1}^{k} \mathbb{E}_{n_i \sim P^{3/4}} \log \sigma(-\bar{\mathbf{v}} \cdot \mathbf{v}'_{n_i}),"
        r" \qquad \bar{\mathbf{v}} = \tfrac{1}{|C|} \textstyle\sum_{c \in C} \mathbf{v}_c"
    ),
    reading="Training pulls the mean of a window’s input vectors towards the output vector of its middle word.",
    settings=NegativeSampling,
    fit=_fit,
)
