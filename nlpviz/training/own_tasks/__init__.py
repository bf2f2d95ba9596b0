"""What can be learnt from user data, one module each: classes, word vectors, the next word, and so on.

A module of this package that defines a constant ``TASK`` of type :class:`OwnTask` is found by :func:`tasks`; nothing
else lists it. It settles what is to be made, as a recipe, and says what was seen of the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts.hashes import hash_of
from nlpviz.data.own_texts.recipe import OwnRecipe, TextsRecipe
from nlpviz.discovery import discover
from nlpviz.results.own_texts import OwnReport
from nlpviz.training import TrainingError

NO_VECTORS, OWN_VECTORS = "none", "own"
TOKENS = ("words", "characters")
"""What a language model may predict."""


@dataclass(frozen=True)
class OwnRequest:
    """The user's request.

    Attributes:
        name: of the runs: with one model the run's, else what their names begin with.
        source: the texts, and their columns.
        models: by name; empty for the first one of the task.
        task: a name of :func:`tasks`; empty for the one that has such models.
        test: a test file; empty holds out a share.
        held_out: the share of the texts to test on; None for the task's own.
        vectors: ``"none"``, ``"own"``, or a run of word vectors, where classes are learnt.
        tokens: ``"words"`` or ``"characters"``, where the next one is learnt; empty leaves it to the amount of text.
        translations: the column of the translations, or a second file, where translations are learnt.
        test_translations: of a test file that is one of two, the other one.
        languages: of the texts and of their translations; empty for what the files' names say.
        images: the folder of the images that the texts are captions of, where captions are learnt.
        epochs: at most so many; None leaves it to the amount of text.
        seed: of all that is drawn.
        keep_texts: whether the runs keep the texts.
    """

    name: str
    source: Source
    models: tuple[str, ...] = ()
    task: str = ""
    test: str = ""
    held_out: float | None = None
    vectors: str = NO_VECTORS
    tokens: str = ""
    translations: str = ""
    test_translations: str = ""
    languages: tuple[str, ...] = ()
    images: str = ""
    epochs: int | None = None
    seed: int = 0
    keep_texts: bool = False

    def run_name(self, model: str) -> str:
        """Return the name of a model's run: alone, it has the one that was asked for."""
        return self.name if len(self.models) == 1 else f"{self.name}-{model}"


@dataclass(frozen=True)
class Plan:
    """What is to be made, and what was seen of the texts."""

    recipe: OwnRecipe
    report: OwnReport


@dataclass(frozen=True)
class OwnTask:
    """What a module of this package exports as ``TASK``.

    Attributes:
        name: in recipes, and of the reader of the texts.
        title: what is learnt, for people.
        order: among the others, where one is chosen.
        models: name -> title of those there are, the default first.
        plan: settles what is to be made of texts; the request names its models.
        options: fields of a request that it takes and others refuse.
        columns: of the file, beside that of the texts, that it reads: fields of a source.
        held_out: the share of the texts that is tested on where nobody says how many; 0 where all are learnt from.
        of_one_file: whether one file holds all that is learnt from, so that a visitor may hand it over.
    """

    name: str
    title: str
    order: int
    models: Callable[[], Mapping[str, str]]
    plan: Callable[[OwnRequest], Plan]
    options: frozenset[str] = frozenset()
    columns: tuple[str, ...] = ()
    held_out: float = 0.0
    of_one_file: bool = True


def tasks() -> dict[str, OwnTask]:
    """Return every task by name, in their order."""
    found = discover("nlpviz.training.own_tasks", "TASK", OwnTask)
    return dict(sorted(found.items(), key=lambda item: item[1].order))


def task_of(request: OwnRequest) -> OwnTask:
    """Return the requested learning task: the first task that has such models, and takes such options.

    Raises:
        TrainingError: if there is none.
    """
    known = tasks()
    if request.task:
        return known[request.task]
    asked = {
        name for one in known.values() for name in one.options if getattr(request, name) not in ("", (), NO_VECTORS)
    }
    for one in known.values():
        if asked <= one.options and set(request.models) <= set(one.models()):
            return one
    for name in request.models:
        if not any(name in one.models() for one in known.values()):
            listed = "; ".join(f"{one.title.lower()}: {', '.join(one.models())}" for one in known.values())
            raise TrainingError(f"Unknown model {name!r}. Models by task: {listed}.")
    raise TrainingError("These models and options belong to different tasks; train them in separate commands.")


def texts_recipe(request: OwnRequest, source: Source, task: str, **more: Any) -> TextsRecipe:  # noqa: ANN401
    """Return which texts are taken, with all that was guessed, and what ``more`` there is to say.

    Args:
        request: what was asked for.
        source: as it was opened.
        task: by name.
        more: fields of the recipe.
    """
    path = str(Path(source.path).expanduser().resolve())
    test = str(Path(request.test).expanduser().resolve()) if request.test else ""
    return TextsRecipe(
        **asdict(source) | {"path": path} | {"seed": request.seed, "keep_texts": request.keep_texts} | more,
        task=task,
        sha256=hash_of(path),
        test=test,
        test_sha256=hash_of(test) if test else "",
    )


def share(request: OwnRequest, default: float) -> float:
    """Return the share of the texts to test on.

    Raises:
        OwnTextsError: if it is none.
    """
    held_out = default if request.held_out is None else request.held_out
    if not 0 < held_out < 1:
        raise OwnTextsError(f"The held-out share must be between 0 and 1, such as 0.2, not {held_out}.")
    return held_out


def said(settings: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return settings as a recipe says them: what it says of the texts is not said again."""
    return {name: value for name, value in asdict(settings).items() if name not in ("corpus", "class_names")}
