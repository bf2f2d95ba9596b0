"""Trained runs: the only access to ``trained/`` and to the user's folders of runs.

Listing runs reads only their manifests; a damaged one says what is wrong and leaves the others usable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nlpviz.data import look_elsewhere
from nlpviz.discovery.read_once import ReadOnce
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.runs.counts import COUNTS, read_counts
from nlpviz.runs.folders import FoundRuns, Manifest, find, named, own_root, root, roots
from nlpviz.runs.own_corpora import find_corpus
from nlpviz.runs.run import Checkpoint, Run, RunError, TrainedModel, listed

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
    """Return all readable runs and a list of the problems found.

    Runs are looked up in the folders named by ``$NLPVIZ_TRAINED``. By default, these are ``trained/`` and your own
    folder of runs. Only the manifests are read. If two folders contain runs with the same name, the run in the first
    folder is used.

    Returns:
        The runs by name, and one sentence for each damaged, duplicate or missing run.

    Example:
        >>> from nlpviz.runs import list_runs
        >>> runs, problems = list_runs()
        >>> runs["imdb-cnn"].title
        'CNN on IMDB'
    """
    global _newest  # noqa: PLW0603 - replaced whole, by each thread that sees something else in the folders
    found, listing = find(), _newest
    if listing is None or listing.found != found:
        listing = _newest = _listed(found)
    return dict(listing.runs), list(listing.problems)


def open_run(name: str) -> Run:
    """Return the run called ``name``: its manifest and access to its files.

    The weights are not read; ``Run.load`` returns the network.

    Args:
        name: the name of the run's folder, for example ``"imdb-cnn"``.

    Raises:
        RunError: if there is no run with this name, or the run is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> run = open_run("imdb-cnn")
        >>> run.class_names
        ('negative', 'positive')
        >>> run.metrics["test"]["accuracy"]
        0.90672
    """
    listing = _newest
    if listing is not None and name in listing.runs and named(name) == listing.named[name]:
        return listing.runs[name]  # a page opens its run again and again; the others need not be asked for it
    runs, _ = list_runs()
    if name in runs:
        return runs[name]
    for path, _ in find().manifests:
        if (folder := Path(path).parent).name == name:
            return Run.open(folder)  # which says what is wrong
    raise RunError(f"There is no run {name!r}; available runs: {listed(runs)}.")


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
        f"There is no run {other!r}, which stores files used by {listed(sorted(names))}. Restore it, or "
        "train these runs again."
        for other, names in sorted(needing.items())
    ]


class _Listing(NamedTuple):
    """The runs made of what stood in the folders, what is wrong with others, and the manifests that there were."""

    found: FoundRuns
    runs: Mapping[str, Run]
    problems: Sequence[str]
    named: Mapping[str, list[Manifest]]


_newest: _Listing | None = None


def _listed(found: FoundRuns) -> _Listing:
    """Return the runs; the manifests of those that are as they were are not read again."""
    runs: dict[str, Run] = {}
    by_name: dict[str, list[Manifest]] = {}
    problems = [*found.problems]
    for path, state in found.manifests:
        manifest = Path(path)
        folder = manifest.parent
        by_name.setdefault(folder.name, []).extend([(path, state)] if state else [])
        if folder.name in runs:
            first = runs[folder.name].folder.parent
            problems.append(
                f"There are two runs named {folder.name!r}: the run in {first} is used, and the run in "
                f"{folder.parent} is ignored."
            )
            continue
        try:
            runs[folder.name] = _opened(manifest) if state else Run.open(folder)
        except RunError as error:
            problems.append(str(error))
    return _Listing(found, runs, problems + _lost(runs), by_name)


@ReadOnce
def _opened(manifest: Path) -> Run:
    return Run.open(manifest.parent)
