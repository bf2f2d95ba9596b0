"""The toy corpus with a third class, whose texts state no ratings: runs with more than two classes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection import dynamics_survey, modifiers
from nlpviz.data import Corpus
from nlpviz.data.columns import LabelledTexts
from nlpviz.discovery import discover
from nlpviz.runs import Run
from nlpviz.training import Recipe
from nlpviz.training.baseline import BaselineSettings, baseline_recipe
from nlpviz.training.classifier import classifier_recipe
from tests import toy

CLASSES = ("dull.bad", "dull.middling", "dull.good")
PLANTED = ("dreadful", "middling", "splendid")


@cache
def read(split: str) -> LabelledTexts:
    """Return the texts of a split, as many of each label; one test text is empty."""
    rng = np.random.default_rng(list(split.encode()))
    labels = np.arange(toy.SIZES[split], dtype=np.int8) % 3
    texts = []
    for label in labels:
        words = list(rng.choice(toy.DULL, size=rng.integers(3, 13)))
        words.insert(rng.integers(len(words) + 1), PLANTED[label])
        texts.append(" ".join(words))
    if split == "test":
        texts[0] = ""
    ids = [f"{split}/{CLASSES[label]}/{number}" for number, label in enumerate(labels)]
    return LabelledTexts(ids, np.zeros_like(labels), labels, texts)


def find(text_id: str) -> str:
    """Return the text called ``text_id``."""
    split, _, number = text_id.split("/")
    return read(split).texts[int(number)]


CORPUS: Corpus = replace(
    toy.CORPUS,
    name="three",
    title="Three kinds of text",
    read=read,
    find=find,
    document="note",
    written="notes that a program made up",
    states_ratings=False,
)


def cnn() -> Recipe:
    """Return the recipe of ``three-cnn``."""
    settings = replace(
        toy.settings("cnn"), corpus="three", class_names=CLASSES, config={"classes": 3, "filters": 8}, kept_epochs=(0,)
    )
    return classifier_recipe("three-cnn", "CNN on three classes", settings)


def recurrent() -> Recipe:
    """Return the recipe of ``three-recurrent``."""
    settings = replace(
        toy.settings("recurrent-network"), corpus="three", class_names=CLASSES, config={"classes": 3}, kept_epochs=(0,)
    )
    return classifier_recipe("three-recurrent", "Recurrent network on three classes", settings)


def survey_states(run: Run) -> Run:
    """Measure how a run's state moves over a few texts."""
    texts = read("test")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"WALKED": 6, "STEPS": 30, "SLOW": 9.0}.items():
            patch.setattr(dynamics_survey, name, value)
        patch.setattr(modifiers, "VALENCE", (*PLANTED, "film", "music"))
        patch.setattr(modifiers, "MODIFIERS", ("was", "the"))
        return dynamics_survey.survey_dynamics(run, texts.texts[:21], texts.labels[:21])


def ngrams() -> Recipe:
    """Return the recipe of ``three-ngrams``."""
    return baseline_recipe("three-ngrams", "N-grams on three classes", BaselineSettings("three", CLASSES, shown=5))


@contextmanager
def discovered(folder: Path) -> Iterator[None]:
    """Let the package find the corpus and its recipes, each a file in ``folder``, as it finds its own."""
    files = {
        "nlpviz.data": {"three_texts": "from tests.three import CORPUS"},
        "nlpviz.training.recipes": {
            "three_cnn": "from tests import three; RECIPE = three.cnn()",
            "three_recurrent": "from tests import three; RECIPE = three.recurrent()",
            "three_ngrams": "from tests import three; RECIPE = three.ngrams()",
        },
    }
    with pytest.MonkeyPatch.context() as patch:
        for package, modules in files.items():
            toy.add_modules(patch, package, folder / package, modules)
        try:
            yield
        finally:
            discover.cache_clear()
