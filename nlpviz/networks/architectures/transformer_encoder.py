"""A small Transformer encoder whose words are averaged, for text classification.

Vaswani et al. (2017), *Attention Is All You Need*, sections 3.2 to 3.5; layers are normalised before attention and
feed-forward network, not after (Xiong et al. 2020, *On Layer Normalization in the Transformer Architecture*), so that
training needs no warm-up. The mean of the last layer's words is the document embedding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.networks.architectures import Architecture, ParameterTerm
from nlpviz.networks.layers import WordClassifier, masked_softmax, sinusoids, weighted_sum

LEARNED, SINUSOIDAL = "learned", "sinusoidal"


@dataclass(frozen=True)
class TransformerEncoderConfig:
    """Sizes of a :class:`TransformerEncoder`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        width: d_model, a multiple of ``attention_heads``.
        layers: how many times each word attends to all.
        attention_heads: of each layer.
        feed_forward: d_ff, units between the two linear maps of a layer.
        positions: ``"sinusoidal"`` or ``"learned"``.
        max_positions: words that learned positions reach to; a longer text is refused.
        dropout: on words with their positions, what attention and feed-forward network add, and the document embedding.
        word_dropout: probability that a whole word's vector is left out, in training only.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    width: int = 64
    layers: int = 2
    attention_heads: int = 4
    feed_forward: int = 128
    positions: str = SINUSOIDAL
    max_positions: int = 400
    dropout: float = 0.1
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit."""
        if self.width % self.attention_heads or self.width % 2:
            raise ValueError(f"the width must be even and divisible by {self.attention_heads} heads, not {self.width}")
        if self.positions not in (LEARNED, SINUSOIDAL):
            raise ValueError(f"positions must be {LEARNED} or {SINUSOIDAL}, not {self.positions!r}")


class TransformerEncoder(WordClassifier):
    """Word vectors and positions, layers of self-attention, the mean word, one linear layer."""

    config: TransformerEncoderConfig

    def __init__(self, config: TransformerEncoderConfig) -> None:
        """Build the network with random weights."""
        super().__init__(config)
        self.project = nn.Linear(config.dimensions, config.width)
        if config.positions == LEARNED:
            self.positions = nn.Parameter(torch.randn(config.max_positions, config.width) * 0.02)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.end_with(config.width)

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings, the means of the last layer's words, shape (B, width)."""
        words = self._words(embedded)
        for layer in self._layers:
            words = layer(words, mask)
        return self._mean(words, mask)

    def heads(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return what each query (row) attends to, shape (B, L, H, T, T)."""
        words, result = self._words(embedded), []
        for layer in self._layers:
            weights = layer.attention.weights(layer.attention_norm(words), mask)
            words = layer.attending(words, weights)
            result.append(weights)
        return torch.stack(result, dim=1)

    def classify_attending(self, embedded: Tensor, mask: Tensor, heads: Tensor) -> Tensor:
        """Return the logits (B, C) with ``heads`` (B, L, H, T, T) in place of the model's attention weights."""
        words = self._words(embedded)
        for layer, weights in zip(self._layers, heads.unbind(dim=1), strict=True):
            words = layer.attending(words, weights)
        return self.output(self._mean(words, mask))

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        config = self.config
        d, w, f, n = config.dimensions, config.width, config.feed_forward, config.layers
        terms = [] if config.static else [ParameterTerm("word embeddings", *self.term_of_vectors())]
        terms.append(ParameterTerm("projection", f"{d} × {w} + {w}", d * w + w))
        if config.positions == LEARNED:
            terms.append(ParameterTerm("positions", f"{config.max_positions} × {w}", config.max_positions * w))
        return (
            *terms,
            ParameterTerm("attention", f"{n} × 4 × ({w} × {w} + {w})", n * 4 * (w * w + w)),
            ParameterTerm("feed-forward", f"{n} × (2 × {w} × {f} + {f} + {w})", n * (2 * w * f + f + w)),
            ParameterTerm("normalisation", f"(2 × {n} + 1) × 2 × {w}", (2 * n + 1) * 2 * w),
            ParameterTerm("output layer", *self.term_of_output()),
        )

    @property
    def _layers(self) -> list[_Layer]:
        return cast("list[_Layer]", list(self.layers))

    def _words(self, embedded: Tensor) -> Tensor:
        """Return the words with their positions, shape (B, T, width); section 3.4 scales them by the width's root."""
        length, width = embedded.shape[1], self.config.width
        if self.config.positions == LEARNED:
            if length > self.config.max_positions:
                raise ValueError(
                    f"the text has {length} words, but the network has only {self.config.max_positions} positions"
                )
            positions = self.positions[:length]
        else:
            positions = sinusoids(length, width).to(embedded)
        return self.dropout(self.project(embedded) * math.sqrt(width) + positions)

    def _mean(self, words: Tensor, mask: Tensor) -> Tensor:
        """Return the mean of each text's words (B, width); zero for a text without words."""
        share = mask / mask.sum(dim=1, keepdim=True).clamp(min=1)
        return weighted_sum(share.to(words.dtype), self.norm(words))


class _Layer(nn.Module):
    """Self-attention and a feed-forward network for each word, both pre-normalised and with a residual connection."""

    def __init__(self, config: TransformerEncoderConfig) -> None:
        """Build the layer with random weights."""
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width)
        self.attention = _SelfAttention(config.width, config.attention_heads)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(config.width),
            nn.Linear(config.width, config.feed_forward),
            nn.ReLU(),
            nn.Linear(config.feed_forward, config.width),
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, words: Tensor, mask: Tensor) -> Tensor:
        """Return the layer's output (B, T, width) for ``words`` (B, T, width)."""
        return self._fed(words + self.dropout(self.attention(self.attention_norm(words), mask)))

    def attending(self, words: Tensor, weights: Tensor) -> Tensor:
        """Return the output with ``weights`` (B, H, T, T) in place of the layer's own."""
        return self._fed(words + self.dropout(self.attention.attending(self.attention_norm(words), weights)))

    def _fed(self, words: Tensor) -> Tensor:
        return words + self.dropout(self.feed_forward(words))


