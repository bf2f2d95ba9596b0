r"""PV-DM, the distributed memory: a text's vector and the words around a place predict the word at that place.

Le and Mikolov (2014), *Distributed Representations of Sentences and Documents*, section 2.2, with the mean of the
vectors (their concatenation is the paper's other choice) and negative sampling (Mikolov, Sutskever et al. 2013). A
window ends where a row ends: training cuts a text into rows, inference reads it as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
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
class DmConfig:
    """Sizes of a :class:`Dm`, and how it finds the vector of a new text.

    Attributes:
        vocabulary_size: ids, those of padding and of the unknown word among them.
        dimensions: of a vector.
        window: words to either side of the one that is predicted.
        classes: that the regression tells apart; 2 have one log-odds.
        negative: noise words that a prediction counts for.
        steps: of the descent to a new text's vector.
        rate: of its first step.
        drawn: noise words of each step.
    """

    vocabulary_size: int
    dimensions: int = 100
    window: int = 5
    classes: int = 2
    negative: int = 5
    steps: int = 15
    rate: float = 0.1
    drawn: int = 64


class Dm(ParagraphNetwork):
    """An input and an output vector a word."""

    config: DmConfig

    def __init__(self, config: DmConfig) -> None:
        """Begin with small random vectors."""
        super().__init__(config)
        self.input = nn.Parameter((torch.rand(self.output.shape) - 0.5) / config.dimensions)

    def look_up(self, words: Tensor, weights: Tensor) -> LookedUp:
        """Return rows of ``words`` (C, S) with their output vectors and the input vectors around each."""
        places = torch.arange(words.shape[1], device=words.device)
        apart = (places[:, None] - places[None, :]).abs()
        band = ((apart > 0) & (apart <= self.config.window)).to(self.input.dtype)  # (S, S)
        near = band * (weights > 0).unsqueeze(1)  # (C, S, S), from each word to those in its window
        around = torch.bmm(near, functional.embedding(words, self.input))  # (C, S, E)
        predicted = functional.embedding(words, self.output)
        return LookedUp(words, weights, predicted, near, around, near.sum(dim=2, keepdim=True) + 1)

    def step(self, documents: Tensor, passage: LookedUp, noise: Tensor) -> ParagraphStep:
        r"""Return the gradients of one step.

        For a word :math:`w` and the mean :math:`h` of its text's vector and of the input vectors around it::

            -log sigmoid(h . out_w) - sum_n log sigmoid(-h . out_n)
        """
        assert passage.near is not None
        assert passage.around is not None
        assert passage.sizes is not None
        against = functional.embedding(noise, self.output)  # (G, K, E)
        (groups, count), (rows, length, size) = noise.shape, passage.predicted.shape
        # The document vector is one more word of the window: hence + 1 in the sizes.
        mean = (documents.unsqueeze(1) + passage.around) / passage.sizes  # (C, S, E)
        grouped = mean.view(groups, -1, size)  # (G, C S / G, E)
        true = (mean * passage.predicted).sum(dim=2)  # (C, S)
        false = torch.bmm(grouped, against.transpose(1, 2)).view(rows, length, count)
        each = (passage.weights * (self.config.negative / count)).unsqueeze(2)  # (C, S, 1)
        told = ScoredWords(true, false, passage.weights, each)
        of_true, of_false = told.slopes()
        pushed = of_false.view(groups, -1, count)
        of_mean = torch.bmm(pushed, against).view(rows, length, size)
        of_mean = (of_mean + of_true.unsqueeze(2) * passage.predicted) / passage.sizes  # (C, S, E)

        def bent() -> Tensor:
            """Return a bound of the curvature by what each mean is made of, (C, S, 1)."""
            bent_true, bent_false = told.bends()
            of_noise = torch.bmm(bent_false.view(groups, -1, count), squares(against).unsqueeze(2))
            both = (bent_true * squares(passage.predicted)).unsqueeze(2) + of_noise.view(rows, length, 1)
            return both / passage.sizes.square()  # type: ignore[union-attr]

        def tables() -> dict[str, tuple[SparseRows, ...]]:
            context, (bent_true, bent_false) = passage.near.transpose(1, 2), told.bends()  # type: ignore[union-attr]
            lengths, words = squares(mean), passage.words.flatten()  # (C, S)
            of_noise = torch.bmm(pushed.transpose(1, 2), grouped).view(-1, size)
            of_each = (bent_false * lengths.unsqueeze(2)).view(groups, -1, count).sum(dim=1)  # (G, K)
            of_words = (of_true.unsqueeze(2) * mean).view(-1, size)
            output = SparseRows(words, of_words, (bent_true * lengths).flatten())
            inputs = torch.bmm(context, of_mean).view(-1, size), torch.bmm(context, bent()).flatten()
            return {
                "output": (output, SparseRows(noise.flatten(), of_noise, of_each.flatten())),
                "input": (SparseRows(words, *inputs),),
            }

        return ParagraphStep(of_mean.sum(dim=1), lambda: bent().sum(dim=(1, 2)), tables, told.loss)


MODEL = Architecture(
    name="pv-dm",
    title="PV-DM",
    source="Le and Mikolov 2014",
    config=DmConfig,
    build=Dm,
)
