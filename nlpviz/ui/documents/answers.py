"""What the maps of Explore say, in words: how the labels part, what moved, which neighbours stayed."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nlpviz.analysis.projections import NEIGHBOURS
from nlpviz.results.projection import Projection, displacement
from nlpviz.results.trust import trust_of
from nlpviz.runs import Checkpoint, Run, RunError
from nlpviz.runs.documents import documents_of, stored_projections
from nlpviz.runs.seeds import of_another_seed
from nlpviz.ui import classes
from nlpviz.ui.cache import runs
from nlpviz.ui.documents import cache
from nlpviz.ui.documents.like_epochs import like_pairs
from nlpviz.ui.documents.maps import DocumentMaps
from nlpviz.ui.frame import answer, escape_markdown, takeaway


def tell(shown: DocumentMaps) -> None:
    """Say over the maps how many neighbours share a label in one of them."""
    last = shown.maps[shown.told]
    run = shown.runs[last.run]
    first = shown.maps[0]
    if shown.several:
        sentence = "{title}: **{purity:.0%}** of neighbours share a label (chance: {chance:.0%})."
    elif first is last:
        sentence = "**{purity:.0%}** of nearest neighbours share a label at epoch {epoch} (chance: {chance:.0%})."
    else:
        sentence = (
            "**{purity:.0%}** of nearest neighbours share a label at epoch {epoch}, {before:.0%} at epoch {first}."
        )
    takeaway(
        sentence,
        title=run.title,
        epoch=last.epoch,
        purity=last.purity,
        first=first.epoch,
        before=first.purity,
        chance=1 / len(run.class_names),  # a run keeps as many documents of each label
    )


def tell_trust(shown: DocumentMaps) -> None:
    """Say under the maps how far the one that is spoken of is to be trusted."""
    trust = trust_of(shown.fitted[shown.told])
    answer(
        "Trustworthiness of the map: **{trust:.2f}**, {verdict} ({compared}).",
        verdict=trust.verdict,
        trust=trust.value,
        compared=trust.compared,
    )


def tell_moves(shown: DocumentMaps) -> None:
    """Say how far points move between several maps, and how many neighbours stay."""
    if len(shown.maps) > 1:
        _tell_moves(shown)
        _tell_neighbours(shown)


def tell_formation(run: Run) -> None:
    """Say how many neighbours share a label at the first kept epoch and at the best one."""
    first, best = (stored_projections(run, "pca", 2, (epoch,))[0] for epoch in (run.epochs[0], run.best_epoch))
    sentence, pieces = formation_said(run, first, best)
    answer(sentence, **pieces)


def formation_said(run: Run, first: Projection, best: Projection) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces on label purity in the original space at two epochs."""
    start = "before training" if first.epoch == 0 else "at epoch {start}"
    earlier = f"{{before:.0%}} {start}, " if first.epoch != best.epoch else ""
    after = "after" if first.epoch == 0 else "at epoch {epoch}"
    sentence = (
        f"Nearest neighbours with the same label: {earlier}**{{after:.0%}}** {after} (by chance: {{chance:.0%}})."
    )
    pieces: dict[str, object] = {
        "start": first.epoch,
        "before": first.purity,
        "epoch": best.epoch,
        "after": best.purity,
        "chance": 1 / len(run.class_names),  # a run keeps as many documents of each label
    }
    return sentence, pieces


def _tell_moves(shown: DocumentMaps) -> None:
    """Say how far a review moves between the last two epochs shown of the first run, by both ways to fit."""
    name = next(iter(shown.runs))
    maps = sorted((one for one in shown.fitted if one.run == name), key=lambda one: one.epoch)
    if len(maps) < 2:
        return
    first, last = maps[-2:]
    other = _stored_twins(shown.runs[name], first, last)
    fit = "with comparable epochs" if first.alone else "with each epoch fitted separately"
    moved, document = f"{displacement(first, last):.2f}", classes.document(shown.runs[name])
    beside = "" if other is None else f" ({fit}: {other:.2f})"
    st.markdown(
        f"From epoch {first.epoch} to epoch {last.epoch}, the average {document} moves {moved} times the map’s "
        f"spread{beside}."
    )


def _stored_twins(run: Run, first: Projection, last: Projection) -> float | None:
    """Return how far a review moves on the stored maps of the other way to fit; None for maps that were computed."""
    if first.members is not None:
        return None
    stored = (first.epoch, last.epoch)
    try:
        own = stored_projections(run, first.projector, first.dimensions, stored, alone=first.alone)
        twins = stored_projections(run, first.projector, first.dimensions, stored, alone=not first.alone)
    except RunError:
        return None
    return displacement(*twins) if own[0] is first and own[1] is last else None


def _tell_neighbours(shown: DocumentMaps) -> None:
    """Say how many neighbours a review keeps between two panels, how many by chance, and how many at most."""
    pair = compared(shown)
    if pair is None:
        st.markdown("These maps show no corresponding epochs of the two models, so shared neighbours are not counted.")
        return
    first, last = (Checkpoint(shown.runs[shown.fitted[at].run], shown.fitted[at].epoch) for at in pair)
    share, chance = cache.neighbours_in_common(first, last), NEIGHBOURS / (len(documents_of(last.run).ids) - 1)
    start, end = (escape_markdown(shown.name(position)) for position in pair)
    others, document = runs(last.run.kind), classes.document(last.run)
    seeds = seed_pair(others, last.run) or seed_pair(others, first.run)
    st.markdown(
        f"{share:.0%} of a {document}’s {NEIGHBOURS} nearest neighbours in the original space are the same at {start} "
        f"and at {end} (by chance: {chance:.1%}).{_ceiling(seeds, (first, last), share) if seeds else ''}"
    )


def compared(shown: DocumentMaps) -> tuple[int, int] | None:
    """Return the panels whose neighbours are compared: the first and the last, of two runs the last like epochs."""
    if not shown.several:
        return 0, len(shown.maps) - 1
    return next(reversed(like_pairs(shown.runs, shown.fitted)), None)


def _ceiling(seeds: tuple[Checkpoint, Checkpoint], shown: tuple[Checkpoint, Checkpoint], share: float) -> str:
    """Return the sentence that says how far two trainings agree that ought to agree most; they may be those shown."""
    if {(one.run.name, one.epoch) for one in seeds} == {(one.run.name, one.epoch) for one in shown}:
        return " These runs differ only in their seed, so do not expect closer agreement between other runs."
    names = " and ".join(escape_markdown(one.run.title) for one in seeds)
    several = shown[0].run.name != shown[1].run.name
    return ceiling_said(cache.neighbours_in_common(*seeds), share if several else None, names)


def ceiling_said(most: float, share: float | None, names: str) -> str:
    """Return how many neighbours are the most to expect between two trainings, unless those shown have more.

    Args:
        most: the share that two trainings have in common that differ in their seed alone.
        share: that of the two trainings shown; None where two epochs of one are.
        names: of the former two.
    """
    if share is not None and round(share, 2) > round(most, 2):
        return f" For comparison, {names} differ only in their seed and share only {most:.0%}."
    return f" Expect at most about {most:.0%}, the share for {names}, which differ only in their seed."


def seed_pair(others: Mapping[str, Run], run: Run) -> tuple[Checkpoint, Checkpoint] | None:
    """Return the chosen epochs of ``run`` and of one of ``others`` that differs from it only in its seed, or None."""
    other = of_another_seed(run, others.values())
    return None if other is None else (Checkpoint(run, run.best_epoch), Checkpoint(other, other.best_epoch))
