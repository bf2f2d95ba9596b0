r"""PV-DBOW, the distributed bag of words: a text's vector predicts the words of the text, whatever their order.

Le and Mikolov (2014), *Distributed Representations of Sentences and Documents*, section 2.3, with negative sampling
(Mikolov, Sutskever et al. 2013) in place of a hierarchical softmax. All words of a row share their noise words, so that
a row needs one product with each of them, not one a word (Ji et al. 2016).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.paragraph_networks import (
    LookedUp,
    ParagraphNetwork,
    ParagraphStep,
    ScoredWords,
    SparseRows,
    squares,
)


@dataclass(frozen=True)
class DbowConfig:
    """Sizes of a :class:`Dbow`, and how it finds the vector of a new text.

    Attributes:
        vocabulary_size: ids, those of padding and of the unknown word among them.
        dimensions: of a vector.
        classes: that the regression tells apart; 2 have one log-odds.
        negative: noise words that a prediction counts for.
        steps: of the descent to a new text's vector.
        rate: of its first step.
        drawn: noise words of each step.
    """

    vocabulary_size: int
    dimensions: int = 100
    classes: int = 2
    negative: int = 5
    steps: int = 15
    rate: float = 0.1
    drawn: int = 128


class Dbow(ParagraphNetwork):
    """One output vector a word."""

    def look_up(self, words: Tensor, weights: Tensor) -> LookedUp:
        """Return rows of ``words`` (C, S) with their output vectors."""
        return LookedUp(words, weights, functional.embedding(words, self.output))

    def step(self, documents: Tensor, passage: LookedUp, noise: Tensor) -> ParagraphStep:
        r"""Return the gradients of one step.

        For a text with the vector :math:`d`, a word :math:`w` of it and the noise words :math:`n`::

            -log sigmoid(d . out_w) - sum_n log sigmoid(-d . out_n)
        """
        against = functional.embedding(noise, self.output)  # (G, K, E)
        (groups, count), size = noise.shape, documents.shape[1]
        grouped = documents.view(groups, -1, size)  # (G, C / G, E)
        true = torch.bmm(passage.predicted, documents.unsqueeze(2)).squeeze(2)  # (C, S)
        false = torch.bmm(grouped, against.transpose(1, 2)).view(-1, count)  # (C, K)
        each = passage.weights.sum(dim=1, keepdim=True) * (self.config.negative / count)  # (C, 1)
        told = ScoredWords(true, false, passage.weights, each)
        of_true, of_false = told.slopes()
        pushed = of_false.view(groups, -1, count)
        gradient = torch.bmm(of_true.unsqueeze(1), passage.predicted).squeeze(1)
        gradient = gradient + torch.bmm(pushed, against).view(-1, size)

        def curvatures() -> Tensor:
            bent_true, bent_false = told.bends()
            of_noise = torch.bmm(bent_false.view(groups, -1, count), squares(against).unsqueeze(2))
            return (bent_true * squares(passage.predicted)).sum(dim=1) + of_noise.flatten()

        def tables() -> dict[str, tuple[SparseRows, ...]]:
            (bent_true, bent_false), lengths = told.bends(), squares(documents).unsqueeze(1)  # (C, 1)
            of_words = (of_true.unsqueeze(2) * documents.unsqueeze(1)).view(-1, size)
            of_noise = torch.bmm(pushed.transpose(1, 2), grouped).view(-1, size)
            bent = (bent_false * lengths).view(groups, -1, count).sum(dim=1)  # (G, K)
            words = SparseRows(passage.words.flatten(), of_words, (bent_true * lengths).flatten())
            return {"output": (words, SparseRows(noise.flatten(), of_noise, bent.flatten()))}

        return ParagraphStep(gradient, curvatures, tables, told.loss)


MODEL = Architecture(
    name="pv-dbow",
    title="PV-DBOW",
    source="Le and Mikolov 2014",
    config=DbowConfig,
    build=Dbow,
)