class _SelfAttention(nn.Module):
    """Scaled dot-product attention of every word to every word, in several heads (section 3.2)."""

    def __init__(self, width: int, heads: int) -> None:
        """Build the maps to queries, keys and values, all heads in one, and the one back."""
        super().__init__()
        self.heads = heads
        self.inward = nn.Linear(width, 3 * width)
        self.outward = nn.Linear(width, width)

    def forward(self, words: Tensor, mask: Tensor) -> Tensor:
        """Return the attention output of each word (B, T, width), without storing the weights."""
        queries, keys, values = self._split(words)
        seen = mask | ~mask.any(dim=1, keepdim=True)  # a text without words would divide by zero
        # Equation 1, by PyTorch’s fused kernel.
        taken = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=seen[:, None, None])
        return self._joined(taken)

    def weights(self, words: Tensor, mask: Tensor) -> Tensor:
        """Return softmax(Q K^T / sqrt(d_k)), shape (B, H, T, T): equation 1 without its values."""
        queries, keys, _ = self._split(words)
        scores = queries @ keys.transpose(-1, -2) / math.sqrt(keys.shape[-1])
        return masked_softmax(scores, mask[:, None, None])

    def attending(self, words: Tensor, weights: Tensor) -> Tensor:
        """Return the attention output of each word (B, T, width) with ``weights`` (B, H, T, T)."""
        return self._joined(weights @ self._split(words)[2])

    def _split(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values of each head, (B, H, T, d_k) each."""
        batch, length, width = words.shape
        parts = self.inward(words).view(batch, length, 3, self.heads, width // self.heads)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)
        return queries, keys, values

    def _joined(self, taken: Tensor) -> Tensor:
        """Return what the heads took, (B, H, T, d_k), as one answer (B, T, width)."""
        return self.outward(taken.transpose(1, 2).flatten(2))


MODEL = Architecture(
    name="transformer-encoder",
    title="Transformer encoder",
    source="Vaswani et al. 2017",
    config=TransformerEncoderConfig,
    build=TransformerEncoder,
)
