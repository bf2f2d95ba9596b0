"""A bidirectional recurrent network whose annotations are pooled by attention, for text classification.

Yang, Yang, Dyer, He, Smola and Hovy (2016), *Hierarchical Attention Networks for Document Classification*, its lower
level over the words of the whole text; Tixier (2018), *Notes on Deep Learning for NLP*, section 7.2, equation 23, over
the units of section 6. Equation 23 has no bias in the dense layer; here it has one, as in Yang et al.'s equation 5.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from nlpviz.networks.architectures import Architecture, ParameterTerm
from nlpviz.networks.layers import Attention, BothWays, WordClassifier, weighted_sum


@dataclass(frozen=True)
class AttentiveRNNConfig:
    """Sizes of an :class:`AttentiveRNN`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        cell: ``"gru"`` or ``"lstm"``.
        units: of the state of one direction.
        attention: length of what is compared with the context vector.
        dropout: on the document embedding.
        word_dropout: probability that a whole word's vector is left out, in training only.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    cell: str = "gru"
    units: int = 64
    attention: int = 64
    dropout: float = 0.5
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2


class AttentiveRNN(WordClassifier):
    """Recurrent annotations of the words in both directions, their attention-weighted sum, one linear layer."""

    config: AttentiveRNNConfig

    def __init__(self, config: AttentiveRNNConfig) -> None:
        """Build the network with random weights."""
        super().__init__(config)
        self.recurrent = BothWays(config.cell, config.dimensions, config.units)
        self.attention = Attention(2 * config.units, config.attention)
        self.end_with(2 * config.units)

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings s, the weighted sums of the annotations, shape (B, 2 * units)."""
        annotations = self.annotate(embedded, mask)
        # s of Tixier 2018, equation 23.
        return weighted_sum(self.attention(annotations, mask), annotations)

    def annotate(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the annotations h_t, both directions' states, shape (B, T, 2 * units)."""
        return self.recurrent(embedded, mask.sum(dim=1))

    def attend(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the weight of each word in the document embedding, shape (B, T)."""
        return self.attention(self.annotate(embedded, mask), mask)

    def classify_attending(self, embedded: Tensor, mask: Tensor, weights: Tensor) -> Tensor:
        """Return the logits (B, C) with ``weights`` (B, T) in place of the model's attention weights."""
        return self.output(weighted_sum(weights, self.annotate(embedded, mask)))

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        terms = [] if self.config.static else [ParameterTerm("word embeddings", *self.term_of_vectors())]
        return (
            *terms,
            ParameterTerm(f"bidirectional {self.config.cell.upper()}", *self.recurrent.term()),
            ParameterTerm("attention", *self.attention.term()),
            ParameterTerm("output layer", *self.term_of_output()),
        )


MODEL = Architecture(
    name="attentive-rnn",
    title="Recurrent network with attention",
    source="Yang et al. 2016; Tixier 2018, sections 6 and 7.2",
    config=AttentiveRNNConfig,
    build=AttentiveRNN,
)
