"""User data as a corpus, described by the recipe of the runs that are trained on it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from nlpviz.data import Corpus
from nlpviz.data.own_texts.names import KEPT_TEXTS
from nlpviz.data.own_texts.readers import OwnReader, readers
from nlpviz.data.own_texts.recipe import OwnRecipe, TextsRecipe
from nlpviz.data.own_texts.rows import OwnTextsError


def own_corpus(recipe: OwnRecipe, folder: Path) -> Corpus:
    """Return the corpus that a recipe describes, whose texts the run in ``folder`` may keep.

    Raises:
        OwnTextsError: if the recipe is for what this version does not know.
    """
    texts, reader = recipe.texts, _reader(recipe.texts)
    name = " and ".join(Path(path).name for path, _ in texts.parts)
    return Corpus(
        name=recipe.name,
        title=name,
        file=name,
        url="",
        size=0,
        sha256=tuple(sha256 for _, sha256 in texts.parts),
        licence="",
        citation="",
        read=partial(reader.read, texts, folder / KEPT_TEXTS),
        find=partial(reader.find, texts, folder / KEPT_TEXTS),
        written=reader.written,
        splits=reader.said(texts),
    )


def keep_texts(recipe: OwnRecipe, kept: Path) -> None:
    """Write the texts of a recipe into a file, which stands in a run's folder as :data:`KEPT_TEXTS`."""
    _reader(recipe.texts).keep(recipe.texts, kept)


def _reader(texts: TextsRecipe) -> OwnReader:
    known = readers()
    if texts.task not in known:
        raise OwnTextsError(f"The recipe has the unknown task {texts.task!r}; available: {', '.join(known)}.")
    return known[texts.task]
