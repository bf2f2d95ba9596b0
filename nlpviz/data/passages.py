"""Example passages for language models, written for this project: in the form of the text that each learnt from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Passage:
    """One passage.

    Attributes:
        id: a short name for a link.
        title: two to five words for a menu.
        tokenizer: of the runs that it is for, a name in :data:`nlpviz.text.tokenizers.TOKENIZERS`.
        text: as it would be typed.
    """

    id: str
    title: str
    tokenizer: str
    text: str


@cache
def passages() -> tuple[Passage, ...]:
    """Return the passages in the order of ``passages.toml``, which a menu keeps."""
    with Path(__file__).with_name("passages.toml").open("rb") as stream:
        return tuple(Passage(**entry) for entry in tomllib.load(stream)["passage"])
