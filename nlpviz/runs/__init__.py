"""Trained runs: the only door to ``trained/`` and to a person's own folders of runs.

Listing runs reads only their manifests; a damaged one says what is wrong and leaves the others usable.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from nlpviz.data import look_elsewhere
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.runs.counts import COUNTS, read_counts
from nlpviz.runs.folders import own_root, root, roots
from nlpviz.runs.own_corpora import find_corpus
from nlpviz.runs.run import MANIFEST, Checkpoint, Run, RunError, TrainedModel, listed

__all__ = [
    "Checkpoint",
    "Run",
    "RunError",
    "TrainedModel",
    "list_runs",
    "ngram_counts",
    "open_run",
    "own_root",
    "root",
    "roots",
]

look_elsewhere(find_corpus)


def list_runs() -> tuple[dict[str, Run], list[str]]:
    """Return the readable runs by name, and one sentence for each folder that is not one or that is missed.

    Of two runs with one name, in different folders, the one in the first folder counts.
    """
    runs: dict[str, Run] = {}
    folders, problems = _folders()
    for folder in folders:
        if folder.name in runs:
            first = runs[folder.name].folder.parent
            problems.append(
                f"There are two runs {folder.name!r}: the one in {folder.parent} is hidden by that in {first}."
            )
            continue
        try:
            runs[folder.name] = _opened(folder)
        except RunError as error:
            problems.append(str(error))
    return runs, problems + _lost(runs)


def open_run(name: str) -> Run:
    """Return the run called ``name``.

    Raises:
        RunError: if there is none, naming those there are, or if it is damaged.
    """
    for folder in _folders()[0]:
        if folder.name == name:
            return _opened(folder)
    runs, _ = list_runs()
    raise RunError(f"There is no run {name!r}; the runs are {listed(runs)}.")


def ngram_counts(corpus: str) -> NgramCounts | None:
    """Return the counts of the n-grams of a corpus's training texts, if a run keeps them.

    Raises:
        RunError: if they are damaged.
    """
    for run in list_runs()[0].values():
        if run.corpus["name"] == corpus and COUNTS in run.files:
            return read_counts(run)
    return None


def _lost(runs: Mapping[str, Run]) -> list[str]:
    """Return one sentence for each run that is not there although others keep files in it."""
    needing: dict[str, set[str]] = {}
    for run in runs.values():
        for other in {stored.run for stored in run.shared.values()}:
            if other not in runs and not (run.folder.parent / other).is_dir():
                needing.setdefault(other, set()).add(run.name)
    return [
        f"There is no run {other!r}, which stores files of {listed(sorted(names))}: put it back or train these again."
        for other, names in sorted(needing.items())
    ]


def _opened(folder: Path) -> Run:
    """Return the run in ``folder``; its manifest is read once as long as its time and size stay."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return Run.open(folder)  # which says what is wrong
    status = manifest.stat()
    return _read(folder, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=64)
def _read(folder: Path, _state: tuple[int, int]) -> Run:
    return Run.open(folder)


def _folders() -> tuple[list[Path], list[str]]:
    """Return the folders that should each be a run, and a sentence for each folder of runs that may not be listed.

    A folder whose name begins with a dot is no run.
    """
    there: list[Path] = []
    problems = []
    for one in roots():
        try:
            there += sorted(one.iterdir()) if one.is_dir() else []
        except OSError as problem:
            problems.append(f"The runs in {one} cannot be listed: {problem.strerror or problem}.")
    return [folder for folder in there if folder.is_dir() and not folder.name.startswith(".")], problems
