"""What several architectures are built of: word vectors, a recurrent network that reads both ways, attention.

:class:`WordClassifier` is what the classifiers have in common around the network that each of them is.

The recurrent units are PyTorch's. Its GRU applies the reset gate after the product, r ∘ (W h); Tixier (2018), equation
12, applies it to the state before, W (r ∘ h) (his footnote 13 says that both perform alike).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from nlpviz.networks.word_tables import WordTable
from nlpviz.text.vocabulary import PAD


class Cell(NamedTuple):
    """A recurrent unit: its module, and how many gates and candidates it computes of its input and its state."""

    module: type[nn.GRU | nn.LSTM]
    gates: int


CELLS: Mapping[str, Cell] = MappingProxyType({"gru": Cell(nn.GRU, 3), "lstm": Cell(nn.LSTM, 4)})


class ParameterTerm(NamedTuple):
    """One term of a model's parameter count: what it is, its formula in numbers, and its value."""

    name: str
    formula: str
    value: int


class ParameterCount(NamedTuple):
    """The number of parameters of one layer, and its formula in numbers."""

    formula: str
    value: int


class BothWays(nn.Module):
    """Two recurrent networks, one that reads forwards and one that reads backwards (Schuster and Paliwal 1997).

    PyTorch's own bidirectional network needs packed sequences for texts of different lengths. Their backward pass takes
    three to five times as long on a CPU, so that each row is turned round within its length instead.
    """

    def __init__(self, cell: str, dimensions: int, units: int) -> None:
        """Build both directions.

        Args:
            cell: a name in :data:`CELLS`.
            dimensions: of an input.
            units: of the state of one direction.

        Raises:
            ValueError: if there is no such cell.
        """
        super().__init__()
        if cell not in CELLS:
            raise ValueError(f"unknown recurrent unit {cell!r}; choose from {', '.join(CELLS)}")
        self.gates = CELLS[cell].gates
        self.onward: nn.GRU | nn.LSTM = CELLS[cell].module(dimensions, units, batch_first=True)
        self.back: nn.GRU | nn.LSTM = CELLS[cell].module(dimensions, units, batch_first=True)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """Return the annotations (R, T, 2 * units) of the first ``lengths`` (R,) steps of rows (R, T, D).

        Later steps of a row change none of its annotations; their own annotations have no meaning.
        """
        rows, longest, _ = inputs.shape
        if not rows or not longest:
            return inputs.new_zeros(rows, longest, 2 * self.onward.hidden_size)
        onward = self.onward(inputs)[0]
        back = turned(self.back(turned(inputs, lengths))[0], lengths)
        return torch.cat([onward, back], dim=-1)

    def term(self) -> ParameterCount:
        """Return the number of parameters: PyTorch's units have two bias vectors."""
        d, units = self.onward.input_size, self.onward.hidden_size
        value = 2 * self.gates * units * (d + units + 2)
        return ParameterCount(f"2 × {self.gates} × {units} × ({d} + {units} + 2)", value)


def turned(rows: Tensor, lengths: Tensor) -> Tensor:
    """Return ``rows`` (R, T, A), each turned round within its own length (R,); what stands behind it stays."""
    position = torch.arange(rows.shape[1], device=rows.device)  # (T,)
    taken = lengths.unsqueeze(1) - 1 - position  # (R, T)
    return rows.take_along_dim(torch.where(taken < 0, position, taken).unsqueeze(-1), dim=1)


class Attention(nn.Module):
    """Attention over annotations by a trained context vector (Yang et al. 2016; Tixier 2018, equation 23)."""

    def __init__(self, dimensions: int, units: int) -> None:
        """Build it.

        Args:
            dimensions: of an annotation.
            units: of what is compared with the context vector.
        """
        super().__init__()
        self.hidden = nn.Linear(dimensions, units)
        self.context = nn.Parameter(torch.empty(units))
        nn.init.normal_(self.context, std=units**-0.5)

    def forward(self, annotations: Tensor, mask: Tensor) -> Tensor:
        """Return the weights (R, T) of ``annotations`` (R, T, A): u_t = tanh(W h_t + b), a = softmax(u_t · u).

        They are zero where ``mask`` (R, T) is False, and one in sum for each row with a word.
        """
        # Tixier 2018, equation 23, with the bias of Yang et al. 2016, equation 5.
        compared = torch.tanh(self.hidden(annotations))  # (R, T, U)
        return masked_softmax(compared @ self.context, mask)

    def term(self) -> ParameterCount:
        """Return the number of parameters."""
        units, d = self.hidden.weight.shape
        return ParameterCount(f"{d} × {units} + {units} + {units}", d * units + 2 * units)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Return the softmax of ``scores`` over its last axis, zero where ``mask`` is False, which may be everywhere."""
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1) * mask


def weighted_sum(weights: Tensor, annotations: Tensor) -> Tensor:
    """Return the sums (R, A) of ``annotations`` (R, T, A), each times its weight (R, T)."""
    return (weights.unsqueeze(1) @ annotations).squeeze(1)


def tied_logits(states: Tensor, table: Tensor, bias: Tensor, candidates: Tensor | None = None) -> Tensor:
    """Return logits (..., V) of the next word, or (..., K) of ``candidates`` (K,); padding is no word.

    Args:
        states: (..., D), what the word is predicted from.
        table: (V, D), the words' vectors, which are the output layer's weights as well (Press and Wolf 2017).
        bias: (V,).
        candidates: ids.
    """
    if candidates is not None:
        return states @ table[candidates].T + bias[candidates]
    logits = states @ table.T + bias
    return logits.index_fill(-1, torch.full((1,), PAD, device=logits.device), -torch.inf)


def sinusoids(length: int, width: int, first: int = 0) -> Tensor:
    """Return the positions (length, width) from ``first`` on: sin(t / 10000^(2i / width)) and the cosine, in turn.

    Vaswani et al. (2017), section 3.5.
    """
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = torch.arange(first, first + length).unsqueeze(1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


class WordConfig(Protocol):
    """The sizes that every :class:`WordClassifier` has."""

    @property
    def vocabulary_size(self) -> int:
        """V + 2, the ids of padding and of the unknown word among them."""

    @property
    def dimensions(self) -> int:
        """d, the length of a word vector."""

    @property
    def dropout(self) -> float:
        """On the document embedding, at least."""

    @property
    def word_dropout(self) -> float:
        """The probability that a whole word's vector is left out, in training only."""

    @property
    def static(self) -> bool:
        """Whether the word vectors stay as they were initialised."""

    @property
    def classes(self) -> int:
        """2 gives one sigmoid neuron, more give a softmax."""


