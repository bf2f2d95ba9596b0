"""The user's text for a language model: its end is the test text; pieces spread over the rest are the validation text.

Neighbours are alike: were the validation text the part right before the test text, both would be of one chapter, and
training text of another (the corpus tinyshakespeare says what that did).
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path

from nlpviz.data import DataError
from nlpviz.data.own_texts import Opened, OwnTextsError, open_running
from nlpviz.data.own_texts.readers import OwnReader, check_files
from nlpviz.data.own_texts.recipe import TextsRecipe
from nlpviz.data.streams import TextStream, line_called

SPLITS = ("train", "validation", "test")
MOST = 2**27
"""Characters that are read: a language model's text is in memory as a whole."""
_BLOCKS, _PIECE = 20, 200
"""From so many blocks of a text a piece each is for validation; from fewer where it would have fewer characters."""
_REACH = 1_000  # characters within which a line's end, else a word's, is looked for


def split(text: str, test: str, texts: TextsRecipe) -> dict[str, TextStream]:
    """Return the splits of a text; each ends with a line.

    Args:
        text: all of it.
        test: that of a test file, else ``""``.
        texts: the shares that are held out.
    """
    end = len(text) if test else _edge(text, round((1 - texts.held_out) * len(text)))
    blocks = min(max(round(texts.validation * end) // _PIECE, 1), _BLOCKS)
    edges = [_edge(text, end * block // blocks) for block in range(blocks)] + [end]
    parts: dict[str, list[str]] = {"train": [], "validation": [], "test": [test or text[end:]]}
    for first, last in pairwise(edges):
        border = _edge(text, last - round(texts.validation * (last - first)))
        parts["train"].append(text[first : min(border, last)])
        parts["validation"].append(text[min(border, last) : last])
    return {name: TextStream(name, _ended("".join(pieces))) for name, pieces in parts.items()}


def whole_text(opened: Opened) -> str:
    """Return all of a file's text.

    Raises:
        OwnTextsError: if it cannot be read, or is too long.
    """
    pieces, length = [], 0
    for piece in opened.running():
        pieces.append(piece)
        length += len(piece)
        if length > MOST:
            raise OwnTextsError(
                f"{Path(opened.source.path).name} has more than {MOST:,} characters, too many for a language "
                "model to train on in a day. Use part of it."
            )
    return "".join(pieces)


def _edge(text: str, place: int) -> int:
    """Return where the line that ``place`` stands in ends, or in a long one the word."""
    if not 0 < place < len(text):
        return max(min(place, len(text)), 0)
    for sign in "\n ":
        if (found := text.find(sign, place - 1, place + _REACH)) >= 0:
            return found + 1
    return place


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _read(texts: TextsRecipe, kept: Path, name: str) -> TextStream:
    """Return the split called ``name``.

    Raises:
        CorpusMissing: if no run keeps the text, and the file is not there or has changed.
        DataError: if there is no such split.
    """
    if name not in SPLITS:
        raise DataError(f"{Path(texts.path).name} has no split {name!r}; available: {', '.join(SPLITS)}.")
    if kept.is_file():
        return _kept(kept, kept.stat().st_mtime_ns)[name]
    check_files(texts)
    return _from_file(texts)[name]


@lru_cache(maxsize=2)
def _from_file(texts: TextsRecipe) -> dict[str, TextStream]:
    test = whole_text(open_running(texts.test_source)) if texts.test else ""
    return split(whole_text(open_running(texts.source)), test, texts)


@lru_cache(maxsize=2)
def _kept(path: Path, _changed: int) -> dict[str, TextStream]:
    import pyarrow.parquet as pq

    rows = pq.ParquetFile(path).read().to_pylist()
    return {row["split"]: TextStream(row["split"], row["text"]) for row in rows}


def _keep(texts: TextsRecipe, kept: Path) -> None:
    """Write the splits to ``kept``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = {"split": SPLITS, "text": [_read(texts, kept, name).text for name in SPLITS]}
    pq.write_table(pa.table(rows), kept, compression="zstd")


def _find(texts: TextsRecipe, kept: Path, identifier: str) -> str:
    return line_called(identifier, partial(_read, texts, kept), Path(texts.path).name)


def said(texts: TextsRecipe) -> str:
    """Return a sentence that says how test and validation text were chosen."""
    where = "Test set: a separate file" if texts.test else f"Test set: the last {texts.held_out:.0%} of the text"
    return f"{where}. Validation set: {texts.validation:.0%} of the rest, in pieces spread over the text."


READER = OwnReader("language", _read, _find, _keep, said)
