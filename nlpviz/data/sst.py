"""The Stanford Sentiment Treebank: 11,855 sentences of film reviews, parsed, with a label at every phrase.

Socher, Perelygin, Wu, Chuang, Manning, Ng and Potts (2013), *Recursive Deep Models for Semantic Compositionality Over a
Sentiment Treebank*. Labels are those of the five classes, 0 very negative to 4 very positive; 2 is neutral.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.data import Corpus, DataError
from nlpviz.data.files import locate, verify
from nlpviz.discovery.read_once import ReadOnce

if TYPE_CHECKING:  # it needs numpy, and corpora are listed without
    from nlpviz.text.trees import Tree

SPLITS = ("train", "dev", "test")
CLASSES = ("very negative", "negative", "neutral", "positive", "very positive")
NEUTRAL = 2
_LARGEST = 1 << 22  # bytes unpacked; the largest has 2.2 million


@dataclass(frozen=True)
class Treebank:
    """The trees of one split; ``ids`` are their names, ``"test/17"`` the seventeenth."""

    split: str
    trees: tuple[Tree, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """What each tree is called."""
        return tuple(f"{self.split}/{place}" for place in range(1, len(self.trees) + 1))

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self.trees)


def read(split: str) -> Treebank:
    """Return the trees of ``"train"``, ``"dev"`` or ``"test"``.

    Raises:
        CorpusMissing: if the file is not on this machine.
        DataError: if there is no such split, or the file is wrong.
    """
    from nlpviz.text.trees import TreeError, parse

    try:
        return Treebank(split, tuple(map(parse, _lines(split))))
    except TreeError as error:
        raise DataError(f"The split {split} of the Stanford Sentiment Treebank cannot be read: {error}") from error


def find(tree_id: str) -> str:
    """Return the sentence called ``tree_id``, split and place from 1, such as ``"test/17"``, with its brackets.

    Raises:
        CorpusMissing: if it is not on this machine.
        DataError: if there is no such sentence.
    """
    split, _, place = tree_id.partition("/")
    if split in SPLITS and place.isdecimal() and len(place) < 10:
        lines = _lines(split)
        if 1 <= int(place) <= len(lines):
            return lines[int(place) - 1]
    raise DataError(f"The Stanford Sentiment Treebank has no sentence {tree_id!r}; ids look like 'test/17'.")


def _lines(split: str) -> list[str]:
    """Return the trees of a split in brackets, as a slash and an asterisk are meant: the file escapes them."""
    if split not in SPLITS:
        raise DataError(f"The Stanford Sentiment Treebank has no split {split!r}; available: {', '.join(SPLITS)}.")
    path = locate(CORPUS)
    verify(CORPUS, path)
    try:
        return _unpacked(path)[split]
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error


@ReadOnce
def _unpacked(path: Path) -> dict[str, list[str]]:
    """Return the lines of each split: 3.5 MB, which a page of phrases asks for a hundred times."""
    result = {}
    with zipfile.ZipFile(path) as archive:
        for split in SPLITS:
            with archive.open(f"trees/{split}.txt") as stream:
                content = stream.read(_LARGEST).decode("utf-8")
            result[split] = content.replace("\\/", "/").replace("\\*", "*").removesuffix("\n").split("\n")
    return result


CORPUS = Corpus(
    name="sst",
    title="Stanford Sentiment Treebank",
    file="trainDevTestTrees_PTB.zip",
    url="https://nlp.stanford.edu/sentiment/trainDevTestTrees_PTB.zip",
    size=789_539,
    sha256=(
        "5c613a4f673fc74097d523a2c83f38e0cc462984d847b82c7aaf36b01cbbbfcc",
        "93af8429f07678dcd916817fe1d2e437d60624c568d50c85d5b22325229e4732",  # the same members, packed again
    ),
    licence="No licence is stated; the sentences are from reviews on rottentomatoes.com (Pang and Lee 2005).",
    citation=(
        "Richard Socher, Alex Perelygin, Jean Wu, Jason Chuang, Christopher D. Manning, Andrew Y. Ng and Christopher "
        "Potts (2013): Recursive Deep Models for Semantic Compositionality Over a Sentiment Treebank. "
        "https://aclanthology.org/D13-1170"
    ),
    read=read,
    find=find,
    held_out=SPLITS[1:],
    document="sentence",
    written="parsed sentences from English film reviews",
    splits="The splits are those of the treebank; its development set is used for validation.",
)
