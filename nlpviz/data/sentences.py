"""Example sentences to translate: written for this project, copied from no corpus."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class ExampleSentence:
    """One English sentence, made to show something.

    Attributes:
        id: a short name for a link, for example ``"two-colours"``.
        title: two to five words for a menu.
        kind: what it is an example of, for example ``"word-order"``; of the kind ``"phrase"`` are those for a map.
        text: the sentence as it would be typed; of the kind ``"tree"`` in brackets, as
            :func:`nlpviz.text.trees.parse` reads it.
    """

    id: str
    title: str
    kind: str
    text: str


@cache
def sentences() -> tuple[ExampleSentence, ...]:
    """Return the example sentences in the order of ``sentences.toml``, which a menu keeps."""
    with Path(__file__).with_name("sentences.toml").open("rb") as stream:
        return tuple(ExampleSentence(**entry) for entry in tomllib.load(stream)["sentence"])
