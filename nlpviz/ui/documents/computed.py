"""Maps of documents with the visitor's settings: what is computed, and its name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from nlpviz.analysis.projections import MapSettings, check, compute, projectors
from nlpviz.results.projection import Projection
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import documents_of
from nlpviz.ui import map_jobs
from nlpviz.ui.frame import explain_error

Wanted = Sequence[tuple[Run, MapSettings]]


def computed(wanted: Wanted, *, now: bool) -> tuple[Projection, ...] | None:
    """Return the maps of every run if they were computed; else None, with an offer to compute them on the page.

    Args:
        wanted: runs, each with the settings of its maps.
        now: whether the visitor has just asked for them.
    """
    try:
        wanted = [(run, check(run, settings)) for run, settings in wanted]
    except RunError as error:
        explain_error(str(error))
        return None
    parts = [
        map_jobs.MapPart((run.name, run.fingerprint, settings), partial(compute, run, settings))
        for run, settings in wanted
    ]
    result = map_jobs.computed(map_jobs.Task(parts, said(wanted)), now=now)
    return None if result is None else tuple(one for maps in result for one in maps)


def said(wanted: Wanted) -> str:
    """Return what is asked for in words: ``"t-SNE, 2-D, perplexity 50, seed 1, 500 of 2,000 documents: …"``."""
    settings, kept = wanted[0][1], len(documents_of(wanted[0][0]).ids)
    parts = [
        projectors()[settings.projector].title,
        f"{settings.dimensions}-D",
        *(["each epoch separately"] if settings.alone else []),
        *([f"perplexity {settings.perplexity:g}"] if settings.perplexity is not None else []),
        f"seed {settings.seed}",
        f"{settings.sample or kept:,} of {kept:,} documents",
    ]
    shown = [f"{run.name} epoch {', '.join(map(str, maps.epochs))}" for run, maps in wanted]
    return f"{', '.join(parts)}: {'; '.join(shown)}"
