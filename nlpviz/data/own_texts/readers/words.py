"""The user's text for word vectors: one row of words, read as a stream; a document ends where a line does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from nlpviz.data import DataError
from nlpviz.data.own_texts import Opened, OwnTextsError, open_running
from nlpviz.data.own_texts.readers import OwnReader, check_files
from nlpviz.data.own_texts.recipe import TextsRecipe
from nlpviz.data.plain_words import no_documents
from nlpviz.data.streams import Pieces

SPLIT = "train"


def pieces(opened: Opened) -> Iterator[tuple[str, bool]]:
    """Yield the text of a file piece by piece, and whether a line ends with it."""
    return ((piece, piece.endswith("\n")) for piece in opened.running())


def _read(texts: TextsRecipe, _: Path, name: str) -> Pieces:
    """Return the text, which has one split.

    Raises:
        CorpusMissing: if the file is not there or has changed.
        DataError: if there is no such split.
    """
    if name != SPLIT:
        raise DataError(f"{Path(texts.path).name} has no split {name!r}; available: {SPLIT}.")
    check_files(texts)
    opened = open_running(texts.source)
    return Pieces(partial(pieces, opened), Path(texts.path).stat().st_size)


def _find(texts: TextsRecipe, _: Path, identifier: str) -> str:
    return no_documents(Path(texts.path).name, identifier)


def _keep(*_: object) -> None:
    raise OwnTextsError("Runs of word vectors do not store texts. Omit --keep-texts.")


READER = OwnReader("words", _read, _find, _keep, lambda _: "The whole text is used for training; nothing is held out.")
