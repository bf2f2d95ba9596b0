"""Example passages for the pages of language models: written for this project, copied from no corpus."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Passage:
    """One passage, made to show something.

    Attributes:
        id: a short name for a link, for example ``"agreement"``.
        title: two to five words for a menu.
        reads: the name of the tokenizer of the models that it is for.
        text: as it would be typed.
    """

    id: str
    title: str
    reads: str
    text: str


@cache
def passages() -> tuple[Passage, ...]:
    """Return the passages in the order of ``passages.toml``, which a menu keeps."""
    with Path(__file__).with_name("passages.toml").open("rb") as stream:
        return tuple(Passage(**entry) for entry in tomllib.load(stream)["passage"])
