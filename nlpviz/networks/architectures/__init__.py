"""Architectures, one per module, and what each of them can show.

A model is a ``torch.nn.Module`` that implements some of the protocols below. A method or a page requires a
protocol, never a class: a new architecture is one new file that exports ``MODEL``.
It meets the contract of a kind of run (:mod:`nlpviz.run_kinds.contract`), or the contract tests fail.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.discovery import discover
from nlpviz.networks.layers import ParameterTerm as ParameterTerm
from nlpviz.networks.sequences import Unrolled
from nlpviz.networks.tree_networks import Forest
from nlpviz.results.states import CellPart
from nlpviz.text.vocabulary import PAD, SPECIALS


class Configured(Protocol):
    """What every architecture has in addition to ``torch.nn.Module``: a config and a known size."""

    config: Any

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        ...


@dataclass(frozen=True)
class Architecture:
    """What a module under ``nlpviz.networks.architectures`` exports as ``MODEL``.

    Attributes:
        name: how a run's manifest calls it, for example ``"cnn"``.
        title: how people call it.
        source: the paper.
        config: a frozen dataclass; a run's manifest holds its fields.
        build: makes the module from a config, on the CPU, randomly initialised.
        reads_sentences: whether the ids that the model takes carry the number of the word's sentence, as
            :attr:`nlpviz.text.vocabulary.EncodedText.row` has them.
    """

    name: str
    title: str
    source: str
    config: type[Any]
    build: Callable[[Any], nn.Module]
    reads_sentences: bool = False


@runtime_checkable
class Classifier(Protocol):
    """A text classifier, cut at its embedding: attribution methods work on the cut."""

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word vectors of ``ids`` (B, T), shape (B, T, D); zero where an id is padding."""
        ...

    def mask(self, ids: Tensor) -> Tensor:
        """Return what besides the word vectors is read off ``ids`` (B, T), in their shape: False where padding.

        A model that reads sentences returns int64: 0 where padding, else the number of the word's sentence from 1.
        """
        ...

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return logits (B, C) of ``embedded`` (B, T, D); ``mask`` (B, T) is what :meth:`mask` said of the ids."""
        ...


@runtime_checkable
class DocumentEncoder(Protocol):
    """A model with one vector for a whole text: the input of its last layer."""

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings, shape (B, E)."""
        ...


