"""What is to be made of a person's own texts, settled before anything is trained: as a recipe, and a report to read.

Whatever was guessed, and whatever follows from how many texts there are, ends up in the recipe: what it says is all
that the runs depend on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpviz.own_texts import Opened, OwnTextsError, Source, open_source
from nlpviz.own_texts.classes import classes_of
from nlpviz.own_texts.corpus import OwnSplit, hash_of, split
from nlpviz.own_texts.gathering import Gathered, gather
from nlpviz.own_texts.looking import Looked, report
from nlpviz.own_texts.recipe import OwnRecipe, RunRecipe, TextsRecipe, check_name
from nlpviz.own_texts.splitting import said
from nlpviz.results.own_texts import Expected, TextsReport
from nlpviz.runs import open_run
from nlpviz.text.vocabulary import tokenize
from nlpviz.training import TrainingError
from nlpviz.training.baseline import BaselineSettings
from nlpviz.training.own import check_free
from nlpviz.training.own_models import KEPT, Extent, OwnModel, classifier_settings, own_model
from nlpviz.training.words import WordSettings
from nlpviz.word_models.negative_sampling import NegativeSampling

NO_VECTORS, OWN_VECTORS = "none", "own"
_LOOKED_AT = 2_000
"""Texts whose tokens say how long texts are."""
_DIMENSIONS = 100
_BASELINE_SECONDS = 4.0
"""The n-grams took about so long for a million words; a survey of a network takes about as long as its training."""


@dataclass(frozen=True)
class OwnRequest:
    """What a person asks for.

    Attributes:
        name: of the runs: with one model the run's, else what their names begin with.
        source: the texts, and their columns.
        models: names of classifiers.
        test: a test file; empty holds out a share.
        held_out: the share of the texts to test on.
        vectors: ``"none"``, ``"own"``, or a run of word vectors.
        epochs: at most so many; None leaves it to the number of texts.
        seed: of all that is drawn.
        keep_texts: whether the runs keep the texts.
    """

    name: str
    source: Source
    models: tuple[str, ...] = ("cnn",)
    test: str = ""
    held_out: float = 0.2
    vectors: str = NO_VECTORS
    epochs: int | None = None
    seed: int = 0
    keep_texts: bool = False


@dataclass(frozen=True)
class Plan:
    """What is to be made, and what was seen of the texts."""

    recipe: OwnRecipe
    report: TextsReport


def plan(request: OwnRequest) -> Plan:
    """Return what is to be made of a person's texts, and what was seen of them; nothing is written.

    Raises:
        OwnTextsError: if the texts cannot be used, or the name.
        TrainingError: if there is no such model.
        RunError: if there are no such word vectors.
    """
    check_name(request.name)
    models = [own_model(name) for name in request.models]
    if len(set(request.models)) < len(models):
        raise TrainingError("A model is named twice.")
    if not 0 < request.held_out < 1:
        raise OwnTextsError(f"A share of {request.held_out} cannot be held out: it is between 0 and 1, such as 0.2.")
    opened = open_source(request.source)
    if not opened.source.label:
        raise OwnTextsError(f"No column of {request.source.path} looks like labels: name one with --label.")
    rows = gather(opened)
    classes = classes_of(rows.labels, opened.source.label)
    test = gather(open_source(Source(request.test, opened.source.text, opened.source.label))) if request.test else None
    texts = _texts(request, opened, rows, classes.names)
    splits = split(texts, rows, test, classes)
    _check_splits(splits["train"], splits["test"], len(classes.names))
    extent = _extent(splits["train"], len(classes.names))
    recipe = OwnRecipe(request.name, texts, tuple(_runs(request, models, classes.names, extent)))
    check_free(recipe)
    rule = said(texts.source, texts.held_out, texts.validation, test_file=test is not None, by_folder=bool(rows.splits))
    seen = report(Looked(opened, rows, test, classes, splits, rule))
    expected = tuple(_expected(run, extent, len(splits["test"])) for run in recipe.runs)
    return Plan(recipe, replace(seen, expected=expected))


def _texts(request: OwnRequest, opened: Opened, rows: Gathered, classes: tuple[str, ...]) -> TextsRecipe:
    """Return which texts are taken and how they are split, with all that was guessed."""
    source = opened.source
    path = str(Path(source.path).expanduser().resolve())
    test = str(Path(request.test).expanduser().resolve()) if request.test else ""
    return TextsRecipe(
        **asdict(source) | {"path": path},
        sha256=hash_of(path),
        test=test,
        test_sha256=hash_of(test) if test else "",
        held_out=0.0 if test or rows.splits else request.held_out,
        seed=request.seed,
        classes=classes,
        keep_texts=request.keep_texts,
    )


def _check_splits(train: OwnSplit, test: OwnSplit, classes: int) -> None:
    """Refuse splits from which nothing can be learnt or measured."""
    for name, labels in (
        ("to train on", train.labels[~train.held_out]),
        ("for validation", train.labels[train.held_out]),
        ("to test on", test.labels),
    ):
        if not len(labels):
            raise OwnTextsError(f"There are no texts {name}: give more texts, or split them in another way.")
    if len(np.unique(train.labels[~train.held_out])) < min(classes, 2):
        raise OwnTextsError("All texts to train on are of one class: split them in another way.")


def _extent(train: OwnSplit, classes: int) -> Extent:
    """Return how large the training texts are, by the tokens of a sample of them."""
    every = max(len(train) // _LOOKED_AT, 1)
    lengths = [len(tokenize(train.texts[at])) for at in range(0, len(train), every)]
    return Extent(len(train), round(float(np.mean(lengths)) * len(train)), int(np.quantile(lengths, 0.99)) + 1, classes)


def _runs(request: OwnRequest, models: list[OwnModel], names: tuple[str, ...], extent: Extent) -> Iterator[RunRecipe]:
    """Yield the runs in their order: the yardstick, word vectors where they are trained first, the networks."""
    baseline = BaselineSettings(request.name, names, seed=request.seed)
    yield RunRecipe(f"{request.name}-ngrams", f"N-grams on {request.name}", "baseline", _said(baseline))
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
            chosen="Settings are those of the project's runs; nothing was chosen by the questions.",
        )
        yield RunRecipe(vectors, f"Skip-gram on {request.name}", "word-vectors", _said(words))
    for model in models:
        name = request.name if len(models) == 1 else f"{request.name}-{model.name}"
        chosen = classifier_settings(model, request.name, names, extent, vectors, dimensions)
        fit = replace(chosen.fit, seed=request.seed, epochs=request.epochs or chosen.fit.epochs)
        yield RunRecipe(name, f"{model.title} on {request.name}", "classifier", _said(replace(chosen, fit=fit)))


def _vectors(request: OwnRequest) -> tuple[str, int]:
    """Return the run of word vectors that networks start from, or ``""``, and the length of a vector."""
    if request.vectors == NO_VECTORS:
        return "", _DIMENSIONS
    if request.vectors == OWN_VECTORS:
        return f"{request.name}-words", _DIMENSIONS
    run = open_run(request.vectors)
    if run.kind != "word_vectors":
        raise TrainingError(f"The run {run.name!r} holds no word vectors.")
    return run.name, int(run.config["dimensions"])


def _said(settings: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return settings as a recipe says them: what it says of the texts is not said again."""
    return {name: value for name, value in asdict(settings).items() if name not in ("corpus", "class_names")}


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
    kept = min(len(KEPT) + 1, epochs + 1)
    survey = 20 + 0.02 * min(test, 2_000) * kept
    weights = vocabulary * settings["config"]["dimensions"] + 100_000
    return Expected(run.name, training + survey, kept * (weights + min(test, 2_000) * 300))
