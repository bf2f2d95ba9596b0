"""Which translators are compared with each other: those of two languages, on the same sentences."""

from __future__ import annotations

from typing import NamedTuple

from nlpviz.runs import Run
from nlpviz.runs.own_corpora import is_of_own_texts
from nlpviz.text.languages import pair_title


class TranslationPair(NamedTuple):
    """Two languages, and whose sentences in them.

    Attributes:
        corpus: its name.
        source: the language that is read.
        target: the language that is written.
        own: whether the corpus is user data.
    """

    corpus: str
    source: str
    target: str
    own: bool = False

    @property
    def key(self) -> str:
        """What stands for it in an address."""
        return f"{self.corpus}.{self.source}-{self.target}" if self.own else f"{self.source}-{self.target}"

    @property
    def title(self) -> str:
        """What people call it: ``"English to French"``, with its name where the corpus is user data."""
        languages = pair_title(self.source, self.target)
        return f"{languages} ({self.corpus})" if self.own else languages


def pair_of(run: Run) -> TranslationPair:
    """Return the languages that a translator reads and writes, and on whose sentences it was trained and measured.

    BLEU compares translators of one pair alone: on other test sentences it is another number.
    """
    return TranslationPair(run.corpus["name"], run.recipe["source"], run.recipe["target"], is_of_own_texts(run.folder))
