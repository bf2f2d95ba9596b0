"""A small causal Transformer: each word attends to itself and to the words before it, and the next word is predicted.

Vaswani et al. (2017), *Attention Is All You Need*, the decoder without a source, as Radford et al. (2018) use it;
layers are normalised before their sublayers (Xiong et al. 2020). How far back a word lies lowers its score by a slope
of each head (Press, Smith and Lewis 2022, *Train Short, Test Long*), so that there are no positions to run out of. A
word looks back over a window at most: with keys and values of so many words kept, a text may be read in pieces of any
size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.language_networks import LanguageConfig, LanguageNetwork, ReaderState
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.sequences import Unrolled

_SPREAD = 0.02
"""Standard deviation of the initial word vectors (Radford et al. 2018, section 4.1)."""


@dataclass(frozen=True)
class CausalTransformerConfig(LanguageConfig):
    """Sizes of a :class:`CausalTransformer`.

    Attributes:
        vocabulary_size: V, the ids of padding and of the unknown word among them.
        dimensions: D, of word vectors and layers, a multiple of ``heads``.
        layers: L.
        heads: of each attention.
        feed_forward: units between the two linear maps of a layer.
        window: how many words a word attends to at most, itself among them.
        cutoffs: the ids at which a band of rarer words begins, which have shorter vectors.
        predicts_unknown: whether the unknown word is one of those that are predicted.
        input_dropout: on the word vectors, one mask for a text.
        dropout: on what each sublayer adds.
        output_dropout: on what words are predicted from, one mask for a text.
    """

    vocabulary_size: int
    dimensions: int = 128
    layers: int = 4
    heads: int = 4
    feed_forward: int = 512
    window: int = 128
    cutoffs: tuple[int, ...] = ()
    predicts_unknown: bool = True
    input_dropout: float = 0.0
    dropout: float = 0.1
    output_dropout: float = 0.0

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit, and take cutoffs as a manifest holds them."""
        if self.dimensions % self.heads:
            raise ValueError(f"{self.dimensions} dimensions cannot be divided among {self.heads} heads")
        if self.window < 1:
            raise ValueError(f"the window must be at least 1 word, not {self.window}")
        super().__post_init__()


class _Layer(nn.Module):
    """Self-attention to the words before and a feed-forward network, each normalised before and added."""

    def __init__(self, config: CausalTransformerConfig) -> None:
        super().__init__()
        d, self.heads, self.window = config.dimensions, config.heads, config.window
        self.norm, self.fed_norm = nn.LayerNorm(d), nn.LayerNorm(d)
        self.inward, self.outward = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.feed_forward = nn.Sequential(
            nn.Linear(d, config.feed_forward), nn.GELU(), nn.Linear(config.feed_forward, d)
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, words: Tensor, past: Tensor) -> tuple[Tensor, Tensor]:
        """Return the words (B, T, D), and the keys and values to keep, given those of ``past`` (B, P, 2 D)."""
        count, d = words.shape[1:]
        queries, fresh = torch.split(self.inward(self.norm(words)), [d, 2 * d], dim=2)
        kept = torch.cat([past, fresh], dim=1)
        keys, values = (self._parted(side) for side in kept.chunk(2, dim=2))
        scores = self._parted(queries) @ keys.transpose(2, 3) / math.sqrt(d // self.heads) + self.penalty(
            count, kept.shape[1]
        )
        taken = (scores.softmax(dim=3) @ values).transpose(1, 2).flatten(2)
        words = words + self.dropout(self.outward(taken))
        words = words + self.dropout(self.feed_forward(self.fed_norm(words)))
        # Only the last window − 1 keys can be seen by the next word; no gradient flows into an earlier piece.
        return words, kept[:, max(kept.shape[1] - self.window + 1, 0) :].detach()

    def penalty(self, count: int, known: int) -> Tensor:
        """Return what is added to the scores of ``count`` queries, the last of ``known`` words, (heads, T, known).

        Head h has a slope of 2^(-8 h / heads) a word; later words and those beyond the window have minus infinity.
        """
        device = self.inward.weight.device
        distance = torch.arange(known - count, known, device=device)[:, None] - torch.arange(known, device=device)
        # The slopes of Press et al. 2022: a geometric sequence that ends at 2^-8.
        slopes = 2.0 ** (-8 * torch.arange(1, self.heads + 1, device=device) / self.heads)
        unseen = (distance < 0) | (distance >= self.window)
        return (-slopes[:, None, None] * distance).masked_fill(unseen, -torch.inf)

    def _parted(self, vectors: Tensor) -> Tensor:
        """Return (B, heads, T, D / heads) of vectors (B, T, D)."""
        return vectors.view(*vectors.shape[:2], self.heads, -1).transpose(1, 2)


