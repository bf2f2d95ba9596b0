"""A toy corpus with a planted rule, recipes for it, and the runs that they make, in the real run format.

A text is a dozen dull words with one that decides in a random place: ``dreadful`` makes it negative,
``splendid`` positive. Every classifier learns that in a second, and every method must find that word.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.attribution import integrated_gradients
from nlpviz.analysis.inspection import dynamics_survey
from nlpviz.analysis.projections import project_run, write_maps
from nlpviz.data import Corpus
from nlpviz.data.columns import LabelledTexts
from nlpviz.discovery import discover
from nlpviz.networks.architectures import Architecture, Classifier, architectures, untrained_instance
from nlpviz.run_kinds.classifier_survey import survey
from nlpviz.runs import Run
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training import Options, Recipe
from nlpviz.training.baseline import BaselineSettings, baseline_recipe
from nlpviz.training.batches import Labelled
from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.fit import FitSettings
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes

CLASSES = ("negative", "positive")
PLANTED = ("dreadful", "splendid")
DULL_WORDS = (
    "a actor and are book by camera city day film for from he house in is it man music night of on people scene "
    "she story the there they this time to town was watched we were with woman year"
)
DULL = DULL_WORDS.split()
ATTENTIVE = ("attentive-rnn", "han", "transformer-encoder")
"""They attend to words, to sentences, and from word to word."""
SIZES = {"train": 240, "test": 90}
FIT = FitSettings(epochs=3, patience=3, batch_size=8, learning_rate=1e-2, moments=4)


@cache
def read(split: str) -> LabelledTexts:
    """Return the texts of a split, as many of each label."""
    rng = np.random.default_rng(list(split.encode()))
    labels = np.arange(SIZES[split], dtype=np.int8) % 2
    texts = []
    for label in labels:
        words = list(rng.choice(DULL, size=rng.integers(3, 13)))
        words.insert(rng.integers(len(words) + 1), PLANTED[label])
        texts.append(" ".join(words))
    ids = [f"{split}/{number}" for number in range(len(texts))]
    return LabelledTexts(ids, np.where(labels, 9, 2).astype(np.int8), labels, texts)


def find(text_id: str) -> str:
    """Return the text called ``text_id``."""
    split, number = text_id.split("/")
    return read(split).texts[int(number)]


CORPUS = Corpus(
    name="toy",
    title="Toy texts",
    file="toy.txt",
    url="https://example.org/toy.txt",
    size=0,
    sha256=("0" * 64,),
    licence="Made up.",
    citation="Nobody",
    read=read,
    find=find,
    document="review",
    states_ratings=True,
)


def classifiers() -> dict[str, Architecture]:
    """Return the architectures that classify texts, by name."""
    fifty = {"vocabulary_size": 50}
    return {
        name: one for name, one in architectures().items() if isinstance(untrained_instance(name, fifty), Classifier)
    }


def settings(architecture: str, fit: FitSettings = FIT) -> ClassifierSettings:
    """Return what trains an architecture, with its own default sizes, on the toy corpus."""
    return ClassifierSettings(
        corpus="toy",
        class_names=CLASSES,
        architecture=architecture,
        config={},
        vocabulary_size=100,
        max_length=20,
        validation=60,
        kept_documents=60,
        fit=fit,
    )


def recipe(architecture: str, fit: FitSettings = FIT) -> Recipe:
    """Return the recipe of ``toy-<architecture>``."""
    return classifier_recipe(f"toy-{architecture}", f"Toy {architecture}", settings(architecture, fit))


def baseline() -> Recipe:
    """Return the recipe of ``toy-ngrams``."""
    return baseline_recipe("toy-ngrams", "Toy n-grams", BaselineSettings(corpus="toy", class_names=CLASSES))


def vocabulary() -> Vocabulary:
    """Return the words of the toy corpus."""
    return Vocabulary.count([text.split() for text in read("train").texts], 100)


def labelled(split: str, count: int | None = None) -> Labelled:
    """Return (the first ``count``) encoded texts of a split."""
    texts, words = read(split), vocabulary()
    return Labelled([words.ids(text.split()) for text in texts.texts[:count]], texts.labels[:count])


@contextmanager
def discovered(folder: Path) -> Iterator[None]:
    """Let the package find the toy corpus and recipes, each a file in ``folder``, as it finds its own."""
    files = {
        "nlpviz.data": {"toy_texts": "from tests.toy import CORPUS"},
        "nlpviz.training.recipes": {
            "toy_ngrams": "from tests import toy; RECIPE = toy.baseline()",
            **{f"toy_{name}": f"from tests import toy; RECIPE = toy.recipe({name!r})" for name in classifiers()},
        },
    }
    with pytest.MonkeyPatch.context() as patch:
        for package, modules in files.items():
            add_modules(patch, package, folder / package, modules)
        try:
            yield
        finally:
            discover.cache_clear()


def add_modules(patch: pytest.MonkeyPatch, package: str, folder: Path, modules: dict[str, str]) -> None:
    """Write modules into ``folder`` and make it a part of ``package`` until ``patch`` is undone."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(f"{source}\n", encoding="utf-8")
        # Set and deleted: what is imported under this name is forgotten when the patch is undone.
        patch.setitem(sys.modules, f"{package}.{name}", sys)
        patch.delitem(sys.modules, f"{package}.{name}")
    parent = importlib.import_module(package)
    patch.setattr(parent, "__path__", [*parent.__path__, str(folder)])
    importlib.invalidate_caches()
    discover.cache_clear()


def make_runs(folder: Path, names: Sequence[str], *, maps: bool = True) -> None:
    """Make the toy runs called ``names`` in ``folder``, with maps of their documents and surveys or without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder))
        made = [produce(recipes()[name], Options(device="cpu")) for name in names]
        for run in made:
            if maps and run is not None and run.epochs:
                survey(write_maps(run, list(project_run(run))), lambda _: None)


def with_fit(**changes: object) -> FitSettings:
    """Return the toy's settings of the training loop, changed."""
    return replace(FIT, **changes)


def survey_soon(run: Run) -> Run:
    """Survey a run with fewer steps of what takes most of them: slow points and integrated gradients."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dynamics_survey, "STEPS", 30)
        patch.setattr(integrated_gradients, "MOST", integrated_gradients.STEPS)
        return survey(run, lambda _: None)


def survey_attention(folder: Path) -> None:
    """Survey the runs in ``folder`` of the networks with attention."""
    for name in ATTENTIVE:
        survey_soon(Run.open(folder / f"toy-{name}"))
