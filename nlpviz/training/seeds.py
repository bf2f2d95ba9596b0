"""A classifier's recipe trained with another seed: vectors and predictions are kept, weights are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from nlpviz.networks.architectures import architectures
from nlpviz.results.predictions import Predicted
from nlpviz.results.seeds import SeedAnswers
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.predictions import predictions_of
from nlpviz.training import Options, Recipe, TrainingError
from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.documents import answers
from nlpviz.training.predictions import probabilities
from nlpviz.training.texts import encoded, labelled_texts


def train_seed(recipe: Recipe, seed: int, like: Run, folder: Path, options: Options) -> SeedAnswers:
    """Train a classifier's recipe from ``seed`` in ``folder``, and return its best epoch's test predictions.

    A stopped training goes on. Nothing is logged and nothing else than the seed differs from the recipe.

    Args:
        recipe: of the run.
        seed: another one than the run's.
        like: the run, whose test documents are asked about, in its order.
        folder: of the training; whoever calls removes it.
        options: what a person asked for.

    Raises:
        TrainingError: if the recipe trains no classifier in steps, or the seed is the run's own or negative.
        RunError: if the run keeps no documents or predictions.
        DataError: if its corpus is not on this machine.
    """
    settings = recipe.settings
    if not isinstance(settings, ClassifierSettings):
        raise TrainingError(f"{recipe.name} does not train a classifier, so it cannot be repeated with other seeds.")
    if seed == like.seed or seed < 0:
        why = f"the seed of the run {like.name} itself" if seed == like.seed else "below 0"
        raise TrainingError(f"Seed {seed} is {why}; choose another seed.")
    ids, kept = predictions_of(like).ids, documents_of(like).ids
    asked = replace(settings, kept_epochs=(), fit=replace(settings.fit, seed=seed, moments=0))
    stages = classifier_recipe(folder.name, recipe.title, asked).stages
    if stages is None:
        raise TrainingError(f"{recipe.name} is not trained by gradient descent.")
    folder.mkdir(parents=True, exist_ok=True)
    stages.fit(stages.from_corpus(folder, options), folder, options)
    run = Run.open(folder)
    options.say(f"Classifying {len(ids):,} test texts with epoch {run.best_epoch}")
    test = labelled_texts(run.corpus["name"], "test")
    place = {name: position for position, name in enumerate(test.ids)}
    rows = encoded(run.vocabulary, test.texts, sentences=architectures()[run.architecture].reads_sentences)
    trained = run.load()
    given = probabilities(trained, [rows[place[name]] for name in ids])
    _, embeddings = answers(trained.module, [rows[place[name]][: run.max_length] for name in kept])
    return SeedAnswers(
        seed=seed,
        epoch=run.best_epoch,
        validation_accuracy=run.metrics["validation"]["accuracy"],
        seconds=run.seconds,
        device=run.device,
        embeddings=embeddings.astype(np.float32),
        predicted=Predicted.of(given),
    )
