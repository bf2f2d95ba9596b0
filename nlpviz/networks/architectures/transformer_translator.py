"""A small Transformer encoder-decoder.

Vaswani et al. (2017), *Attention Is All You Need*, section 3, with sinusoidal positions; layers are normalised before
their sublayers, not after (Xiong et al. 2020). The sizes are about those that Wu et al. (2021), *Good for Misconceived
Reasons*, found to suit Multi30k. What is called the alignment is the attention of the last layer but one to the source,
its mean over the heads (Garg et al. 2019, *Jointly Learning to Align and Translate*, section 4.1). The output layer
reads the target's word vectors (Press and Wolf 2017).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture, Decoded, DecoderState, ParameterTerm
from nlpviz.networks.layers import sinusoids, tied_logits
from nlpviz.text.vocabulary import PAD


@dataclass(frozen=True)
class TransformerTranslatorConfig:
    """Sizes of a :class:`TransformerTranslator`.

    Attributes:
        source_size: ids of the source vocabulary.
        target_size: ids of the target vocabulary.
        dimensions: d_model, a multiple of twice ``heads``; of word vectors too.
        layers: of encoder and decoder each.
        heads: of each attention.
        feed_forward: d_ff, units between the two linear maps of a layer.
        dropout: on word vectors and on what each sublayer adds.
        shared: whether one table holds the word vectors of source, target and output (section 3.4): the two languages
            then have one vocabulary.
    """

    source_size: int
    target_size: int
    dimensions: int = 128
    layers: int = 3
    heads: int = 4
    feed_forward: int = 256
    dropout: float = 0.3
    shared: bool = False

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit."""
        if self.dimensions % (2 * self.heads):
            raise ValueError(f"{self.dimensions} dimensions cannot be divided among {self.heads} heads")
        if self.shared and self.source_size != self.target_size:
            raise ValueError(
                f"vocabularies of {self.source_size} source and {self.target_size} target words cannot share vectors"
            )


