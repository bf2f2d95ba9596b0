"""Word vectors written in word2vec's format, not normalised, for gensim and other readers."""

from __future__ import annotations

from pathlib import Path

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.formats.limits import FormatError
from nlpviz.word_vectors.lookup import shown


def write_text(path: Path, vectors: WordVectors) -> None:
    """Write word2vec text: nine digits per number, from which the same single-precision number is read.

    Raises:
        FormatError: if a word cannot be written, for it holds a space.
    """
    _check(vectors)
    form = " ".join(["%.9g"] * vectors.dimensions)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{len(vectors)} {vectors.dimensions}\n")
        for position, word in enumerate(vectors.words):
            stream.write(f"{word} {form % tuple(vectors.vector(position).tolist())}\n")


def write_binary(path: Path, vectors: WordVectors) -> None:
    """Write word2vec binary.

    Raises:
        FormatError: if a word cannot be written, for it holds a space.
    """
    _check(vectors)
    with path.open("wb") as stream:
        stream.write(f"{len(vectors)} {vectors.dimensions}\n".encode())
        for position, word in enumerate(vectors.words):
            stream.write(b"%s %s\n" % (word.encode(), vectors.vector(position).astype("<f4").tobytes()))


def _check(vectors: WordVectors) -> None:
    """Refuse words that these formats have no way to write."""
    for word in vectors.words:
        if not word or set(word) & set(" \t\r\n"):
            raise FormatError(f"The word {shown(word)} contains whitespace, which word2vec formats do not support.")
