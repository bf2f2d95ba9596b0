"""Corpora of user data: described by the recipe in the folder of each run that is trained on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nlpviz.data import Corpus, DataError
from nlpviz.data.own_texts.names import KEPT_TEXTS, RECIPE
from nlpviz.runs.folders import roots

__all__ = ["KEPT_TEXTS", "RECIPE", "STATE", "UNFINISHED", "find_corpus"]

UNFINISHED = ".unfinished"
"""The folder, among the runs, of those that are being made."""
STATE = ".state.safetensors"
"""From which a training goes on, in the folder of an unfinished run; hidden: it is no part of the finished one."""


def find_corpus(name: str) -> Corpus | None:
    """Return the corpus called ``name`` if there is a run on it, finished or not; else None."""
    for path in _recipes(name):
        from nlpviz.data.own_texts.corpus import own_corpus
        from nlpviz.data.own_texts.recipe import read_recipe

        try:
            recipe = read_recipe(path)
        except DataError:
            continue  # another run's may be sound
        if recipe.name == name:
            return own_corpus(recipe, path.parent)
    return None


def _recipes(name: str) -> Iterator[Path]:
    """Yield the recipes of runs whose names begin with a corpus's; those of finished runs first."""
    for hidden in ("", UNFINISHED):
        for root in roots():
            there = sorted((root / hidden).glob(f"{name}*")) if name.replace("-", "").isalnum() else []
            yield from (folder / RECIPE for folder in there if (folder / RECIPE).is_file())


def is_of_own_texts(folder: Path) -> bool:
    """Return whether the run in ``folder`` was trained on user data."""
    return (folder / RECIPE).is_file()


def keeps_texts(folder: Path) -> bool:
    """Return whether the run in ``folder`` keeps the texts that it was trained on."""
    return (folder / KEPT_TEXTS).is_file()
