"""Example texts for the pages where a text is typed: written for this project, copied from no corpus."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Example:
    """One text, made to show something.

    Attributes:
        id: a short name for a link, for example ``"double-negation"``.
        title: two to five words for a menu.
        label: what a person who reads it all would say: of a review ``"positive"``, ``"negative"`` or ``"mixed"``.
        kind: what it is an example of, for example ``"negation"`` or ``"irony"``.
        text: as it would be typed.
        corpus: the name of the one that it is written like.
    """

    id: str
    title: str
    label: str
    kind: str
    text: str
    corpus: str = "imdb"


@cache
def examples(corpus: str = "imdb") -> tuple[Example, ...]:
    """Return the examples that are written like a corpus, in the order of ``examples.toml``, which a menu keeps."""
    return tuple(one for one in every_example() if one.corpus == corpus)


@cache
def every_example() -> tuple[Example, ...]:
    """Return all examples in the order of ``examples.toml``."""
    with Path(__file__).with_name("examples.toml").open("rb") as stream:
        return tuple(Example(**entry) for entry in tomllib.load(stream)["example"])
