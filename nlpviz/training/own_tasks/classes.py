"""Classes: any classifier, with a baseline, and word vectors if they are trained first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from nlpviz.data.own_texts import OwnTextsError, Source, open_source
from nlpviz.data.own_texts.classes import classes_of
from nlpviz.data.own_texts.collect import gather
from nlpviz.data.own_texts.profile import Looked, report
from nlpviz.data.own_texts.readers.classes import READER, OwnSplit, split
from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe
from nlpviz.results.own_texts import Expected
from nlpviz.runs import open_run
from nlpviz.runs.epochs import SPARSE, kept_of
from nlpviz.runs.vectors import KIND as WORD_VECTORS
from nlpviz.text.vocabulary import tokenize
from nlpviz.training import TrainingError
from nlpviz.training.baseline import BaselineSettings
from nlpviz.training.own_tasks import NO_VECTORS, OWN_VECTORS, OwnRequest, OwnTask, Plan, said, share, texts_recipe
from nlpviz.training.own_tasks.classifiers import (
    Extent,
    OwnModel,
    classifier_settings,
    own_model,
    own_models,
)
from nlpviz.training.words import WordSettings
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling

_FIRST = ("cnn", "lstm", "gru", "han", "attention", "transformer")
"""Models that people ask for most."""
_HELD_OUT = 0.2
_LOOKED_AT = 2_000
"""Texts whose tokens say how long texts are."""
_DIMENSIONS = 100
_BASELINE_SECONDS = 4.0
"""The n-grams took about so long for a million words; a survey of a network takes about as long as its training."""


def _models() -> Mapping[str, str]:
    known = own_models()
    return {name: known[name].title for name in (*_FIRST, *known) if name in known}


def _plan(request: OwnRequest) -> Plan:
    """Return what is to be made of texts with classes."""
    models = [own_model(name) for name in request.models]
    held_out = share(request, _HELD_OUT)
    opened = open_source(request.source)
    if not opened.source.label:
        raise OwnTextsError(f"No column of {request.source.path} looks like labels; name the column with --label.")
    rows = gather(opened)
    classes = classes_of(rows.labels, opened.source.label)
    test = gather(open_source(Source(request.test, opened.source.text, opened.source.label))) if request.test else None
    by_file = bool(request.test or rows.splits)
    texts = texts_recipe(
        request, opened.source, "classes", held_out=0.0 if by_file else held_out, classes=classes.names
    )
    splits = split(texts, rows, test, classes)
    _check_splits(splits["train"], splits["test"], len(classes.names))
    extent = _extent(splits["train"], len(classes.names))
    recipe = OwnRecipe(request.name, texts, tuple(_runs(request, models, classes.names, extent)))
    seen = report(Looked(opened, rows, test, classes, splits, READER.said(texts)))
    expected = tuple(_expected(run, extent, len(splits["test"])) for run in recipe.runs)
    return Plan(recipe, replace(seen, expected=expected))


def _check_splits(train: OwnSplit, test: OwnSplit, classes: int) -> None:
    """Refuse splits from which nothing can be learnt or measured."""
    for name, labels in (
        ("for training", train.labels[~train.held_out]),
        ("for validation", train.labels[train.held_out]),
        ("for testing", test.labels),
    ):
        if not len(labels):
            raise OwnTextsError(f"No texts are left {name}; add texts or change the split.")
    if len(np.unique(train.labels[~train.held_out])) < min(classes, 2):
        raise OwnTextsError("All training texts have the same class; change the split.")


def _extent(train: OwnSplit, classes: int) -> Extent:
    """Return how large the training texts are, by the tokens of a sample of them."""
    every = max(len(train) // _LOOKED_AT, 1)
    lengths = [len(tokenize(train.texts[at])) for at in range(0, len(train), every)]
    return Extent(len(train), round(float(np.mean(lengths)) * len(train)), int(np.quantile(lengths, 0.99)) + 1, classes)


def _runs(request: OwnRequest, models: list[OwnModel], names: tuple[str, ...], extent: Extent) -> Iterator[RunRecipe]:
    """Yield the runs in their order: the yardstick, word vectors where they are trained first, the networks."""
    baseline = BaselineSettings(request.name, names, seed=request.seed)
    yield RunRecipe(f"{request.name}-ngrams", f"N-grams on {request.name}", "baseline", said(baseline))
    vectors, dimensions = _vectors(request)
    if request.vectors == OWN_VECTORS:
        epochs = min(max(3_000_000 // max(extent.words, 1), 3), 15)
        settings = NegativeSampling(dimensions=_DIMENSIONS, epochs=epochs)
        words = WordSettings(
            request.name,
            "skip-gram",
            settings,
            splits=("train",),
            vocabulary_size=20_000,
            kept_epochs=(),
            seed=request.seed,
            chosen="The settings are those of nlpviz’s own runs. The analogy questions were not used to choose them.",
        )
        yield RunRecipe(vectors, f"Skip-gram on {request.name}", "word-vectors", said(words))
    for model in models:
        name = request.run_name(model.name)
        chosen = classifier_settings(model, request.name, names, extent, vectors, dimensions)
        fit = replace(chosen.fit, seed=request.seed, epochs=request.epochs or chosen.fit.epochs)
        yield RunRecipe(name, f"{model.title} on {request.name}", "classifier", said(replace(chosen, fit=fit)))


def _vectors(request: OwnRequest) -> tuple[str, int]:
    """Return the run of word vectors that networks start from, or ``""``, and the length of a vector."""
    if request.vectors == NO_VECTORS:
        return "", _DIMENSIONS
    if request.vectors == OWN_VECTORS:
        return f"{request.name}-words", _DIMENSIONS
    run = open_run(request.vectors)
    if run.kind != WORD_VECTORS:
        raise TrainingError(f"The run {run.name!r} contains no word vectors.")
    return run.name, int(run.config["dimensions"])


def _expected(run: RunRecipe, extent: Extent, test: int) -> Expected:
    """Return about how long a run takes on two cores, survey and maps with it, and what it takes on the disk."""
    millions = extent.words / 1e6
    if run.kind == "baseline":
        return Expected(run.name, 5 + _BASELINE_SECONDS * millions * extent.classes**0.5, 60_000 + extent.words)
    vocabulary = min(int(20 * extent.words**0.6), 20_000)
    if run.kind == "word-vectors":
        return Expected(run.name, 5 + 30 * millions * run.settings["settings"]["epochs"], vocabulary * _DIMENSIONS)
    settings = run.settings
    model = own_model(settings["architecture"])
    epochs = settings["fit"]["epochs"]
    training = model.seconds * millions * epochs
    surveyed = len(kept_of(SPARSE, range(epochs + 1), epochs))
    survey = 20 + 0.02 * min(test, 2_000) * surveyed
    weights = vocabulary * settings["config"]["dimensions"] + 100_000
    return Expected(run.name, training + survey, (epochs + 1) * weights + surveyed * min(test, 2_000) * 300)


TASK = OwnTask(
    name="classes",
    title="Classes",
    order=0,
    models=_models,
    plan=_plan,
    options=frozenset({"vectors"}),
    columns=("label", "group", "time"),
    held_out=_HELD_OUT,
)