class CausalTransformer(LanguageNetwork):
    """L layers over word vectors; a word's state in each layer depends on the word and the words before it."""

    config: CausalTransformerConfig
    counted_as = "attention and feed-forward layers"
    formula = (
        r"a^l_t = h^{l-1}_t + \sum_{s \le t} \mathrm{softmax}_s\bigl(q_t \cdot k_s / \sqrt{d} - m\,(t - s)\bigr)\,v_s",
        r"h^l_t = a^l_t + W_2\,\mathrm{GELU}(W_1 a^l_t)",
    )

    def __init__(self, config: CausalTransformerConfig) -> None:
        """Build the network with random weights."""
        super().__init__(config)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.dimensions)
        for table in self.words.bands:  # a normalised state would else predict its own word at once
            table.data.mul_(_SPREAD * config.dimensions**0.5)

    def start(self, rows: int) -> ReaderState:
        """Return keys and values of no words."""
        nothing = self.bias.new_zeros(rows, 0, 2 * self.config.dimensions)
        return {f"past.{place}": nothing for place in range(self.config.layers)}

    def read_on(self, embedded: Tensor, state: ReaderState) -> tuple[Tensor, ReaderState]:
        """Return the output vectors after each word (B, T, D), from which the next is predicted, and the last state."""
        states, after = self._through(self.input_dropout(embedded), state)
        return self.output_dropout(self.shown(states[-1])), after

    def shown(self, states: Tensor) -> Tensor:
        """Return what words are predicted from, (..., D): the normalised states (..., D) of a layer."""
        normalised: Tensor = self.norm(states)
        return normalised

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:  # noqa: ARG002
        """Return every layer's states (B, T, L, D); it has no gates."""
        with torch.no_grad():
            return Unrolled(torch.stack(self._through(embedded, self.start(len(embedded)))[0], dim=2), {})

    def _through(self, embedded: Tensor, state: ReaderState) -> tuple[list[Tensor], ReaderState]:
        """Return each layer's states (B, T, D), and keys and values thereafter."""
        words, states, after = embedded, [], {}
        for place, layer in enumerate(self.layers):
            words, after[f"past.{place}"] = cast("_Layer", layer)(words, state[f"past.{place}"])
            states.append(words)
        return states, after

    def encoder_term(self) -> ParameterCount:
        """Return the number of parameters of the layers and of the last normalisation."""
        d, f, n = self.config.dimensions, self.config.feed_forward, self.config.layers
        formula = f"{n} × (4 × ({d} × {d} + {d}) + 2 × {d} × {f} + {f} + {d} + 4 × {d}) + 2 × {d}"
        modules = (*self.layers, self.norm)
        return ParameterCount(formula, sum(weight.numel() for one in modules for weight in one.parameters()))


MODEL = Architecture(
    name="causal-transformer",
    title="Causal Transformer",
    source="Vaswani et al. 2017; Radford et al. 2018; Press et al. 2022",
    config=CausalTransformerConfig,
    build=CausalTransformer,
)