@runtime_checkable
class DocumentReader(Protocol):
    """A classifier with one vector for a whole text, however it is computed: maps of documents require no more."""

    @property
    def embedding_size(self) -> int:
        """E, the numbers of a document embedding."""
        ...

    def represent(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return document embeddings (B, E) and logits (B, C) of ``ids`` (B, T), padded with id 0 at the end."""
        ...


class _Encoded:
    """A classifier cut at its embedding, as a document reader: its embedding is what it encodes."""

    def __init__(self, module: Any) -> None:  # noqa: ANN401 - a Classifier and a DocumentEncoder
        self._module = module

    @property
    def embedding_size(self) -> int:
        with torch.inference_mode():
            return int(self.represent(torch.full((1, 1), PAD))[0].shape[1])

    def represent(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        embedded, mask = self._module.embed(ids), self._module.mask(ids)
        return self._module.encode(embedded, mask), self._module.classify(embedded, mask)


def document_reader(module: object) -> DocumentReader | None:
    """Return what finds a network's document embeddings: itself, or what it encodes; None where it has none."""
    if isinstance(module, DocumentReader):
        return module
    return _Encoded(module) if isinstance(module, Classifier) and isinstance(module, DocumentEncoder) else None


@runtime_checkable
class InfersDocuments(DocumentReader, Protocol):
    """A document reader whose embedding is inferred by descent from a random start, with random noise words."""

    def infer(self, ids: Tensor, seed: int = 0) -> Tensor:
        """Return document embeddings (B, E) of ``ids`` (B, T) by another ``seed``; :meth:`represent` takes seed 0."""
        ...

    def judge(self, documents: Tensor) -> Tensor:
        """Return logits (B, C) of document embeddings (B, E)."""
        ...


@runtime_checkable
class PoolingAttention(Protocol):
    """A model whose document vector is a sum of annotations, each weighted by attention."""

    def attend(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the weight of each word in the document vector (B, T): zero at padding, with sum one for each text."""
        ...

    def classify_attending(self, embedded: Tensor, mask: Tensor, weights: Tensor) -> Tensor:
        """Return the logits (B, C) with ``weights`` (B, T) of the words in place of the model's attention weights."""
        ...


@runtime_checkable
class HierarchicalAttention(PoolingAttention, Protocol):
    """Attention over the words of each sentence, then over the S sentences: a word's weight is the product of both."""

    def attend_levels(self, embedded: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the weight of each word within its sentence (B, T) and that of each sentence (B, S).

        The words of a sentence have one in sum, and so have the sentences of a text; one without words has zero.
        """
        ...

    def classify_attending(
        self, embedded: Tensor, mask: Tensor, weights: Tensor, sentences: Tensor | None = None
    ) -> Tensor:
        """Return the logits (B, C) with other weights in place of the model's attention weights.

        With ``sentences`` (B, S), ``weights`` (B, T) are those within the sentences; without, they are those in the
        document vector, so that a sentence's is the sum of its words'.
        """
        ...


@runtime_checkable
class SelfAttention(Protocol):
    """A model in which each word attends to every word, in L layers of H heads."""

    def heads(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return what each query (row) attends to, (B, L, H, T, T): each row sums to one, zero where padding."""
        ...

    def classify_attending(self, embedded: Tensor, mask: Tensor, heads: Tensor) -> Tensor:
        """Return the logits (B, C) with ``heads`` (B, L, H, T, T) in place of the model's attention weights."""
        ...


class Penalised(NamedTuple):
    """What a model may return in training: logits (B, C), and each text's additional loss, (B,)."""

    logits: Tensor
    penalty: Tensor


@runtime_checkable
class SkipsWords(Protocol):
    """A model that leaves its state unchanged at some words."""

    def updated(self, ids: Tensor) -> Tensor:
        """Return at which of ``ids`` (B, T) it updates its state, (B, T): the share of its layers; 0 where padding."""
        ...


@runtime_checkable
class WordByWord(Classifier, DocumentEncoder, Protocol):
    """A model with a state for each word, in L layers, and what its equations name: gates, candidates, cell states."""

    parts: tuple[CellPart, ...]
    formula: tuple[str, ...]

    @property
    def causal(self) -> bool:
        """Whether no state depends on a later word."""
        ...

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:
        """Return every layer's states after each word, (B, T, L, H), and its parts by name, in the same shape."""
        ...

    def classify_prefixes(self, embedded: Tensor, mask: Tensor, states: Tensor | None = None) -> Tensor:
        """Return the logits (B, T, C) after each word, as if the text ended there; those at padding have no meaning.

        ``states`` (B, T, H) are those of the last layer, where :meth:`unroll` has told them: what looks at no later
        word need not read the text again.
        """
        ...


@runtime_checkable
class Recurrent(WordByWord, Protocol):
    """A model whose state after a word depends only on that word and the previous state: it can be run step by step."""

    @property
    def state_size(self) -> int:
        """S, the size of the whole recurrent state, over all layers."""
        ...

    def begin(self) -> Tensor:
        """Return the state (S,) before the first word: zero of a classifier."""
        ...

    def advance(self, embedded: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after a word (..., D) is read in ``state`` (..., S), and what it shows.

        That is the last layer's hidden state (..., H), which the output layer reads.
        """
        ...


@runtime_checkable
class Jumping(Protocol):
    """A model whose output jumps while word vectors change continuously: derivatives do not show what a jump adds."""

    @property
    def jumps(self) -> str:
        """What happens where it jumps, as a clause: ``"its update gates open and close"``."""
        ...


@runtime_checkable
class ScaledClassifier(Protocol):
    """A classifier that computes a text at many scales of its word vectors at about the cost of one forward pass."""

    def classify_scaled(self, embedded: Tensor, mask: Tensor, alphas: Tensor) -> Tensor:
        """Return the logits (S, C) of one text (1, T, D) whose vectors are multiplied by each of ``alphas`` (S,)."""
        ...


@runtime_checkable
class RereadClassifier(Protocol):
    """A classifier that computes many texts made of one text's words faster than in separate forward passes."""

    def classify_reread(self, embedded: Tensor, places: NDArray[np.int64]) -> Tensor:
        """Return the logits (S, C) of S texts of the words of one, whose vectors are (1, T, D).

        Args:
            embedded: of the one text, none of it padding.
            places: (S, L), which word stands where in each, or −1 for a zero vector; padded with −2 at the end.
        """
        ...


@runtime_checkable
class OccludedClassifier(Protocol):
    """A classifier that computes a text with many subsets of its words faster than in separate forward passes."""

    def classify_occluded(self, embedded: Tensor, mask: Tensor, kept: Tensor) -> Tensor:
        """Return the logits (S, C) of one text (1, T, D) with zero vectors where ``kept`` (S, T) is False."""
        ...


@runtime_checkable
class RegionEncoder(Classifier, DocumentEncoder, Protocol):
    """A document encoder that pools over regions: each entry of its embedding is one filter's activation at one region.

    The embedding holds the filters of the first region size first, ``pooled`` entries each; ``output`` reads it.
    """

    output: nn.Linear

    @property
    def region_sizes(self) -> tuple[int, ...]:
        """The size h of each branch, in words."""
        ...

    @property
    def pooled(self) -> int:
        """How many regions each filter's pooling takes."""
        ...

    def window_scores(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        """Return each branch's convolutions (B, F, P) before the ReLU; -inf for a window that is not the text's own."""
        ...

    def filter_weights(self) -> list[Tensor]:
        """Return the filters of each branch, (F, D, h)."""
        ...


@runtime_checkable
class TreeComposer(Protocol):
    """A network with a state for each node of a tree, computed from its children or words, and class scores."""

    formula: tuple[str, ...]

    def states(self, trees: Forest) -> Tensor:
        """Return the state (N, S) of every node of a forest, by its number."""
        ...

    def classify(self, states: Tensor) -> Tensor:
        """Return the logits (N, K) of states (N, S)."""
        ...

    def penalty(self, trees: Forest, states: Tensor) -> Tensor | None:
        """Return what each inner node adds to the loss in training besides its label's, (N - L,); None for nothing."""
        ...


DecoderState = dict[str, Tensor]
"""What a translator's decoder goes on from: tensors with a row for each hypothesis, so that rows can be chosen."""


class Decoded(NamedTuple):
    """A decoder's output for T target words, each given the words before it.

    Attributes:
        states: (B, T, D), what :meth:`Translator.predict` reads.
        alignment: (B, T, S), the weight of each source word, 0 where it is padding; None without attention.
        centres: (B, T), p_t of local attention, the first source word being 1; None otherwise.
    """

    states: Tensor
    alignment: Tensor | None
    centres: Tensor | None


@runtime_checkable
class Translator(Protocol):
    """An encoder-decoder: it reads a target sentence at once or word by word, with the same result."""

    config: Any  # with ``target_size``, the ids of the target vocabulary

    def start(self, source: Tensor) -> DecoderState:
        """Return the decoder's state after reading ``source`` (B, S), padded with 0 at the end, one word at least."""
        ...

    def decode(self, words: Tensor, state: DecoderState) -> tuple[Decoded, DecoderState]:
        """Return the decoder's output after each of the target ``words`` (B, T), and the state after the last one."""
        ...

    def predict(self, states: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return logits (..., V) of the next word from ``states`` (..., D); (..., K) of ``candidates`` (K,) alone."""
        ...

    def encode_source(self, source: Tensor) -> Tensor:
        """Return one vector for each whole source sentence, (B, E)."""
        ...


@runtime_checkable
class Transducer(Protocol):
    """A network with an output after every step of a sequence of vectors, from that step and the steps before it."""

    config: Any  # with ``inputs`` and ``outputs``, the numbers of a step and of an answer

    def answer(self, inputs: Tensor) -> Tensor:
        """Return the logits (B, T, K) of the output bits after each step of ``inputs`` (B, T, D)."""
        ...


@runtime_checkable
class Taped(Transducer, Protocol):
    """A transducer with a tape that it reads and writes, and that can be run step by step."""

    def begin(self, rows: int) -> Any:  # noqa: ANN401
        """Return the state of ``rows`` sequences before the first step."""
        ...

    def step(self, inputs: Tensor, state: Any) -> Any:  # noqa: ANN401
        """Return the result of one step of ``inputs`` (B, D) from a state, a ``MachineStep``."""
        ...


def class_scores(logits: Tensor) -> Tensor:
    """Return one score for each class, shape (B, K), from ``logits`` (B, C).

    One sigmoid neuron x is a softmax over (0, x) (Tixier 2018, section 5.2.5): its two class scores are
    the log-odds -x and x, so that each class has a gradient of its own. With C > 1 they are the logits.
    """
    return torch.cat([-logits, logits], dim=1) if logits.shape[1] == 1 else logits


def class_probabilities(logits: Tensor) -> Tensor:
    """Return the probabilities of the classes, shape (B, K), from ``logits`` (B, C)."""
    if logits.shape[1] == 1:
        positive = torch.sigmoid(logits)
        return torch.cat([1 - positive, positive], dim=1)
    return torch.softmax(logits, dim=1)


def padded(ids: Sequence[NDArray[np.integer]]) -> Tensor:
    """Return ``ids`` as one int64 tensor (B, T), filled up at the end with the padding id."""
    longest = max((len(row) for row in ids), default=0)
    batch = np.full((len(ids), longest), PAD, dtype=np.int64)
    for row, values in zip(batch, ids, strict=True):
        row[: len(values)] = values
    return torch.from_numpy(batch)


def architectures() -> dict[str, Architecture]:
    """Return every architecture, by name."""
    return discover("nlpviz.networks.architectures", "MODEL", Architecture)


def untrained_instance(architecture: str, config: Mapping[str, Any]) -> nn.Module | None:
    """Return an untrained network with a run's configuration, over no words: it shows what the run implements.

    What one ``cell`` or ``attention`` shows another may not, so that the architecture's default tells nothing.

    Args:
        architecture: a name of :func:`architectures`.
        config: the fields of its config, as the run's manifest holds them.

    Returns:
        The network, which is shared and never changed; None where there is no such architecture or it knows no such
        configuration.
    """
    known = architectures().get(architecture)
    return None if known is None else _built(known, json.dumps(config, sort_keys=True))


def equations(architecture: str, config: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the equations of a network with this configuration in TeX, a line each; none where it names none."""
    return tuple(getattr(untrained_instance(architecture, config), "formula", ()))


def attends(architecture: str, config: Mapping[str, Any]) -> bool:
    """Return whether a network with this configuration has attention."""
    return isinstance(untrained_instance(architecture, config), PoolingAttention | SelfAttention)


def goes_on(architecture: str, config: Mapping[str, Any]) -> bool:
    """Return whether a network with this configuration can be run word by word, in one direction."""
    module: Any = untrained_instance(architecture, config)
    return isinstance(module, Recurrent) and module.causal


@cache
def _built(architecture: Architecture, config: str) -> nn.Module | None:
    """Return the network without numbers, which take no memory: one can be kept of every configuration."""
    small = json.loads(config) | {"vocabulary_size": len(SPECIALS)}
    try:
        with torch.random.fork_rng(devices=[]):  # whoever asks in the middle of a training does not disturb it
            return architecture.build(architecture.config(**small)).eval().to("meta")
    except (KeyError, RuntimeError, TypeError, ValueError):
        return None


def translators() -> dict[str, Architecture]:
    """Return every architecture that translates, by name: a module exports it as ``TRANSLATOR``."""
    return discover("nlpviz.networks.architectures", "TRANSLATOR", Architecture)


def transducers() -> dict[str, Architecture]:
    """Return every architecture with an output after every step, by name: a module exports it as ``TRANSDUCER``."""
    return discover("nlpviz.networks.architectures", "TRANSDUCER", Architecture)


def captioners() -> dict[str, Architecture]:
    """Return every architecture that captions images, by name: a module exports it as ``CAPTIONER``."""
    return discover("nlpviz.networks.architectures", "CAPTIONER", Architecture)
