"""Corpora, one a file: each says what it is, where it comes from, on what terms, and how to read it.

A module of this package that defines a constant ``CORPUS`` of type :class:`Corpus` is found by
:func:`corpora`; nothing else lists it. Importing this package loads neither numpy, pyarrow nor pooch: only
reading does.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass

from nlpviz.discovery import discover


class DataError(Exception):
    """A corpus is unavailable or unreadable; the message is one sentence that a person can act on."""


class CorpusMissing(DataError):  # noqa: N818 (its name says what is wrong)
    """A corpus is not on this machine; the message names the command that fetches it."""


@dataclass(frozen=True)
class Corpus:
    """One corpus, as its publisher describes it.

    Attributes:
        name: what it is called on the command line and in a run's provenance, for example ``"imdb"``.
        title: its name in full.
        file: the file's own name, as published.
        url: where the file is downloaded from.
        size: bytes of the file at ``url``.
        sha256: accepted checksums in hexadecimal: first that of the file at ``url``, then those of copies
            that are packed differently but hold the same records.
        licence: the terms, in a sentence.
        citation: what to cite.
        read: returns the records of the split that it is given.
        find: returns the text of the document that it is given the id of.
        instead: for a corpus that nobody offers for download, the one to fetch in its place; ``url`` says whence it is.
        parts: of a corpus that is published as several files, one a file; ``file`` is then the folder that they are in.
        splits: how its splits came about, in sentences for a run's card, where that bears on what runs reach.
        document: what one of its texts is called: a word for sentences.
        written: what its texts are, for a card: "It was trained on … and nothing else".
        held_out: the split by which the epoch of a translator or of a network that captions is chosen, then those that
            it is measured on.
        states_ratings: whether its texts may state their own label as a rating, such as 7/10.
        drawn: whether the project draws its records from seeds: there is no file, and ``sha256`` is of the records.
    """

    name: str
    title: str
    file: str
    url: str
    size: int
    sha256: tuple[str, ...]
    licence: str
    citation: str
    read: Callable[[str], Sized]
    find: Callable[[str], str]
    instead: str = ""
    parts: tuple[Corpus, ...] = ()
    splits: str = ""
    document: str = "text"
    written: str = "the texts of its corpus"
    held_out: tuple[str, ...] = ("validation", "test")
    states_ratings: bool = False
    drawn: bool = False


def corpora() -> dict[str, Corpus]:
    """Return every corpus by its name, in alphabetical order."""
    return discover("nlpviz.data", "CORPUS", Corpus)


def corpus_named(name: str) -> Corpus:
    """Return the corpus called ``name``: a published corpus, or the user data on which a run was trained.

    Raises:
        DataError: if there is none, naming those there are.
    """
    known = corpora()
    if name in known:
        return known[name]
    for find in _elsewhere:
        if corpus := find(name):
            return corpus
    raise DataError(f"There is no corpus {name!r}; available: {', '.join(known)}.")


def look_elsewhere(find: Callable[[str], Corpus | None]) -> None:
    """Have :func:`corpus_named` ask ``find`` for corpora that nobody published.

    Their recipes lie in the folders of runs, which this package knows nothing of: :mod:`nlpviz.runs` calls this.
    """
    _elsewhere.append(find)


_elsewhere: list[Callable[[str], Corpus | None]] = []
