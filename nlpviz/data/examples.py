"""Example reviews for the pages where a text is typed: written for this project, copied from no corpus."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Example:
    """One review, made to show something.

    Attributes:
        id: a short name for a link, for example ``"double-negation"``.
        title: two to five words for a menu.
        label: what a person who reads it all would say.
        kind: what it is an example of, for example ``"negation"`` or ``"irony"``.
        text: the review as it would be typed.
    """

    id: str
    title: str
    label: Literal["positive", "negative", "mixed"]
    kind: str
    text: str


@cache
def examples() -> tuple[Example, ...]:
    """Return the example reviews in the order of ``examples.toml``, which a menu keeps."""
    with Path(__file__).with_name("examples.toml").open("rb") as stream:
        return tuple(Example(**entry) for entry in tomllib.load(stream)["example"])
