"""The states of a network that reads word by word after each word of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText


class CellPart(NamedTuple):
    """A quantity of a cell's equations.

    Attributes:
        name: the field's word, for example ``"forget gate"``.
        symbol: as the equations write it, in TeX, without the step.
        is_gate: whether it lies between 0 and 1 and says how much of something passes.
    """

    name: str
    symbol: str
    is_gate: bool


@dataclass(frozen=True)
class TextStates:
    """What a network of L layers of H units held after each of the T tokens that it read.

    Attributes:
        run: the run whose model read the text.
        epoch: the epoch of its weights; 0 is before training.
        text: the text as the model saw it.
        class_names: the classes, in the order of ``probabilities``.
        probabilities: (K,), what the model says of the whole text; they sum to one.
        after: (T, K), what it says after each token, as if the text ended there.
        states: (T, L, H), the hidden states.
        parts: gates and other quantities of the cell's equations by name, (T, L, H) each.
        about: what these are, in the order in which a person reads them.
        formula: the cell's equations in TeX, a line each.
    """

    run: str
    epoch: int
    text: EncodedText
    class_names: tuple[str, ...]
    probabilities: NDArray[np.float32]
    after: NDArray[np.float32]
    states: NDArray[np.float32]
    parts: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    about: tuple[CellPart, ...] = ()
    formula: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse states that do not match the tokens."""
        if self.after.shape != (len(self.text.ids), len(self.class_names)):
            raise ValueError("a text needs one prediction after each token read")
        if self.states.shape[:1] != (len(self.text.ids),) or self.states.ndim != 3:
            raise ValueError("states must have the shape (tokens read, layers, units)")
        if any(values.shape != self.states.shape for values in self.parts.values()):
            raise ValueError("each part must have the shape of the states")
        if [one.name for one in self.about] != list(self.parts):
            raise ValueError("each part needs a description, in the same order")
        for array in (self.probabilities, self.after, self.states, *self.parts.values()):
            array.setflags(write=False)

    @property
    def predicted(self) -> int:
        """The index of the most probable class."""
        return int(np.argmax(self.probabilities))

    @property
    def layers(self) -> int:
        """L."""
        return int(self.states.shape[1])

    @property
    def units(self) -> int:
        """H, of one layer; both directions of a bidirectional network together, the forward one first."""
        return int(self.states.shape[2])

    def values(self, name: str) -> NDArray[np.float32]:
        """Return the part called ``name``, or the hidden states for ``"hidden state"``, (T, L, H).

        Raises:
            KeyError: if the cell has no such part.
        """
        return self.states if name == HIDDEN_STATE else self.parts[name]


HIDDEN_STATE = "hidden state"
"""What the states are called beside the parts."""