class WordClassifier(nn.Module):
    """Word vectors, a network that makes a document embedding of them, one linear layer.

    A subclass makes its own layers between the two calls that make these, and defines :meth:`encode`.
    """

    def __init__(self, config: WordConfig) -> None:
        """Make random word vectors."""
        super().__init__()
        self.config = config
        self.embedding: nn.Embedding | WordTable
        if cutoffs := tuple(getattr(config, "cutoffs", ())):
            trained = 0 if config.static else getattr(config, "trained_bands", None)
            self.embedding = WordTable(config.vocabulary_size, config.dimensions, cutoffs, trained)
        else:
            self.embedding = word_vectors(config.vocabulary_size, config.dimensions, static=config.static)
        self.dropout = nn.Dropout(config.dropout)

    def end_with(self, size: int) -> None:
        """Make the last layer, over document embeddings of ``size`` numbers."""
        self.output = nn.Linear(size, 1 if self.config.classes == 2 else self.config.classes)

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (B, C) of ``ids`` (B, T), padded with id 0 at the end."""
        return self.classify(self.embed(ids), self.mask(ids))

    @property
    def embedding_size(self) -> int:
        """The numbers of a document embedding."""
        return self.output.in_features

    def represent(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return the document embeddings (B, E) and the logits (B, C) of ``ids`` (B, T), as :meth:`forward` does."""
        documents = self.encode(self.embed(ids), self.mask(ids))
        return documents, self.output(self.dropout(documents))

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word vectors, shape (B, T, D)."""
        return self.embedding(ids)

    def mask(self, ids: Tensor) -> Tensor:
        """Return where ``ids`` (B, T) are words."""
        return ids != PAD

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return logits (B, C): the log-odds of the positive class where there are two."""
        if self.training and self.config.word_dropout:
            embedded = drop_words(embedded, self.config.word_dropout)
        return self.output(self.dropout(self.encode(embedded, mask)))

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings, shape (B, E), of word vectors (B, T, D) and what :meth:`mask` said."""
        raise NotImplementedError

    def term_of_vectors(self) -> ParameterCount:
        """Return the number of the word vectors' parameters."""
        if isinstance(self.embedding, WordTable):
            return ParameterCount(*self.embedding.term())
        rows, d = self.embedding.weight.shape
        return ParameterCount(f"{rows:,} × {d}", rows * d)

    def term_of_output(self) -> ParameterCount:
        """Return the number of the last layer's parameters."""
        outputs, size = self.output.weight.shape
        return ParameterCount(f"{size} × {outputs} + {outputs}", size * outputs + outputs)


def word_vectors(vocabulary_size: int, dimensions: int, *, static: bool) -> nn.Embedding:
    """Return random word vectors, zero for the padding; ``static`` ones are not trained."""
    table = nn.Embedding(vocabulary_size, dimensions, padding_idx=PAD)
    nn.init.uniform_(table.weight, -0.25, 0.25)
    table.weight.data[PAD] = 0
    table.weight.requires_grad_(not static)
    return table


def drop_words(embedded: Tensor, rate: float) -> Tensor:
    """Return ``embedded`` (B, T, D) with a share ``rate`` of its words left out at random, whole vectors zero."""
    kept = torch.rand(embedded.shape[:2], device=embedded.device) >= rate
    return embedded * kept.unsqueeze(-1)


class Dropout(nn.Dropout):
    """Dropout as PyTorch's (Srivastava et al. 2014), whose own mask takes a CPU four times as long to draw."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return ``input``, in training with a share p of its entries zero and the others larger by 1 / (1 - p)."""
        if not self.training or not self.p:
            return input
        return input * torch.rand_like(input).ge_(self.p).div_(1 - self.p)


class VariationalDropout(Dropout):
    """Dropout with one mask for all steps of a text (Gal and Ghahramani 2016)."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return ``input`` (B, T, D), in training with a share p of the D entries of each text zero at every step."""
        return input * super().forward(input.new_ones(len(input), 1, input.shape[2])) if self.training else input
