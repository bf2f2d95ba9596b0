"""Files of word vectors that others write: detected from their content, read with bounds, nothing unpickled.

========================  ==============================================  =================================
format                    who writes it                                   how it looks
========================  ==============================================  =================================
word2vec text             word2vec, gensim's ``save_word2vec_format``,    ``N D``, then a word and its D
                          fastText's ``.vec``                             numbers a line
word2vec binary           word2vec, gensim                                ``N D``, then single precision
GloVe text                GloVe                                           a word and its numbers a line
========================  ==============================================  =================================

Text may be compressed with gzip. A word that stands several times keeps its first vector.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.formats.binary import read_binary
from nlpviz.word_vectors.formats.export import write_binary, write_text
from nlpviz.word_vectors.formats.limits import LARGEST_BYTES, FormatError, Limits
from nlpviz.word_vectors.formats.sniff import HEAD, tell
from nlpviz.word_vectors.formats.text import read_text

__all__ = ["LARGEST_BYTES", "FormatError", "Loaded", "load", "read", "write_binary", "write_text"]

_GZIP = b"\x1f\x8b"


class Loaded(NamedTuple):
    """The content of a file.

    Attributes:
        vectors: its words.
        title: of its format.
        repeated: lines or records left out, for their word had stood before.
    """

    vectors: WordVectors
    title: str
    repeated: int


def read(path: Path, *, source: str, largest_bytes: int = LARGEST_BYTES, most_words: int | None = None) -> WordVectors:
    """Return the word vectors of a file: :func:`load` without the other facts."""
    return load(path, source=source, largest_bytes=largest_bytes, most_words=most_words).vectors


def load(path: Path, *, source: str, largest_bytes: int = LARGEST_BYTES, most_words: int | None = None) -> Loaded:
    r"""Return the word vectors stored in a file in word2vec, fastText or GloVe format.

    The format is detected from the content: word2vec text or binary, fastText's ``.vec``, or GloVe text. Text files may
    be compressed with gzip.

    Args:
        path: the file.
        source: a name for the vectors, used in captions.
        largest_bytes: the maximum size of the vectors in memory, in bytes; larger files are rejected before they are
            read.
        most_words: the number of words to read from the beginning of the file; None reads all words.

    Returns:
        The vectors, the name of the format, and the number of duplicate words, which are skipped.

    Raises:
        FormatError: if the file is not in one of these formats, is damaged or is too large.

    Example:
        >>> from pathlib import Path
        >>> from nlpviz.word_vectors.formats import load
        >>> file = Path("animals.vec")
        >>> _ = file.write_text("2 3\ncat 1 0 0\ndog 0.6 0.8 0\n")
        >>> loaded = load(file, source="two animals")
        >>> loaded.title, loaded.vectors.words
        ('word2vec text', ('cat', 'dog'))
    """
    limits = Limits(largest_bytes, most_words)
    try:
        if not path.is_file():
            raise FormatError(f"{path} is not a file.")
        packed = _head(path, packed=False)[:2] == _GZIP
        layout = tell(path.name, _head(path, packed=packed))
        if layout.binary and packed:
            raise FormatError(f"{path.name} is a compressed binary file; unpack it first.")
        if layout.binary:
            rows = read_binary(path, layout, limits)
        else:
            rows = read_text(path.name, lambda: _opened(path, packed=packed), layout, limits)
    except (OSError, EOFError, zlib.error) as problem:
        raise FormatError(f"{path} cannot be read ({type(problem).__name__}).") from None
    words = tuple(rows.words)
    if not words:
        raise FormatError(f"{path.name} contains no words.")
    vectors = WordVectors.of(source, words, rows.table[: len(words)])
    return Loaded(vectors, layout.title, rows.repeated)


def _opened(path: Path, *, packed: bool) -> BinaryIO:
    """Return the file as a stream of bytes, unpacked."""
    return cast("BinaryIO", gzip.open(path)) if packed else path.open("rb")


def _head(path: Path, *, packed: bool) -> bytes:
    """Return the beginning of a file, unpacked."""
    with _opened(path, packed=packed) as stream:
        return stream.read(HEAD)
