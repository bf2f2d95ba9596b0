"""Networks that read a text word by word, and a classifier that reads its answer off their states.

A :class:`SequenceEncoder` makes a state of each word and of those before it: recurrent networks, and convolutions that
look back only. What it holds on the way it returns (:meth:`SequenceEncoder.unroll`); nothing is hooked out of it.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, cast, runtime_checkable

import torch
from torch import Tensor, nn

from nlpviz.networks.layers import ParameterCount, ParameterTerm, WordClassifier, WordConfig
from nlpviz.results.states import CellPart

READINGS = ("last", "mean", "max")
"""What a document embedding is of the states: the last one, their mean, or the maximum of each unit."""


class Unrolled(NamedTuple):
    """What a network of L layers holds after each of T words of B texts.

    Attributes:
        states: (B, T, L, H), hidden states; those behind a text's length mean nothing.
        parts: gates and other quantities of its equations by name, (B, T, L, H) each.
    """

    states: Tensor
    parts: dict[str, Tensor]


class SequenceEncoder(nn.Module):
    """A network with a state for each word, made of the words up to it (``causal``) or of all of them.

    Attributes:
        size: E, of a state of the last layer.
        layers: L.
        causal: whether no state depends on a later word.
        parts: what its equations name.
        formula: the equations in TeX, a line each.
    """

    parts: tuple[CellPart, ...] = ()
    formula: tuple[str, ...] = ()

    def __init__(self, size: int, layers: int, *, causal: bool = True) -> None:
        """Build what all of them have."""
        super().__init__()
        self.size, self.layers, self.causal = size, layers, causal

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """Return the last layer's states (B, T, E) over the first ``lengths`` (B,) steps of ``inputs`` (B, T, D)."""
        raise NotImplementedError

    def unroll(self, inputs: Tensor, lengths: Tensor) -> Unrolled:
        """Return what every layer holds after each word, with its gates; no graph is kept."""
        raise NotImplementedError

    def term(self) -> ParameterCount:
        """Return the number of parameters."""
        raise NotImplementedError


@runtime_checkable
class Steps(Protocol):
    """A network whose state after a word is made of that word and of its state before: it can be taken step by step."""

    @property
    def state_size(self) -> int:
        """S, of all that it goes on from, in all layers; zero before the first word."""
        ...

    def advance(self, inputs: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after ``inputs`` (..., D) are read in ``state`` (..., S), and what it shows.

        That is the last layer's hidden state (..., H).
        """
        ...


class SequenceConfig(WordConfig, Protocol):
    """The settings that every :class:`SequenceClassifier` has."""

    @property
    def reading(self) -> str:
        """One of :data:`READINGS`."""


class SequenceClassifier(WordClassifier):
    """A sequence encoder over word vectors, a reading of its states, one linear layer.

    Attributes:
        counted_as: what the encoder's parameters are called.
    """

    config: SequenceConfig
    counted_as: str

    def __init__(self, config: SequenceConfig, encoder: SequenceEncoder) -> None:
        """Build it around ``encoder``.

        Raises:
            ValueError: if there is no such reading.
        """
        if config.reading not in READINGS:
            raise ValueError(f"unknown reading {config.reading!r}; choose from {', '.join(READINGS)}")
        super().__init__(config)
        self.encoder = encoder
        self.end_with(encoder.size)

    @property
    def parts(self) -> tuple[CellPart, ...]:
        """What the encoder's equations name."""
        return self.encoder.parts

    @property
    def formula(self) -> tuple[str, ...]:
        """The encoder's equations in TeX, a line each."""
        return self.encoder.formula

    @property
    def causal(self) -> bool:
        """Whether no state depends on a later word."""
        return self.encoder.causal

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings, shape (B, E)."""
        if not embedded.shape[1]:
            return embedded.new_zeros(len(embedded), self.encoder.size)
        return self.read(self.encoder(embedded, mask.sum(dim=1)), mask)

    def read(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings (B, E) of the states (B, T, E)."""
        counted = mask.unsqueeze(-1)
        if self.config.reading == "mean":
            return (states * counted).sum(dim=1) / counted.sum(dim=1).clamp_min(1)
        if self.config.reading == "max":
            return states.masked_fill(~counted, -torch.inf).amax(dim=1).where(counted.any(dim=1), 0.0)
        return self._last(states, mask)

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:
        """Return what every layer holds after each word: states (B, T, L, H) and gates by name, as large."""
        if not embedded.shape[1]:
            nothing = embedded.new_zeros(len(embedded), 0, self.encoder.layers, self.encoder.size)
            return Unrolled(nothing, {part.name: nothing for part in self.parts})
        with torch.no_grad():
            return self.encoder.unroll(embedded, mask.sum(dim=1))

    def classify_prefixes(self, embedded: Tensor, mask: Tensor, states: Tensor | None = None) -> Tensor:
        """Return the logits (B, T, C) after each word, as if the text ended there; those at padding mean nothing.

        A network whose states depend on no later word reads nothing again where its last layer's are given.
        """
        rows, longest, _ = embedded.shape
        if not self.causal or not longest:
            upto = torch.ones(longest, longest, dtype=torch.bool, device=mask.device).tril()
            prefixes = [
                self.encode(text.expand(longest, -1, -1), upto & own) for text, own in zip(embedded, mask, strict=True)
            ]
            return self.output(torch.stack(prefixes) if longest else embedded.new_zeros(rows, 0, self.encoder.size))
        if states is None:
            states = self.encoder(embedded, mask.sum(dim=1))
        if self.config.reading == "mean":
            states = states.cumsum(dim=1) / torch.arange(1, longest + 1, device=states.device).unsqueeze(-1)
        elif self.config.reading == "max":
            states = states.cummax(dim=1).values
        return self.output(states)

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        terms = [] if self.config.static else [ParameterTerm("word embeddings", *self.term_of_vectors())]
        return (
            *terms,
            ParameterTerm(self.counted_as, *self.encoder.term()),
            ParameterTerm("output layer", *self.term_of_output()),
        )

    def _last(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return each text's last state, (B, E); of the backward direction that after the first word; 0 of no words."""
        lengths = mask.sum(dim=1)
        last = (lengths - 1).clamp_min(0).view(-1, 1, 1).expand(-1, 1, states.shape[2])
        read = states.gather(1, last).squeeze(1)
        if not self.causal:
            half = states.shape[2] // 2
            read = torch.cat([read[:, :half], states[:, 0, half:]], dim=1)
        return read.where(lengths.unsqueeze(1) > 0, 0.0)


class StepwiseClassifier(SequenceClassifier):
    """A sequence classifier that can be taken step by step, as its encoder can."""

    @property
    def state_size(self) -> int:
        """S, of all that it goes on from after a word."""
        return cast("Steps", self.encoder).state_size

    def begin(self) -> Tensor:
        """Return the state (S,) before the first word: zero."""
        return self.output.weight.new_zeros(self.state_size)

    def advance(self, embedded: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after a word (..., D) is read in ``state`` (..., S), and what it shows (..., H)."""
        return cast("Steps", self.encoder).advance(embedded, state)
