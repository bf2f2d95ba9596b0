"""One run: its manifest, and access to its files.

A run is a folder that rebuilds itself::

    trained/imdb-cnn/
        run.json                what it is, how it was trained and measured, the hash of every other file
        vocabulary.txt          word<TAB>count, most frequent first
        history.csv             one line an epoch: losses, accuracies, gradient norm, seconds; nlpviz.runs.history
        epoch-00.safetensors    the weights of each kept epoch, half precision; epoch 0 is before training
        frozen.safetensors      weights that no epoch changes, if there are any
        documents.parquet       test documents: id, label, rating, length, and answers for them; nlpviz.runs.documents
        maps.parquet            two- and three-dimensional maps of those documents
        regions.parquet         n-grams that move the score over all test documents; more in nlpviz.runs.surveys
        README.md               the model card

A file that another run holds as well is stored there alone and named in the manifest (:mod:`nlpviz.runs.sharing`).
Nothing here needs torch until weights are loaded. Every file is checked against its hash before it is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, cast

from nlpviz.discovery.read_once import sha256
from nlpviz.runs.files import write_text
from nlpviz.runs.folders import MANIFEST
from nlpviz.runs.references import Reference, read_references
from nlpviz.runs.weights import read_weights, weights_file, weights_files
from nlpviz.text.sentences import with_sentences
from nlpviz.text.tokenizers import REVIEWS, TOKENIZERS, Tokenizer
from nlpviz.text.vocabulary import EncodedText, Vocabulary

if TYPE_CHECKING:
    import pyarrow as pa
    from torch import nn

    from nlpviz.networks.architectures import Architecture

T = TypeVar("T")

FORMAT = 3
OLD = 2  # is read as well: every file is in the run's own folder
VOCABULARY, HISTORY = "vocabulary.txt", "history.csv"
_TABLES = (".parquet", ".csv", ".json")


class RunError(Exception):
    """A run that is not there, damaged or of an unknown format; the message is one sentence for people."""


@dataclass(frozen=True)
class TrainedModel:
    """One epoch's weights, loaded: in evaluation mode, frozen, safe to share between threads."""

    run: Run
    epoch: int
    module: nn.Module
    vocabulary: Vocabulary

    def encode(self, text: str) -> EncodedText:
        """Return ``text`` as the model sees it: cut to what it reads, with its sentences where it reads sentences."""
        from nlpviz.networks.architectures import architectures

        encoded = self.vocabulary.encode(text, self.run.max_length)
        return with_sentences(encoded) if architectures()[self.run.architecture].reads_sentences else encoded


