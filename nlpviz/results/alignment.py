"""A translator's output and alignments: hypotheses with their alignments, and the tree of a beam search.

Tixier (2018), section 7.1; Luong, Pham and Manning (2015).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.parallel import EOS, GOES_ON, without_joiners, written_spans
from nlpviz.text.vocabulary import EncodedText

_LEAST = 1e-30
"""Stands for zero where a logarithm or a quotient is taken."""


class TranslationError(ValueError):
    """A requested translation is impossible; the message is one sentence for people."""


class Alternative(NamedTuple):
    """A candidate target word at one position.

    Attributes:
        word: in the vocabulary's spelling, with joiners.
        log_probability: given the words before it.
        id: in the target vocabulary.
    """

    word: str
    log_probability: float
    id: int


class Copy(NamedTuple):
    """A word of a translation that was copied from the source, for the model wrote the unknown word.

    Attributes:
        start: where it begins in the translation's text.
        end: where it ends.
        source: the position of the source token, from 0.
    """

    start: int
    end: int
    source: int


@dataclass(frozen=True)
class Hypothesis:
    """A translation of T words, its end among them, of a source of S read tokens.

    Attributes:
        words: in the vocabulary's spelling, with joiners; the last one is the boundary where the translation ended.
        ids: of the words in the target vocabulary.
        text: the words put together.
        log_probabilities: float32 (T,), of each word given those before it.
        alignment: float32 (T, S), the weight of each source token when a word was chosen; None without attention.
            A row of global attention sums to one, one of local attention to less, for the Gaussian takes from it.
        centres: float32 (T,), the p_t of local attention, the first source token being 0; None otherwise.
        score: the sum of the log-probabilities over the length penalty.
        copied: for each word the source token that it is a copy of, for the model wrote the unknown word, or None.
        forced: how many of the first words were given, not chosen.
    """

    words: tuple[str, ...]
    ids: tuple[int, ...]
    text: str
    log_probabilities: NDArray[np.float32]
    alignment: NDArray[np.float32] | None
    centres: NDArray[np.float32] | None
    score: float
    copied: tuple[int | None, ...]
    forced: int = 0

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.log_probabilities, self.alignment, self.centres):
            if array is not None:
                array.setflags(write=False)

    @property
    def ended(self) -> bool:
        """Whether the translation ended by itself, before the maximum length."""
        return self.words[-1:] == (EOS,)

    @property
    def total(self) -> float:
        """The log-probability of all words together."""
        return float(self.log_probabilities.sum(dtype=float))

    @property
    def shown(self) -> tuple[str, ...]:
        """The words as they are shown by themselves, the boundary among them."""
        return tuple(map(without_joiners, self.words))

    @property
    def copies(self) -> list[Copy]:
        """The positions of the copied words in :attr:`text`, in their order."""
        spans = zip(written_spans(self.words), self.copied, strict=True)
        return [Copy(*span, source) for span, source in spans if source is not None]

    @cached_property
    def entropies(self) -> NDArray[np.float64]:
        """The entropy of each word's alignment in nats, (T,), its weights made to sum to one; empty without one."""
        if self.alignment is None:
            return np.zeros(0)
        shares = self.alignment / np.maximum(self.alignment.sum(axis=1, keepdims=True, dtype=float), _LEAST)
        result: NDArray[np.float64] = np.abs(np.sum(shares * np.log(np.maximum(shares, _LEAST)), axis=1))
        return result

    @cached_property
    def coverage(self) -> NDArray[np.float64]:
        """How much attention each source token got from all words together, (S,); empty without alignment.

        Tu, Lu, Liu, Liu and Li (2016), *Modeling Coverage for Neural Machine Translation*, section 3.1.
        """
        return np.zeros(0) if self.alignment is None else self.alignment.sum(axis=0, dtype=float)


