"""How user data are read for each learning task, one module each, found by :func:`readers`.

A reader keeps nothing of what it reads: it reads the file, as long as it is the one that the recipe names, or what a
run has kept of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass
from pathlib import Path

from nlpviz.data.own_texts.hashes import check_file
from nlpviz.data.own_texts.recipe import TextsRecipe
from nlpviz.discovery import discover


@dataclass(frozen=True)
class OwnReader:
    """What a module of this package exports as ``READER``.

    Attributes:
        name: the task in recipes that it reads for.
        read: returns the records of a split: of a recipe, the file in which a run may have kept the texts, a name.
        find: returns the text of a document, likewise.
        keep: writes the texts to a file of that kind.
        said: says in a sentence how test and validation texts were chosen.
        written: what the texts are, for a card.
    """

    name: str
    read: Callable[[TextsRecipe, Path, str], Sized]
    find: Callable[[TextsRecipe, Path, str], str]
    keep: Callable[[TextsRecipe, Path], None]
    said: Callable[[TextsRecipe], str]
    written: str = "the texts of one file"


def check_files(texts: TextsRecipe, **kept: str) -> None:
    """Refuse files that are not those of a recipe any more; ``kept`` says what no run keeps, where that is no text.

    Raises:
        CorpusMissing: if one is not there, or has changed.
    """
    tested = ((texts.test, texts.test_sha256), (texts.test_translations, texts.test_translations_sha256))
    for path, sha256 in (*texts.parts, *(one for one in tested if one[1])):
        check_file(path, sha256, **kept)


def readers() -> dict[str, OwnReader]:
    """Return every reader by the name of its task."""
    return discover("nlpviz.data.own_texts.readers", "READER", OwnReader)
