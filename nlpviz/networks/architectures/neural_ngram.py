"""A neural n-gram model: the words before the next one, side by side, through one layer of units.

Bengio, Ducharme, Vincent and Jauvin (2003), *A Neural Probabilistic Language Model*, equation 1; 003, "Neural language
models". Unlike there, what the units say is brought to the length of a word vector and compared with the vectors that
the words are read by (Press and Wolf 2017): a second table would be as large as the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.language_networks import LanguageConfig, LanguageNetwork, ReaderState
from nlpviz.networks.layers import Dropout, ParameterCount
from nlpviz.networks.sequences import Unrolled

_WORDS = "words"


@dataclass(frozen=True)
class NeuralNgramConfig(LanguageConfig):
    """Sizes of a :class:`NeuralNgram`.

    Attributes:
        vocabulary_size: V, the ids of padding and of the unknown word among them.
        dimensions: D, the length of a word vector.
        order: n: the next word is predicted from the n - 1 words before it; 2 at least.
        units: H, of the hidden layer.
        direct: whether the words before reach the output past the hidden layer as well.
        cutoffs: the ids at which a band of rarer words begins, which have shorter vectors.
        predicts_unknown: whether the unknown word is one of those that are predicted.
        input_dropout: on the word vectors, one mask for a text.
        dropout: on the hidden units.
        output_dropout: on what words are predicted from, one mask for a text.
    """

    vocabulary_size: int
    dimensions: int = 256
    order: int = 5
    units: int = 256
    direct: bool = False
    cutoffs: tuple[int, ...] = ()
    predicts_unknown: bool = True
    input_dropout: float = 0.1
    dropout: float = 0.3
    output_dropout: float = 0.0

    def __post_init__(self) -> None:
        """Refuse an order without a word before the next one, and take cutoffs as a manifest holds them."""
        if self.order < 2:
            raise ValueError(f"the order must be at least 2, not {self.order}")
        super().__post_init__()


class NeuralNgram(LanguageNetwork):
    """tanh(d + H x) over the vectors x of the last n - 1 words, zero before a text's beginning."""

    config: NeuralNgramConfig
    counted_as = "hidden layer"
    formula = (
        r"x_t = (C(w_t), C(w_{t-1}), \ldots, C(w_{t-n+2}))",
        r"h_t = \tanh(d + H x_t)",
        r"y_t = b + C\,(U h_t + W x_t)",
    )

    def __init__(self, config: NeuralNgramConfig) -> None:
        """Build the network with random weights."""
        super().__init__(config)
        if not config.direct:
            self.formula = (*self.formula[:-1], r"y_t = b + C\,U h_t")
        before = (config.order - 1) * config.dimensions
        self.hidden = nn.Linear(before, config.units)
        self.project = nn.Linear(config.units, config.dimensions, bias=False)
        self.direct = nn.Linear(before, config.dimensions, bias=False) if config.direct else None
        self.dropout = Dropout(config.dropout)

    def start(self, rows: int) -> ReaderState:
        """Return the vectors of no words: zeros."""
        return {_WORDS: self.bias.new_zeros(rows, self.config.order - 2, self.config.dimensions)}

    def read_on(self, embedded: Tensor, state: ReaderState) -> tuple[Tensor, ReaderState]:
        """Return the output vectors after each word (B, T, D), from which the next is predicted, and the last state."""
        words = torch.cat([state[_WORDS], self.input_dropout(embedded)], dim=1)
        # x of equation 1.
        beside = self._side_by_side(words)
        said = self.project(self.dropout(torch.tanh(self.hidden(beside))))
        if self.direct is not None:
            said = said + self.direct(beside)
        # The next window needs only these n - 2 words; no gradient flows beyond them.
        kept = words[:, words.shape[1] - (self.config.order - 2) :].detach()
        return self.output_dropout(said), {_WORDS: kept}

    def shown(self, states: Tensor) -> Tensor:
        """Return what words are predicted from, (..., D), of hidden units (..., H), without direct connections."""
        said: Tensor = self.project(states)
        return said

    def _side_by_side(self, words: Tensor) -> Tensor:
        """Return the last n - 1 words at each of T places (B, T, (n - 1) D), the last one first.

        ``words`` (B, n - 2 + T, D) begin with those before the first place.
        """
        count, first = words.shape[1] - (self.config.order - 2), self.config.order - 2
        return torch.cat(
            [words[:, first - back : first - back + count] for back in range(self.config.order - 1)], dim=2
        )

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:  # noqa: ARG002
        """Return the hidden units after each word, (B, T, 1, H); it has no gates."""
        with torch.no_grad():
            words = torch.cat([self.start(len(embedded))[_WORDS], embedded], dim=1)
            return Unrolled(torch.tanh(self.hidden(self._side_by_side(words))).unsqueeze(2), {})

    def encoder_term(self) -> ParameterCount:
        """Return the number of parameters between the word vectors."""
        layers = [self.hidden, self.project, *([] if self.direct is None else [self.direct])]
        d, h, n = self.config.dimensions, self.config.units, self.config.order
        formula = f"{n - 1} × {d} × {h} + {h} + {h} × {d}" + (f" + {n - 1} × {d} × {d}" if self.direct else "")
        return ParameterCount(formula, sum(weight.numel() for layer in layers for weight in layer.parameters()))


MODEL = Architecture(
    name="neural-ngram",
    title="Neural n-gram model",
    source="Bengio et al. 2003",
    config=NeuralNgramConfig,
    build=NeuralNgram,
)