class NodeStatus(StrEnum):
    """What became of a word that a beam search looked at."""

    KEPT = "kept"
    ENDED = "ended"
    PRUNED = "pruned"
    GREEDY = "greedy only"  # on the greedy path, which the beam had left


class BeamNode(NamedTuple):
    """One word of a beam's tree.

    Attributes:
        parent: the node before it, by its position in :attr:`BeamTree.nodes`; -1 at the first word.
        step: from 0.
        word: without joiners.
        log_probability: given the words before it.
        total: of all words so far.
        score: the total over the length penalty: what decides between translations once they have ended. On the way
            the search keeps those of the largest total.
        status: what became of it.
        id: of the word in the target vocabulary.
    """

    parent: int
    step: int
    word: str
    log_probability: float
    total: float
    score: float
    status: NodeStatus
    id: int


@dataclass(frozen=True)
class BeamTree:
    """All candidates of a beam search for one sentence, step by step.

    Attributes:
        width: hypotheses that a step keeps, those that have ended before counted.
        penalty: α of the length penalty.
        nodes: words, those of a step together, a step's best first and what only greedy search reached last.
        ends: for each hypothesis of the translation, the best first, the node of its last word.
        greedy: the nodes of the greedy path, one a step.
    """

    width: int
    penalty: float
    nodes: tuple[BeamNode, ...]
    ends: tuple[int, ...]
    greedy: tuple[int, ...]

    @property
    def steps(self) -> int:
        """How many steps the search took, or greedy search where that took more."""
        return 1 + max((node.step for node in self.nodes), default=-1)

    def path(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the first word to ``node``."""
        result: list[int] = []
        while node >= 0:
            result.append(node)
            node = self.nodes[node].parent
        return tuple(reversed(result))

    def words(self, node: int) -> tuple[str, ...]:
        """Return the words from the first one to that of ``node``."""
        return tuple(self.nodes[position].word for position in self.path(node))


@dataclass(frozen=True)
class Translation:
    """The translation of a sentence by one epoch of a run.

    Attributes:
        run: its name.
        epoch: of its weights; 0 is before training.
        encoded: the source as the model saw it.
        source_language: for example ``"en"``.
        target_language: for example ``"fr"``.
        width: of the beam; 1 is greedy.
        penalty: α of the length penalty.
        hypotheses: the best first; none where the source has no word.
        window: D of local attention; None otherwise.
        alignment_of: which attention of a network that has several the alignments are, for example
            ``"layer 2 of 3, mean of 4 heads"``; None otherwise.
        alternatives: for each word of the best hypothesis the most probable words in its position, the best first.
        tree: of the search, where it was asked for.
    """

    run: str
    epoch: int
    encoded: EncodedText
    source_language: str
    target_language: str
    width: int
    penalty: float
    hypotheses: tuple[Hypothesis, ...]
    window: int | None = None
    alignment_of: str | None = None
    alternatives: tuple[tuple[Alternative, ...], ...] = ()
    tree: BeamTree | None = None

    @property
    def text(self) -> str:
        """The best translation; empty where there is none."""
        return self.hypotheses[0].text if self.hypotheses else ""

    @property
    def source_words(self) -> tuple[str, ...]:
        """The read tokens as they were typed, pieces of words with the mark of :func:`without_joiners`."""
        return tuple(
            without_joiners(self.encoded.text[token.start : token.end] + GOES_ON * token.word.endswith(GOES_ON))
            for token in self.encoded.read
        )


def gaussian(centres: NDArray[np.floating], window: int, length: int) -> NDArray[np.float64]:
    """Return exp(-(i - p_t)² / 2σ²), σ = D / 2, of ``centres`` (T,) at each of ``length`` places, zero beyond D.

    Tixier (2018), equation 22: what the softmax within the window is multiplied by.
    """
    offsets = np.arange(length) - np.asarray(centres, dtype=float)[:, None]
    shares: NDArray[np.float64] = np.exp(-2 * (offsets / window) ** 2) * (np.abs(offsets) <= window)
    return shares