class _Attention(nn.Module):
    """Scaled dot-product attention with several heads (equation 1 and section 3.2.2)."""

    def __init__(self, config: TransformerTranslatorConfig) -> None:
        super().__init__()
        d, self.heads = config.dimensions, config.heads
        self.queries, self.keys_values, self.output = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)

    def forward(self, words: Tensor, keys_values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the output (B, T, D) of attention over keys and values (B, S, 2 D), and the weights (B, heads, T, S).

        ``mask``, which can be broadcast to the weights, is false where a word must not look.
        """
        queries, (keys, values) = self._parted(self.queries(words)), map(self._parted, keys_values.chunk(2, dim=2))
        # Equation 1, all heads at once.
        scores = queries @ keys.transpose(2, 3) / math.sqrt(queries.shape[3])
        weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=3)
        return self.output((weights @ values).transpose(1, 2).flatten(2)), weights

    def _parted(self, vectors: Tensor) -> Tensor:
        """Return (B, heads, T, D / heads) of vectors (B, T, D)."""
        return vectors.view(*vectors.shape[:2], self.heads, -1).transpose(1, 2)


class _Layer(nn.Module):
    """Self-attention, attention to the source in a decoder, and a feed-forward network, each normalised before."""

    def __init__(self, config: TransformerTranslatorConfig, *, decodes: bool) -> None:
        super().__init__()
        d = config.dimensions
        self.attention, self.norm = _Attention(config), nn.LayerNorm(d)
        self.source_attention = _Attention(config) if decodes else None
        self.source_norm = nn.LayerNorm(d) if decodes else None
        self.feed_forward = nn.Sequential(
            nn.Linear(d, config.feed_forward), nn.ReLU(), nn.Linear(config.feed_forward, d)
        )
        self.feed_forward_norm = nn.LayerNorm(d)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, words: Tensor, past: Tensor, mask: Tensor, memory: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the words (B, T, D), the keys and values of all so far, and the weights of the last attention.

        Args:
            words: what the layer reads.
            past: keys and values (B, P, 2 D) of the words before.
            mask: where a word may look, of P + T places.
            memory: of a decoder: keys and values of the source (B, S, 2 D), and its mask (B, 1, 1, S).
        """
        normed = self.norm(words)
        keys_values = torch.cat([past, self.attention.keys_values(normed)], dim=1)
        taken, weights = self.attention(normed, keys_values, mask)
        words = words + self.dropout(taken)
        if self.source_attention is not None and self.source_norm is not None and memory is not None:
            taken, weights = self.source_attention(self.source_norm(words), *memory)
            words = words + self.dropout(taken)
        return words + self.dropout(self.feed_forward(self.feed_forward_norm(words))), keys_values, weights


class TransformerTranslator(nn.Module):
    """Encoder and decoder of equal depth."""

    def __init__(self, config: TransformerTranslatorConfig) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.config, d = config, config.dimensions
        self.source_embedding = None if config.shared else nn.Embedding(config.source_size, d, padding_idx=PAD)
        self.embedding = nn.Embedding(config.target_size, d, padding_idx=PAD)
        for table in (self.source_embedding, self.embedding):
            if table is not None:
                nn.init.normal_(table.weight, std=d**-0.5)
                table.weight.data[PAD] = 0
        self.encoder = nn.ModuleList(_Layer(config, decodes=False) for _ in range(config.layers))
        self.decoder = nn.ModuleList(_Layer(config, decodes=True) for _ in range(config.layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d), nn.LayerNorm(d)
        self.bias = nn.Parameter(torch.zeros(config.target_size))
        self.dropout = nn.Dropout(config.dropout)

    def start(self, source: Tensor) -> DecoderState:
        """Return the state from which the decoder writes the first word after reading ``source`` (B, S)."""
        mask = source != PAD
        annotations = self._encode(source, mask)
        nothing = annotations[:, :0].repeat(1, 1, 2)  # (B, 0, 2 D)
        state = {"mask": mask}
        for position, layer in enumerate(self._layers(self.decoder)):
            state[f"past.{position}"] = nothing
            state[f"memory.{position}"] = cast("_Attention", layer.source_attention).keys_values(annotations)
        return state

    def decode(self, words: Tensor, state: DecoderState) -> tuple[Decoded, DecoderState]:
        """Return the decoder's output after each of ``words`` (B, T), and the state after the last one."""
        before, count = state["past.0"].shape[1], words.shape[1]
        vectors = self._placed(self.embedding(words), before)
        # Row t sees the words kept in the state, the words before it and itself.
        causal = torch.ones(count, before + count, dtype=torch.bool, device=words.device).tril(before)
        mask, alignments, after = state["mask"][:, None, None, :], [], dict(state)
        for position, layer in enumerate(self._layers(self.decoder)):
            memory = state[f"memory.{position}"], mask
            vectors, after[f"past.{position}"], weights = layer(vectors, state[f"past.{position}"], causal, memory)
            alignments.append(weights)
        # The last layer but one aligns best (Garg et al. 2019, section 4.1).
        aligned = alignments[max(len(alignments) - 2, 0)].mean(dim=1)  # (B, T, S)
        return Decoded(self.decoder_norm(vectors), aligned, None), after

    def predict(self, states: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return logits (..., V) of the next word, or (..., K) of ``candidates`` (K,)."""
        return tied_logits(states, self.embedding.weight, self.bias, candidates)

    def encode_source(self, source: Tensor) -> Tensor:
        """Return the mean of the encoder's annotations of each sentence, (B, D)."""
        mask = source != PAD
        return (self._encode(source, mask) * mask.unsqueeze(2)).sum(dim=1) / mask.sum(dim=1, keepdim=True)

    def _encode(self, source: Tensor, mask: Tensor) -> Tensor:
        """Return the annotations (B, S, D)."""
        table = self.embedding if self.source_embedding is None else self.source_embedding
        words = self._placed(table(source), 0)
        for layer in self._layers(self.encoder):
            words, _, _ = layer(words, words[:, :0].repeat(1, 1, 2), mask[:, None, None, :])
        return self.encoder_norm(words)

    def _placed(self, vectors: Tensor, first: int) -> Tensor:
        """Return word vectors (B, T, D) with the positions from ``first`` on added (section 3.5)."""
        length, d = vectors.shape[1:]
        return self.dropout(vectors * math.sqrt(d) + sinusoids(length, d, first).to(vectors))

    @staticmethod
    def _layers(stack: nn.ModuleList) -> list[_Layer]:
        return cast("list[_Layer]", list(stack))

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        config = self.config
        d, n, f = config.dimensions, config.layers, config.feed_forward
        tables = {"target word vectors": config.target_size}
        tables = (
            {"shared word vectors": config.target_size}
            if config.shared
            else {"source word vectors": config.source_size, **tables}
        )
        return (
            *(ParameterTerm(name, f"{words:,} × {d}", words * d) for name, words in tables.items()),
            ParameterTerm("attention", f"3 × {n} × 4 × ({d} × {d} + {d})", 12 * n * (d * d + d)),
            ParameterTerm("feed-forward", f"2 × {n} × (2 × {d} × {f} + {f} + {d})", 2 * n * (2 * d * f + f + d)),
            ParameterTerm("normalisation", f"(5 × {n} + 2) × 2 × {d}", (5 * n + 2) * 2 * d),
            ParameterTerm("output biases", f"{config.target_size:,}", config.target_size),
        )


TRANSLATOR = Architecture(
    name="transformer-translator",
    title="Transformer encoder-decoder",
    source="Vaswani et al. 2017",
    config=TransformerTranslatorConfig,
    build=TransformerTranslator,
)
