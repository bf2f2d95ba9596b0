"""What the maps of the Documents page say, in words: how the labels part, what moved, which neighbours stayed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from nlpviz.projections import NEIGHBOURS
from nlpviz.results.projection import Projection, displacement
from nlpviz.runs import Checkpoint, Run, RunError
from nlpviz.runs.documents import documents_of
from nlpviz.ui.cache import runs
from nlpviz.ui.documents import cache
from nlpviz.ui.documents.maps import DocumentMaps
from nlpviz.ui.frame import answer, escape_markdown

_WITHOUT_WEIGHT = {"seed", "kept_epochs", "eight_bits"}
"""Settings of a recipe that do not say what is learnt from what: chance, and what is kept."""


def tell(shown: DocumentMaps) -> None:
    """Say how the labels part in the last panel, how far points move, and how many neighbours stay."""
    last = shown.maps[-1]
    answer(
        "At {where}, {purity:.0%} of a review's {neighbours} nearest neighbours share its label"
        " (by chance: {chance:.0%}). Trust in this map: {trust:.2f} of 1.",
        where=shown.name(len(shown.maps) - 1),
        purity=last.purity,
        neighbours=last.neighbours,
        chance=1 / len(shown.runs[last.run].class_names),  # a run keeps as many documents of each label
        trust=last.trustworthiness,
    )
    if len(shown.maps) > 1:
        _tell_moves(shown)
        _tell_neighbours(shown)


def _tell_moves(shown: DocumentMaps) -> None:
    """Say how far a review moves between the last two epochs shown of the first run, by both ways to fit."""
    name = next(iter(shown.runs))
    positions = [position for position, one in enumerate(shown.fitted) if one.run == name]
    if len(positions) < 2:
        return
    first, last = (shown.fitted[position] for position in positions[-2:])
    other = _stored_twins(shown.runs[name], first, last)
    fit = "epochs comparable" if first.alone else "each epoch fitted alone"
    moved = f"{displacement(first, last):.2f}"
    beside = "" if other is None else f" ({fit}: {other:.2f})"
    if other is not None and f"{other:.2f}" == moved:
        beside = f", with {fit} as well: here the network has moved it, not the fit"
    st.markdown(
        f"From epoch {first.epoch} to epoch {last.epoch} a review moves {moved} times the map's spread{beside}."
    )


def _stored_twins(run: Run, first: Projection, last: Projection) -> float | None:
    """Return how far a review moves on the stored maps of the other way to fit; None for maps that were computed."""
    if first.members is not None:
        return None
    stored = (first.epoch, last.epoch)
    try:
        own = cache.projections(run, first.projector, first.dimensions, stored, alone=first.alone)
        twins = cache.projections(run, first.projector, first.dimensions, stored, alone=not first.alone)
    except RunError:
        return None
    return displacement(*twins) if own[0] is first and own[1] is last else None


def _tell_neighbours(shown: DocumentMaps) -> None:
    """Say how many neighbours a review keeps between two panels, and how many it keeps by chance and by seed."""
    first, last = (Checkpoint(shown.runs[one.run], one.epoch) for one in (shown.fitted[0], shown.fitted[-1]))
    share, chance = cache.neighbours_in_common(first, last), NEIGHBOURS / (len(documents_of(last.run).ids) - 1)
    start, end = (escape_markdown(shown.name(position)) for position in (0, len(shown.maps) - 1))
    pair = seed_pair(runs(last.run.kind), last.run)
    st.markdown(
        f"Of a review's {NEIGHBOURS} nearest neighbours in the original space, {share:.0%} are the same at {start} and "
        f"at {end}; by chance it would be {chance:.1%}.{_noise(*pair) if pair else ''}"
    )


def _noise(first: Checkpoint, second: Checkpoint) -> str:
    """Return the sentence that says below what share there is a difference at all."""
    share = cache.neighbours_in_common(first, second)
    return f" The noise floor: two trainings that differ in nothing but their seed share {share:.0%}."


def seed_pair(others: Mapping[str, Run], run: Run) -> tuple[Checkpoint, Checkpoint] | None:
    """Return the chosen epochs of ``run`` and of one of ``others`` that differs from it only in its seed, or None."""
    for other in others.values():
        if other.seed != run.seed and _learnt(other) == _learnt(run):
            return Checkpoint(run, run.best_epoch), Checkpoint(other, other.best_epoch)
    return None


def _learnt(run: Run) -> tuple[object, ...]:
    """Return all that says what a run learnt from what, but for the seed."""
    return run.architecture, dict(run.config), run.corpus.get("sha256"), _without_seed(run.recipe)


def _without_seed(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _without_seed(value) if isinstance(value, Mapping) else value
        for key, value in settings.items()
        if key not in _WITHOUT_WEIGHT
    }
