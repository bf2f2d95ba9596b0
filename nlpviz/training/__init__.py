"""Training: batches, the loop, and recipes that each make one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from accelerate import Accelerator

    from nlpviz.training.arrays import Arrays
    from nlpviz.training.sources import Reader, Sources

Settings = TypeVar("Settings")


DEVICES = ("auto", "cpu", "cuda")


class TrainingError(Exception):
    """A training that cannot start or go on; the message is one sentence for people."""


@dataclass(frozen=True)
class Options:
    """What a person may ask of a training beyond its recipe.

    Attributes:
        device: ``"auto"``, ``"cpu"`` or ``"cuda"``.
        epochs: at most so many, or None for the recipe's own number.
        vectors: the run of word vectors from which a classifier starts; empty for the recipe's own.
        say: called with a line of text about each step.
    """

    device: str = "auto"
    epochs: int | None = None
    vectors: str = ""
    say: Callable[[str], None] = field(default=lambda _: None)


@dataclass(frozen=True)
class Stages:
    """How a run is made: a corpus read, encoded, fitted, finished; no corpus is needed to encode and to fit.

    Attributes:
        reads: returns what reads the corpus, under a name each: recipes that use a name share what is read. A reader
            may write into the folder.
        encode: returns what the fit needs, from what was read.
        fit: writes vocabulary, history, weights of the kept epochs and manifest into the folder, from such arrays.
        finish: adds what needs the corpus again: the test split's measures, documents, card.
        begins: runs that must be there before the fit: those whose weights or words it begins with.
        on_cpu: whether a GPU would not fit it faster.
        one_process: whether the first of several processes does all of it, and the others nothing.
        own_vectors: whether word vectors are trained along, so that a person's choice of others is refused.
    """

    reads: Callable[[], Mapping[str, Reader]]
    encode: Callable[[Sources, Options], Arrays]
    fit: Callable[[Arrays, Path, Options], None]
    finish: Callable[[Path, Options], None]
    begins: tuple[str, ...] = ()
    on_cpu: bool = False
    one_process: bool = False
    own_vectors: bool = False

    def from_corpus(self, folder: Path, options: Options) -> Arrays:
        """Return what the fit needs, encoded where the corpus is."""
        return self.encode(sources_of(self.reads(), folder, options), options)

    def make(self, folder: Path, options: Options) -> None:
        """Take all steps, or go on with a stopped training, and write the finished run into ``folder``.

        Raises:
            TrainingError: if vectors are asked for where the run trains its own.
        """
        if self.one_process and not accelerator_for(options.device).is_main_process:
            return
        if self.own_vectors and options.vectors:
            raise TrainingError(f"{folder.name} trains its own word vectors; --vectors applies only to classifiers.")
        self.fit(self.from_corpus(folder, options), folder, options)
        self.finish(folder, options)


@dataclass(frozen=True)
class Recipe:
    """What a module under ``nlpviz.training.recipes`` exports as ``RECIPE``: how one run is made.

    Attributes:
        name: the run's.
        title: what people call it.
        corpus: the corpus that it needs.
        make: writes the finished run into a folder.
        evaluate: measures a run's test split again, from what its folder holds, with the weights of an epoch or, for
            None, of the chosen one: measure -> number.
        stages: ``make`` step by step; None where nothing is gained by fitting it on another machine.
        needs: runs that must be there before.
        worth: where not all can be trained again, those that are worth more come first.
        committed: whether its run is kept under version control, and trained again with all others.
        settings: what was chosen for the run, as its kind of recipe says it.
    """

    name: str
    title: str
    corpus: str
    make: Callable[[Path, Options], None]
    evaluate: Callable[[str, Options, int | None], dict[str, float]]
    stages: Stages | None = None
    needs: tuple[str, ...] = ()
    worth: int = 1
    committed: bool = True
    settings: Any = None


@dataclass(frozen=True)
class Family(Generic[Settings]):
    """How the runs of one kind are made, whatever the settings of each: the steps of its recipes, and their needs.

    The steps are those of :class:`Stages`, and take the settings first; ``encode`` and ``fit`` as they were asked for.

    Attributes:
        encode: returns what the fit needs, from what was read.
        fit: writes the run ``title``, as far as it is known before the corpus is read again.
        finish: adds what needs the corpus again.
        evaluate: measures a run's test split again.
        reads: returns what reads the corpus.
        begins: returns the run whose weights or words a fit begins with, or ``""``.
        needs: returns the runs that must be there before, besides that.
        on_cpu: returns whether a GPU would not fit it faster.
        one_process: whether the first of several processes does all of it.
        own_vectors: whether word vectors are trained along.
    """

    encode: Callable[[Settings, Sources, Options], Arrays]
    fit: Callable[[Settings, str, Arrays, Path, Options], None]
    finish: Callable[[Path, Options], None]
    evaluate: Callable[[str, Options, int | None], dict[str, float]]
    reads: Callable[[Settings], Mapping[str, Reader]] = lambda _: {}
    begins: Callable[[Settings], str] = lambda _: ""
    needs: Callable[[Settings], tuple[str, ...]] = lambda _: ()
    on_cpu: Callable[[Settings], bool] = lambda _: False
    one_process: bool = True
    own_vectors: bool = True

    def recipe(self, name: str, title: str, settings: Settings, worth: int = 1, *, committed: bool = True) -> Recipe:
        """Return the recipe that makes the run ``name`` as ``settings``, which name the corpus, say."""
        begins = tuple(filter(None, [self.begins(settings)]))
        stages = Stages(
            reads=partial(self.reads, settings),
            encode=lambda sources, options: self.encode(as_asked(settings, options), sources, options),
            fit=lambda arrays, folder, options: self.fit(as_asked(settings, options), title, arrays, folder, options),
            finish=self.finish,
            begins=begins,
            on_cpu=self.on_cpu(settings),
            one_process=self.one_process,
            own_vectors=self.own_vectors,
        )
        return Recipe(
            name=name,
            title=title,
            corpus=settings.corpus,  # type: ignore[attr-defined]
            make=stages.make,
            evaluate=self.evaluate,
            stages=stages,
            needs=(*begins, *self.needs(settings)),
            worth=worth,
            committed=committed,
            settings=settings,
        )


def sources_of(readers: Mapping[str, Reader], folder: Path, options: Options) -> Sources:
    """Return lazy sources from ``readers``, which read the corpus when they are called."""
    return {name: partial(read, folder, options) for name, read in readers.items()}


def on_device(settings: Settings, device: str) -> Settings:
    """Return a recipe's settings, those that its ``on_gpu`` names changed where a GPU computes.

    Args:
        settings: a dataclass with a field ``on_gpu``.
        device: its kind, or a longer text that begins with that, as in manifests.
    """
    return changed(settings, settings.on_gpu) if device.startswith("cuda") else settings  # type: ignore[attr-defined]


def as_asked(settings: Settings, options: Options) -> Settings:
    """Return a recipe's settings for the requested device, with the epochs and the vectors that were asked for.

    Raises:
        TrainingError: if that device is not there.
    """
    if getattr(settings, "on_gpu", None):
        settings = on_device(settings, accelerator_for(options.device).device.type)
    loop, wanted = getattr(settings, "fit", None), {"epochs": options.epochs, "starts_from": options.vectors or None}
    fields = {name: value for name, value in wanted.items() if value is not None and hasattr(loop, name)}
    return changed(settings, {"fit": fields}) if fields else settings


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return settings, a dataclass, with other values in some fields; in nested ones, only the named fields.

    ``{"max_length": 1000, "fit": {"epochs": 25}}`` leaves all other fields of ``fit`` as they are.
    """
    new = {}
    for name, value in changes.items():
        there = getattr(settings, name)
        if isinstance(value, Mapping):
            value = changed(there, value) if is_dataclass(there) else {**there, **value}
        new[name] = value
    return replace(settings, **new)  # type: ignore[type-var]


def accelerator_for(device: str) -> Accelerator:
    """Return what places models and batches on ``"auto"``, ``"cpu"`` or ``"cuda"``, in one process or several.

    Raises:
        TrainingError: if the device is not one of these, or not there.
    """
    import torch

    # First: its default arguments would take the process group and keep it, past its destruction, to Python's end,
    # where a thread of the group that frees a tensor aborts the process (torch 2.13).
    import torch.distributed.nn
    from accelerate import Accelerator

    if device not in DEVICES:
        raise TrainingError(f"Unknown device {device!r}; choose one of {', '.join(DEVICES)}.")
    if device == "cuda" and not torch.cuda.is_available():
        raise TrainingError("PyTorch finds no CUDA device on this machine; use --device cpu.")
    return Accelerator(cpu=device == "cpu" or not torch.cuda.is_available())
