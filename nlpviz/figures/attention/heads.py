"""Which weights of a text's self-attention figures show: layer, head, window of words, chosen word; and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import panels
from nlpviz.figures.view import Table, provenance
from nlpviz.results.attention import TextAttention
from nlpviz.text.vocabulary import Token, shortened

WHOLE, WINDOW = 60, 40
"""Tokens up to which a text is shown whole; of a longer one, so many at a time."""
FROM, TO = "from", "to"
_LETTERS = 14


@dataclass(frozen=True)
class HeadChoice:
    """Which weights are shown.

    Attributes:
        layer: from 0; None is the mean of all.
        head: from 0; None is the mean of all.
        first: the position of the first token shown.
        last: the place after the last one.
        side: ``"from"`` for what a chosen word attends to, ``"to"`` for what attends to it.
        position: of the chosen word; None where no word is chosen.
    """

    layer: int | None = None
    head: int | None = None
    first: int = 0
    last: int = WHOLE
    side: str = FROM
    position: int | None = None

    def matrix(self, result: TextAttention) -> NDArray[np.float32]:
        """Return the weights of all tokens (T, T): rows are queries."""
        if result.heads is None:
            raise ValueError(f"the network of {result.run} has no self-attention")
        layers = result.heads.mean(axis=0) if self.layer is None else result.heads[self.layer]
        chosen: NDArray[np.float32] = layers.mean(axis=0) if self.head is None else layers[self.head]
        return chosen

    @property
    def title(self) -> str:
        """What people call it."""
        layer = "all layers" if self.layer is None else f"layer {self.layer + 1}"
        return f"{layer}, {'mean of all heads' if self.head is None else f'head {self.head + 1}'}"


def windows(count: int) -> list[tuple[int, int]]:
    """Return the windows of a text of ``count`` tokens, each (first, last): the whole text where it is short."""
    if count <= WHOLE:
        return [(0, count)]
    starts = [*range(0, count - WINDOW, WINDOW), count - WINDOW]
    return [(start, start + WINDOW) for start in starts]


def tokens_shown(result: Sequence[TextAttention], choice: HeadChoice) -> list[tuple[int, Token]]:
    """Return the tokens of the window that all models read, with their positions."""
    read = min(len(one.words) for one in result)
    return list(enumerate(result[0].text.read[:read]))[choice.first : choice.last]


def words_shown(result: Sequence[TextAttention], choice: HeadChoice) -> list[str]:
    """Return the words of the window, long ones shortened: each is written as often as there are words."""
    words = (token.word for _, token in tokens_shown(result, choice))
    return [shortened(word, _LETTERS) for word in words]


def word_labels(result: Sequence[TextAttention], choice: HeadChoice) -> list[str]:
    """Return what stands at each token of the window: the word, shortened and escaped; a chosen one is bold."""
    words = enumerate(words_shown(result, choice), start=choice.first)
    return [f"<b>{escape(word)}</b>" if position == choice.position else escape(word) for position, word in words]


def matrices(result: Sequence[TextAttention], choice: HeadChoice) -> list[NDArray[np.float32]]:
    """Return the chosen weights (W, W) of each checkpoint, of the tokens of the window that all models read."""
    count = len(tokens_shown(result, choice))
    span = slice(choice.first, choice.first + count)
    return [choice.matrix(one)[span, span] for one in result]


def describe(result: Sequence[TextAttention], choice: HeadChoice) -> str:
    """Return the figure's words: the three largest weights of each checkpoint."""
    tokens = words_shown(result, choice)
    parts = []
    for panel, matrix in zip(panels.arrange(result), matrices(result, choice), strict=True):
        largest = np.argsort(-matrix, axis=None, kind="stable")[:3].tolist()
        pairs = [divmod(position, len(tokens)) for position in largest] if tokens else []
        said = ", ".join(f"{tokens[row]} to {tokens[column]} {matrix[row, column]:.0%}" for row, column in pairs)
        parts.append(f"{panel.title}: {said or 'no words were read'}")
    return f"Attention from each of {len(tokens)} words, {choice.title}. {'; '.join(parts)}."


def caption(result: Sequence[TextAttention], choice: HeadChoice) -> str:
    """Return the figure's provenance: checkpoints, layer and head, and which words of the text are shown."""
    shown, chosen = len(tokens_shown(result, choice)), panels.reference(result)
    total = len(chosen.words)
    part = (
        f"words {choice.first + 1} to {choice.first + shown} of {total:,}" if shown < total else f"all {total:,} words"
    )
    return provenance(panels.checkpoints(result), choice.title, part)


def pair_table(result: Sequence[TextAttention], choice: HeadChoice) -> Table:
    """Return a row for each query and key of the window, a column of weights for each checkpoint."""
    words = words_shown(result, choice)
    count = len(words)
    positions = np.arange(choice.first + 1, choice.first + count + 1)
    table: Table = {
        "query position": np.repeat(positions, count),
        "query": [word for word in words for _ in words],
        "key position": np.tile(positions, count),
        "key": words * count,
    }
    for panel, matrix in zip(panels.arrange(result), matrices(result, choice), strict=True):
        table[f"weight, {panel.heading}"] = matrix.ravel()
    return table
