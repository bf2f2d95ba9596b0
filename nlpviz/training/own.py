"""The runs on user data, made from their recipe, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from nlpviz.data import corpora
from nlpviz.data.own_texts import OwnTextsError
from nlpviz.data.own_texts.corpus import keep_texts, own_corpus
from nlpviz.data.own_texts.names import KEPT_TEXTS, RECIPE
from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe, read_recipe
from nlpviz.runs import Run, RunError, open_run, own_root
from nlpviz.runs.files import write_text, write_whole
from nlpviz.runs.own_corpora import UNFINISHED
from nlpviz.training import Options, Recipe
from nlpviz.training.baseline import BaselineSettings, baseline_recipe
from nlpviz.training.captioner import CaptionerSettings, captioner_recipe
from nlpviz.training.captioner_fit import CaptionerFit
from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.fit import FitSettings
from nlpviz.training.language import LanguageSettings, language_recipe
from nlpviz.training.language_fit import LanguageFit
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from nlpviz.training.translator import TranslatorSettings, translator_recipe
from nlpviz.training.translator_fit import TranslatorFit
from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_vectors.learning import word_models


def make(
    recipe: OwnRecipe, options: Options, finish: Callable[[Run], object] = lambda _: None, *, again: bool = False
) -> Iterator[Run]:
    """Yield the runs of a recipe as they are made; those that are there already, by the same recipe, are left.

    Args:
        recipe: what to make.
        options: the device and the callback for each step; epochs and vectors are in the recipe.
        finish: adds to a made run before it is put in place.
        again: makes those again that are there already.

    Raises:
        CorpusMissing: if the texts are not there any more, or have changed.
        TrainingError: if a run cannot be made.
    """
    check_free(recipe)
    own_corpus(recipe, own_root() / recipe.runs[0].name).read("train")  # said before anything is written
    for one in recipe.runs:
        there = _there(one.name)
        if there is not None and not again:
            options.say(f"{one.name} already exists, trained with the same recipe.")
            yield there
            continue
        made = produce(_wrapped(recipe, one), options, finish, runs=own_root())
        if made is not None:
            yield made


def recipe_of(run: Run) -> Recipe | None:
    """Return the recipe of a run on user data; None for any other run.

    Raises:
        OwnTextsError: if the recipe in its folder is damaged.
    """
    path = run.folder / RECIPE
    if not path.is_file():
        return None
    own = read_recipe(path)
    return next((_recipe(own, one) for one in own.runs if one.name == run.name), None)


def is_complete(recipe: OwnRecipe) -> bool:
    """Return whether all runs of a recipe are there."""
    return all(_there(one.name) is not None for one in recipe.runs)


def check_free(recipe: OwnRecipe) -> None:
    """Refuse names that others have.

    Raises:
        OwnTextsError: if one is that of a published corpus, of a run of the project, or of a run by another recipe.
    """
    if recipe.name in corpora():
        raise OwnTextsError(f"{recipe.name!r} is the name of a published corpus; choose another name.")
    for one in recipe.runs:
        if one.name in recipes():
            raise OwnTextsError(f"{one.name!r} is the name of a run that comes with nlpviz; choose another name.")
        try:
            folder = open_run(one.name).folder
        except RunError:
            folder = own_root() / UNFINISHED / one.name
            if not (folder / RECIPE).is_file():
                continue
        if not (folder / RECIPE).is_file() or read_recipe(folder / RECIPE).toml != recipe.toml:
            raise OwnTextsError(
                f"The run {one.name!r} already exists with another recipe. Choose another name or delete {folder}."
            )


def _there(name: str) -> Run | None:
    try:
        return open_run(name)
    except RunError:
        return None


def _wrapped(own: OwnRecipe, one: RunRecipe) -> Recipe:
    """Return the recipe of a run which writes, before anything else, from what it is made; and the texts, if asked."""
    recipe = _recipe(own, one)

    def make(folder: Path, options: Options) -> None:
        write_text(folder / RECIPE, own.toml)
        if own.texts.keep_texts:
            write_whole(folder / KEPT_TEXTS, partial(keep_texts, own))
        recipe.make(folder, options)

    return replace(recipe, make=make)


def _recipe(own: OwnRecipe, one: RunRecipe) -> Recipe:
    """Return what makes a run as the recipe says.

    Raises:
        OwnTextsError: if it says something that this version does not know.
    """
    try:
        make, settings, fit = _KINDS[one.kind]
        said = _tuples(one.settings)
        texts: dict[str, Any] = {"corpus": own.name}
        said.pop("eight_bits", None)  # of recipes from before weights lay on a grid
        if fit:
            said["fit"] = fit(**said["fit"])
        if one.kind in ("baseline", "classifier"):
            texts["class_names"] = own.texts.classes
        if one.kind == "language-model":
            said["config"] = _tuples(said["config"])
        if one.kind == "word-vectors":
            said["settings"] = word_models()[said["model"]].settings(**said["settings"])
        return make(one.name, one.title, settings(**texts, **said))
    except (KeyError, TypeError) as problem:
        raise OwnTextsError(f"The recipe of {one.name} contains an unknown setting: {problem}.") from None


def _tuples(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with tuples where TOML has lists."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}


_KINDS: dict[str, tuple[Callable[..., Recipe], type[Any], type[Any] | None]] = {
    "baseline": (baseline_recipe, BaselineSettings, None),
    "captioner": (captioner_recipe, CaptionerSettings, CaptionerFit),
    "classifier": (classifier_recipe, ClassifierSettings, FitSettings),
    "language-model": (language_recipe, LanguageSettings, LanguageFit),
    "translator": (translator_recipe, TranslatorSettings, TranslatorFit),
    "word-vectors": (word_recipe, WordSettings, None),
}
"""What makes a run of a kind, and the types of its settings and of those of its training loop."""
