"""The nearest neighbours of documents by epoch, seed and network, gathered from runs: neighbours by cosine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.quality import nearest
from nlpviz.data.own_texts.names import RECIPE
from nlpviz.results.drift import ComparedSpace, Difference, Drift, NoiseFloor, changed_share, floor_of
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import DOCUMENTS, documents_of, embeddings_of
from nlpviz.runs.more_seeds import more_seeds
from nlpviz.runs.neighbours import STORED, chosen_neighbours, seeds_neighbours, write_neighbours
from nlpviz.runs.seeds import seeds_of

NEAREST = 50
"""So many neighbours of a document are kept; fewer are the first of them."""
FEWEST = 3
"""Documents without which nothing has neighbours to compare."""
AGAINST = {"chosen": "the best epoch", "before": "the previous epoch"}
"""What each epoch is compared with, and what people call it."""


class Seed(NamedTuple):
    """One seed of a recipe: its number, its displayed name, and each document's nearest neighbours, (N, k)."""

    number: int
    title: str
    nearest: NDArray[np.int32]


def nearest_by_cosine(embeddings: NDArray[np.floating]) -> NDArray[np.int32]:
    """Return the positions of each document's nearest neighbours by cosine, nearest first, (N, NEAREST or N - 1)."""
    lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
    unit = (embeddings / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return nearest(unit, min(NEAREST, len(unit) - 1)).astype(np.int32)


def nearest_of(run: Run, epoch: int, count: int = NEAREST) -> NDArray[np.int32]:
    """Return each kept document's neighbours at one of a run's epochs, (N, count or N - 1); read or computed once.

    Raises:
        RunError: if the run keeps no embeddings of that epoch, or too few documents.
    """
    if DOCUMENTS not in run.files:
        raise RunError(
            f"The run {run.name!r} has no stored embeddings of test documents, so neighbours cannot be compared."
        )
    if len(documents_of(run).ids) < FEWEST:
        raise RunError(f"The run {run.name!r} stores too few test documents to compare neighbours.")
    epoch = run.check_surveyed(epoch)
    stored = chosen_neighbours(run) if count <= STORED and epoch == run.best_epoch else None
    if stored is None:
        stored = run.kept(f"nearest {epoch}", lambda own: nearest_by_cosine(embeddings_of(own, epoch)))
    return stored[:, :count]


def keep_neighbours(run: Run) -> Run:
    """Write the neighbours at a run's best epoch and from its further seeds into its folder, for :func:`drift_of`."""
    return write_neighbours(run, nearest_of(run, run.best_epoch), _nearest_of_seeds(run))


def seeds(run: Run, others: Sequence[Run], count: int = NEAREST) -> tuple[Seed, ...]:
    """Return the seeds of a run's recipe at their best epochs, the run's own first, those kept with it among them."""
    ids = documents_of(run).ids
    twins = [twin for twin in seeds_of(run, others) if documents_of(twin).ids == ids]
    found = {run.seed: nearest_of(run, run.best_epoch, count)}
    for twin in twins:
        found[twin.seed] = nearest_of(twin, twin.best_epoch, count)
    for holder in (run, *twins):
        stored = seeds_neighbours(holder) if count <= STORED else None
        if stored is None:
            stored = holder.kept("nearest of more seeds", _nearest_of_seeds)
        for number, near in stored.items():
            found.setdefault(number, near[:, :count])
    return tuple(Seed(number, f"seed {number}", near) for number, near in found.items())


def _nearest_of_seeds(run: Run) -> dict[int, NDArray[np.int32]]:
    return {one.seed: nearest_by_cosine(one.embeddings) for one in more_seeds(run)}


def drift_of(
    run: Run,
    others: Sequence[Run],
    neighbours: int,
    against: str = "chosen",
    done: Callable[[float], object] = lambda _: None,
) -> Drift:
    """Return what a run's best epoch is compared with: its other epochs, other seeds, other networks on its documents.

    Args:
        run: with embeddings of test documents.
        others: any runs; those on other documents are left out.
        neighbours: k, of each document; at most :data:`NEAREST`, and fewer than there are documents.
        against: of :data:`AGAINST`, what each epoch is compared with.
        done: progress callback, called with the completed fraction.

    Raises:
        RunError: if the run keeps no embeddings, or too few documents.
    """
    count = nearest_of(run, run.best_epoch, neighbours).shape[1]
    alike = {one.name: one for one in others if _comparable(run, one)}
    twins = {one.name for one in seeds_of(run, alike.values())}
    spaces = [(run, epoch) for epoch in run.surveyed] + [(one, one.best_epoch) for one in alike.values()]
    for place, (one, epoch) in enumerate(spaces):
        nearest_of(one, epoch, count)
        done((place + 1) / len(spaces))
    its = seeds(run, list(alike.values()), count)
    floor = floor_of(run.title, [one.title for one in its], [one.nearest for one in its])
    compared = [*_epochs(run, count, against, floor), *_seeds(its, floor)]
    for other in alike.values():
        if other.name not in twins:
            both = _together(floor, _floor_of_other(run, other, list(alike.values()), count))
            found = Difference(other.name, other.title, _between(run, other, count))
            compared.append(ComparedSpace("networks", found, both))
    documents = documents_of(run)
    numbers = tuple(one.number for one in its)
    return Drift(
        run=run.name,
        title=run.title,
        epoch=run.best_epoch,
        neighbours=count,
        ids=documents.ids,
        labels=documents.labels,
        compared=tuple(compared),
        floor=floor,
        seeds=numbers,
        repeatable=run.kind == "classifier" and not (run.folder / RECIPE).exists(),
    )


def neighbours_there(run: Run, drift: Drift, key: str, others: Sequence[Run]) -> tuple[NDArray[np.int32], Run]:
    """Return each document's nearest neighbours in the space called ``key``, and the run whose documents these are.

    Raises:
        KeyError: if nothing is called so.
    """
    kind, _, name = key.partition(" ")
    if kind == "epoch":
        return nearest_of(run, int(name), drift.neighbours), run
    if kind == "seed":
        return {one.number: one for one in seeds(run, others, drift.neighbours)}[int(name)].nearest, run
    other = {one.name: one for one in others}[key]
    return nearest_of(other, other.best_epoch, drift.neighbours), other


def _epochs(run: Run, count: int, against: str, floor: NoiseFloor | None) -> list[ComparedSpace]:
    found = []
    for before, epoch in zip((None, *run.surveyed), run.surveyed, strict=False):
        reference = run.best_epoch if against == "chosen" else before
        if reference is None or epoch == reference:
            continue
        changed = changed_share(nearest_of(run, reference, count), nearest_of(run, epoch, count))
        title = f"epoch {epoch}" if against == "chosen" else f"epoch {reference} to {epoch}"
        found.append(ComparedSpace("epochs", Difference(f"epoch {epoch}", title, changed), floor))
    return found


def _seeds(its: Sequence[Seed], floor: NoiseFloor | None) -> list[ComparedSpace]:
    return [
        ComparedSpace(
            "seeds",
            Difference(f"seed {one.number}", one.title, changed_share(its[0].nearest, one.nearest)),
            floor,
        )
        for one in its[1:]
    ]


def _comparable(run: Run, other: Run) -> bool:
    """Return whether another run keeps enough of the same test documents of the same corpus."""
    if other.name == run.name or other.corpus.get("name") != run.corpus.get("name") or DOCUMENTS not in other.files:
        return False
    return len(set(documents_of(run).ids) & set(documents_of(other).ids)) >= FEWEST


def _between(run: Run, other: Run, count: int) -> NDArray[np.float32]:
    """Return what share of each document's neighbours is another one in the other run's space, (N,)."""
    own, its = documents_of(run).ids, documents_of(other).ids
    if own == its:
        return changed_share(*(nearest_of(one, one.best_epoch, count) for one in (run, other)))
    place = {name: position for position, name in enumerate(its)}
    rows = np.array([position for position, name in enumerate(own) if name in place])
    there = [place[own[row]] for row in rows]
    both = (embeddings_of(run, run.best_epoch)[rows], embeddings_of(other, other.best_epoch)[there])
    few = min(count, len(rows) - 1)
    result = np.full(len(own), np.nan, dtype=np.float32)
    result[rows] = changed_share(*(nearest_by_cosine(one)[:, :few] for one in both))
    return result


def _floor_of_other(run: Run, other: Run, others: Sequence[Run], count: int) -> NoiseFloor | None:
    if documents_of(run).ids != documents_of(other).ids:
        return None
    its = seeds(other, [one for one in others if one.name != other.name], count)
    return floor_of(other.title, [f"{other.title}, {one.title}" for one in its], [one.nearest for one in its])


def _together(*floors: NoiseFloor | None) -> NoiseFloor | None:
    pairs = tuple(pair for floor in floors if floor is not None for pair in floor.pairs)
    recipes = tuple(name for floor in floors if floor is not None for name in floor.recipes)
    return NoiseFloor(pairs, recipes) if pairs else None
