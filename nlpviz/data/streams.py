"""Splits of a corpus that are read as one text: whole by language models, piece by piece where words alone count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpviz.data import DataError

if TYPE_CHECKING:
    from nlpviz.text.tokenizers import Tokenizer


@dataclass(frozen=True)
class Pieces:
    """A text of any length, read anew each time, in constant memory.

    Attributes:
        read: yields it in pieces, each with whether a document ends with it.
        size: bytes of its file.
    """

    read: Callable[[], Iterator[tuple[str, bool]]]
    size: int

    def __len__(self) -> int:
        """Return the number of bytes."""
        return self.size


@dataclass(frozen=True)
class TextStream:
    """One split.

    Attributes:
        split: its name.
        text: as published.
        parted: whether white space parts its tokens already.
    """

    split: str
    text: str
    parted: bool = False

    def __len__(self) -> int:
        """Return the number of characters."""
        return len(self.text)

    @property
    def lines(self) -> list[str]:
        """The lines, blank ones too, without their ends."""
        return self.text.removesuffix("\n").split("\n")

    def tokens(self, tokenizer: Tokenizer) -> list[str]:
        """Return its tokens; where white space parts them, each line is ended by one, blank lines too."""
        from nlpviz.text.tokenizers import EOS  # and with it numpy

        if self.parted:
            return [word for line in self.lines for word in (*line.split(), EOS)]
        return [token.word for token in tokenizer.tokens(self.text)]


def line_called(name: str, read: Callable[[str], TextStream], title: str) -> str:
    """Return a line by its split and number from 1, as ``"test/17"``.

    Raises:
        CorpusMissing: if the corpus is not on this machine.
        DataError: if there is no such line.
    """
    split, _, number = name.partition("/")
    if number.isdecimal() and len(number) < 10:
        lines = read(split).lines
        if 1 <= int(number) <= len(lines):
            return lines[int(number) - 1]
    raise DataError(f"{title} has no line {name!r}; ids look like 'test/17'.")