@dataclass(frozen=True)
class Run:
    """A run's manifest, and access to its files.

    Attributes:
        name: the folder's name.
        title: what people call it.
        kind: the name of its module in ``nlpviz.run_kinds``, for example ``"classifier"``.
        architecture: the name of its model, for example of a module in ``nlpviz.networks.architectures``; empty where
            it has none.
        config: the fields of the architecture's config.
        class_names: what the class indices mean; empty where there are no classes.
        max_length: how many tokens the model reads at most.
        epochs: the kept epochs, 0 first; empty where there are none.
        best_epoch: the one chosen on the validation split.
        parameters: the terms of the parameter count: name, formula, count.
        metrics: split -> measure -> number; the test split was measured once.
        corpus: name, sha256 and how many documents each split has.
        recipe: the settings of the training.
        device: for example ``"cuda: NVIDIA H200"`` or ``"cpu: 2 threads"``.
        seconds: of all epochs' passes together, or of a fit without epochs.
        seconds_per_epoch: the median over the epochs' passes; 0 where there are none.
        seed: of the whole recipe.
        created: the day, ISO 8601.
        versions: of the libraries that trained it.
        files: name -> sha256 of every file, those that another run stores among them.
        shared: name -> where the file is stored, of those that are not in the run's own folder.
        stored_bytes: of the files in the run's own folder, the manifest aside; 0 where nobody counted.
        made_of: table -> :attr:`weights` when it was written; one that was made of others is not among the files.
    """

    name: str
    title: str
    kind: str
    architecture: str
    config: Mapping[str, Any]
    class_names: tuple[str, ...]
    max_length: int
    epochs: tuple[int, ...]
    best_epoch: int
    parameters: tuple[tuple[str, str, int], ...]
    metrics: Mapping[str, Mapping[str, float]]
    corpus: Mapping[str, Any]
    recipe: Mapping[str, Any]
    device: str
    seconds: float
    seconds_per_epoch: float
    seed: int
    created: str
    versions: Mapping[str, str]
    files: Mapping[str, str]
    folder: Path = field(compare=False)
    shared: Mapping[str, Reference] = field(default_factory=dict)
    stored_bytes: int = 0
    made_of: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Read the manifest in ``folder``.

        Raises:
            RunError: if it is missing, no JSON, of another format, or lacks a field.
        """
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunError(f"The run {folder.name!r} has no {MANIFEST}.") from None
        except (OSError, ValueError):
            raise RunError(f"The manifest of the run {folder.name!r} is damaged and cannot be read.") from None
        written = manifest.pop("format", None) if isinstance(manifest, dict) else None
        if written not in (OLD, FORMAT):
            known_ones = f"supported: {OLD} and {FORMAT}"
            raise RunError(f"The run {folder.name!r} has a format that this version does not support ({known_ones}).")
        later = {"made_of", *(("shared", "stored_bytes") if written == OLD else ())} - manifest.keys()
        expected = {item.name for item in fields(cls)} - {"folder", "name"} - later
        if missing := sorted(expected - manifest.keys()):
            raise RunError(f"The manifest of the run {folder.name!r} lacks {', '.join(missing)}.")
        if manifest.pop("sha256", None) != _digest(manifest):
            raise RunError(f"The manifest of the run {folder.name!r} is damaged: its checksum does not match.")
        known = {key: manifest[key] for key in expected}
        for key in ("class_names", "epochs"):
            known[key] = tuple(known[key])
        known["parameters"] = tuple(
            (str(name), str(formula), int(count)) for name, formula, count in known["parameters"]
        )
        try:
            known["shared"] = read_references(known.get("shared", {}))
        except ValueError:
            raise RunError(f"The manifest of the run {folder.name!r} does not list its files.") from None
        run = cls(name=folder.name, folder=folder, **known)
        stale = {name for name, weights in run.made_of.items() if weights != run.weights}
        return replace(run, files={name: one for name, one in run.files.items() if name not in stale}) if stale else run

    @property
    def weights(self) -> str:
        """A short hash of the best epoch's weights: it distinguishes trainings; empty without epochs."""
        return self.files.get(weights_file(self.best_epoch), "")[:12]

    @property
    def parameter_count(self) -> int:
        """The number of trainable parameters."""
        return sum(count for _, _, count in self.parameters)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the manifest, which lists the hash of every file: it changes when any does; a cache's key."""
        said = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "folder"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of the model.

        Raises:
            RunError: if this version does not know it.
        """
        name = self.recipe.get("tokenizer", REVIEWS)
        if name not in TOKENIZERS:
            raise RunError(
                f"The run {self.name!r} needs the unknown tokenizer {name!r}; available: {', '.join(TOKENIZERS)}."
            )
        return TOKENIZERS[name]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words that the model knows, with their counts in training."""
        path = self.file(VOCABULARY)
        try:
            return Vocabulary.load(path, self.tokenizer.tokens)
        except ValueError as error:
            raise RunError(f"The vocabulary of the run {self.name!r} is damaged: {error}.") from None

    def kept(self, name: str, read: Callable[[Self], T]) -> T:
        """Return the result of ``read`` on the run's files: read once, and cached under ``name`` with the run."""
        known: dict[str, Any] = self.__dict__.setdefault("_kept", {})
        if name not in known:
            known[name] = read(self)
        return cast("T", known[name])

    def check_epoch(self, epoch: int) -> int:
        """Return ``epoch``; refuse one that the run does not keep, naming those it does."""
        if epoch not in self.epochs:
            raise RunError(f"The run {self.name!r} has no stored epoch {epoch}; stored epochs: {listed(self.epochs)}.")
        return epoch

    @property
    def surveyed(self) -> tuple[int, ...]:
        """The kept epochs at which documents are mapped and surveyed: all of them, unless the recipe says which."""
        wanted = self.recipe.get("surveyed_epochs", self.epochs)
        return tuple(epoch for epoch in self.epochs if epoch in wanted)

    def check_surveyed(self, epoch: int) -> int:
        """Return ``epoch``; refuse one that is not surveyed, naming those that are."""
        if self.check_epoch(epoch) not in self.surveyed:
            raise RunError(
                f"The run {self.name!r} has not been surveyed at epoch {epoch}; "
                f"surveyed epochs: {listed(self.surveyed)}."
            )
        return epoch

    def surveyed_before(self, epoch: int) -> int:
        """Return the last surveyed epoch up to ``epoch``, or the first one."""
        return max((one for one in self.surveyed if one <= epoch), default=self.surveyed[0])

    def file(self, name: str) -> Path:
        """Return the path of a file of the run, wherever it is stored, whose content the manifest's hash confirms."""
        stored = self.shared.get(name)
        try:
            path = self.folder / name if stored is None else stored.path(self.folder.parent)
            genuine = sha256(path) == self.files[name]
        except (KeyError, OSError, ValueError):
            if stored is None:
                raise RunError(f"The run {self.name!r} has no file {name}.") from None
            where = f"{stored.file} of the run {stored.run!r}"
            raise RunError(f"The run {self.name!r} has no file {name}: it needs {where}, which is missing.") from None
        if not genuine:
            where = "" if stored is None else f", which is {stored.file} of the run {stored.run!r},"
            problem = "is damaged: its checksum does not match"
            raise RunError(f"The file {name} of the run {self.name!r}{where} {problem}.")
        return path

    def table(self, name: str, columns: list[str] | None = None) -> pa.Table:
        """Return columns (or all) of one of the run's parquet files."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.file(name)
        try:
            self.require_columns(name, columns or (), pq.read_schema(path).names)
            return pq.ParquetFile(path).read(columns, use_threads=False)  # read_table would load pandas
        except (pa.ArrowInvalid, OSError):
            raise RunError(f"{name} of the run {self.name!r} cannot be read.") from None

    def require_columns(self, name: str, columns: Iterable[str], there: Iterable[str]) -> None:
        """Refuse one of the run's tables that lacks some of ``columns``."""
        if missing := sorted(set(columns) - set(there)):
            raise RunError(f"{name} of the run {self.name!r} lacks the column {', '.join(missing)}.")

    def load(self, epoch: int | None = None) -> TrainedModel:
        """Return the model with the weights of ``epoch``, by default the best one; about a second, for torch.

        Raises:
            RunError: if there is no such epoch, or its weights do not fit the architecture.
        """
        from nlpviz.networks.architectures import architectures

        epoch = self.check_epoch(self.best_epoch if epoch is None else epoch)
        return TrainedModel(self, epoch, self.module(epoch, architectures()), self.vocabulary)

    def module(self, epoch: int, known: Mapping[str, Architecture]) -> nn.Module:
        """Return the network with the weights of ``epoch``, in evaluation mode, of one of the ``known`` architectures.

        Raises:
            RunError: if it is none of these, or the weights do not fit it.
        """
        from safetensors import SafetensorError

        from nlpviz.runs.blank import Blank

        architecture = known.get(self.architecture)
        if architecture is None:
            raise RunError(
                f"The run {self.name!r} needs the unknown architecture {self.architecture!r}; available: "
                f"{', '.join(known)}."
            )
        name = weights_file(epoch)
        try:
            with Blank():
                module = architecture.build(architecture.config(**self.config))
            module.load_state_dict(read_weights([self.file(part) for part in weights_files(epoch, self.files)]))
        except (SafetensorError, KeyError, RuntimeError, TypeError, ValueError):
            raise RunError(f"{name} does not fit the architecture of the run {self.name!r}.") from None
        return module.eval().requires_grad_(False)

    def save(self) -> Self:
        """Write the manifest, with the hashes of the files that are in the folder now; return the run as written.

        Tables that were made of other weights are deleted.
        """
        names = {path.name for path in self.folder.iterdir() if not path.name.startswith(".")} - {MANIFEST}
        held = {name: sha256(self.folder / name) for name in names}
        shared = {name: where for name, where in self.shared.items() if name not in held}
        files = held | {name: self.files[name] for name in shared}
        run = replace(self, files=dict(sorted(files.items())), shared=shared)
        made_of = {name: run.weights for name in files if name.endswith(_TABLES) and name != HISTORY}
        for name, digest in _files_in_manifest(self.folder).items():
            if files.get(name) == digest and self.made_of.get(name, run.weights) != run.weights:
                (self.folder / name).unlink()
                del files[name], made_of[name]
        return replace(run, files=dict(sorted(files.items())), made_of=made_of).write()

    def write(self) -> Self:
        """Write the manifest as the run is, with how many bytes the folder stores of its files."""
        own = [self.folder / name for name in self.files if name not in self.shared]
        run = replace(self, stored_bytes=sum(path.stat().st_size for path in own if path.is_file()))
        facts = {item.name: getattr(run, item.name) for item in fields(run) if item.name not in ("name", "folder")}
        facts["shared"] = {name: where._asdict() for name, where in sorted(run.shared.items())}
        manifest = {"format": FORMAT, "sha256": _digest(facts)} | facts
        write_text(self.folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
        return run


class Checkpoint(NamedTuple):
    """One epoch of one run, as pages compare them."""

    run: Run
    epoch: int


def _files_in_manifest(folder: Path) -> dict[str, str]:
    """Return the files that the manifest in a folder lists with their hashes; none where there is no manifest."""
    try:
        files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return dict(files)


def _digest(facts: Mapping[str, Any]) -> str:
    """Return the hash of what a manifest says, however it is laid out."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def listed(values: Iterable[object]) -> str:
    """Return the values in one line, for a sentence that says which ones there are."""
    return ", ".join(str(value) for value in values) or "none"
