"""What the figures of a translation draw: its words, where each looked, and which of them was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.view import Table, provenance
from nlpviz.results.alignment import Hypothesis, Translation, gaussian
from nlpviz.text.parallel import EOS, without_joiners
from nlpviz.text.vocabulary import shortened

CENTRE = theme.CATEGORIES[2]
"""The colour of p_t and of the Gaussian round it."""
SOURCE, TARGET = "source", "target"
END = "(end)"
"""What stands in figures for the word that ends a sentence."""
_LETTERS = 13


class Chosen(NamedTuple):
    """A word that stands out: on which side, and its position from 0."""

    side: str
    position: int

    @property
    def id(self) -> str:
        """What a click on the word hands on: the side and its number from 1."""
        return f"{self.side}-{self.position + 1}"

    @classmethod
    def of(cls, identifier: str, translation: Translation) -> Chosen | None:
        """Return the word that :attr:`id` names; None where the translation has no such word."""
        side, _, number = identifier.partition("-")
        counts = {SOURCE: len(translation.source_words), TARGET: len(shown_words(translation))}
        exists = number.isdecimal() and 1 <= int(number) <= counts.get(side, 0)
        return cls(side, int(number) - 1) if exists else None


@dataclass(frozen=True)
class Aligned:
    """The best translation of a sentence with its alignment.

    Attributes:
        translation: with a hypothesis, which has an alignment.
    """

    translation: Translation

    def __post_init__(self) -> None:
        """Refuse what has no alignment."""
        if not has_alignment(self.translation):
            raise ValueError(f"the translation by {self.translation.run} has no alignment")

    @property
    def best(self) -> Hypothesis:
        """The translation that is shown."""
        return self.translation.hypotheses[0]

    @property
    def weights(self) -> NDArray[np.float32]:
        """How much each target word looked at each source word, (T, S)."""
        assert self.best.alignment is not None
        return self.best.alignment

    @property
    def source(self) -> tuple[str, ...]:
        """The words that were read, as they were typed, long ones shortened."""
        return tuple(map(shortened, self.translation.source_words))

    @property
    def target(self) -> tuple[str, ...]:
        """The words that were written, long ones shortened, :data:`END` for the end of the sentence."""
        return shown_words(self.translation)

    @property
    def centres(self) -> NDArray[np.float32] | None:
        """p_t of local attention, the first source word being 0, (T,); None otherwise."""
        return self.best.centres

    @property
    def window(self) -> int:
        """D of local attention; 0 otherwise."""
        return self.translation.window or 0

    def gaussian(self, row: int) -> NDArray[np.float64]:
        """Return what equation 22 multiplies each source word's weight by in target word ``row``, (S,)."""
        if self.best.centres is None:
            return np.ones(len(self.source))
        every = gaussian(self.best.centres[row : row + 1], self.window, len(self.source))
        return every.reshape(len(self.source))

    def strongest(self, row: int, count: int = 3) -> list[tuple[str, float]]:
        """Return the source words that target word ``row`` looked at most, with their weights."""
        order = np.argsort(-self.weights[row], kind="stable")[:count].tolist()
        return [(self.source[position], float(self.weights[row, position])) for position in order]


def has_alignment(translation: Translation) -> bool:
    """Return whether there is a translation with an alignment."""
    return bool(translation.hypotheses) and translation.hypotheses[0].alignment is not None


def shown_words(translation: Translation) -> tuple[str, ...]:
    """Return the words of the best translation without joiners, :data:`END` for its end; empty where there is none."""
    return tuple(map(shown_word, translation.hypotheses[0].words)) if translation.hypotheses else ()


def shown_word(word: str) -> str:
    """Return a target word as people read it: without joiners, not too long, :data:`END` for the boundary."""
    return END if word == EOS else shortened(without_joiners(word))


def labels(words: Sequence[str], side: str, chosen: Chosen | None) -> list[str]:
    """Return what stands at an axis: short, escaped, the chosen word bold."""
    short = [escape(shortened(word, _LETTERS)) for word in words]
    return [
        f"<b>{word}</b>" if chosen is not None and chosen == (side, position) else word
        for position, word in enumerate(short)
    ]


def room_below(words: Sequence[str]) -> int:
    """Return the pixels that ``words`` need under a figure, where they stand upright."""
    return max(30 + 7 * min(max(map(len, words), default=0), _LETTERS), 64)


def pairs_table(aligned: Aligned) -> Table:
    """Return a row for each target and source word, with the weight."""
    rows, columns = np.indices(aligned.weights.shape).reshape(2, -1)
    target, source = aligned.target, aligned.source
    return {
        "target position": rows + 1,
        "target": [target[row] for row in rows.tolist()],
        "source position": columns + 1,
        "source": [source[column] for column in columns.tolist()],
        "weight": aligned.weights.ravel(),
        "entropy of the target word, nats": aligned.best.entropies[rows],
        "coverage of the source word": aligned.best.coverage[columns],
    }


def describe(aligned: Aligned) -> str:
    """Return the figure's words: where each target word looks most."""
    said = []
    for row, word in enumerate(aligned.target):
        ((most, share),) = aligned.strongest(row, 1)
        said.append(f"{word} at {most} {share:.0%}")
    return (
        f"For each of {len(aligned.target)} target words, the source word with the most "
        f"attention{in_brackets(aligned)}: {', '.join(said)}."
    )


def in_brackets(aligned: Aligned) -> str:
    """Return which attention the weights are, for a sentence; nothing where a network has one."""
    return "".join(f" ({one})" for one in _of(aligned))


def size(aligned: Aligned) -> str:
    """Return how much is shown, for a caption."""
    return f"{len(aligned.target)} target words, {len(aligned.source)} source words"


def alignment_caption(aligned: Aligned, *parts: str) -> str:
    """Return the provenance of a figure that draws weights: the network, the search, whose weights, ``parts``."""
    return caption(aligned.translation, *_of(aligned), *parts)


def _of(aligned: Aligned) -> tuple[str, ...]:
    """Return which attention the weights are, where a network has several."""
    return () if aligned.translation.alignment_of is None else (f"attention: {aligned.translation.alignment_of}",)


def caption(translation: Translation, *parts: str) -> str:
    """Return the figure's provenance: the network, the search, ``parts``."""
    search = "greedy" if translation.width == 1 else f"beam of {translation.width}, α = {translation.penalty:g}"
    return provenance(f"{translation.run}, epoch {translation.epoch}", search, *parts)


def file_name(translation: Translation, kind: str) -> str:
    """Return the name of the figure's files."""
    return f"{translation.run}-epoch-{translation.epoch}-{kind}"
