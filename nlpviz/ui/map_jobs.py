"""Maps that a visitor asks for with other settings: computed in the server's one worker, kept, and drawn when done."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.projections import MapSettings, check, compute, projectors
from nlpviz.results.projection import Projection
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import documents_of
from nlpviz.ui.frame import escape_markdown, explain_error
from nlpviz.ui.jobs import BusyError, Job, Progress, Shelf, Worker

Wanted = Sequence[tuple[Run, MapSettings]]
_JOB = "map_job"
_EVERY_S = 0.5


class Task(NamedTuple):
    """A map to be computed: what it is in full and in words, what puts it on the shelf, what is drawn meanwhile."""

    key: Hashable
    title: str
    work: Callable[[Progress], None]
    meanwhile: str = "the stored one"


@st.cache_resource(show_spinner=False)
def worker() -> Worker:
    """Return the server's one worker."""
    return Worker()


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    """Return the maps that were computed last, for all visitors."""
    return Shelf()


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
    keys = tuple(_key(run, settings) for run, settings in wanted)
    job = own_job(keys)
    found = [shelf().get(key) for key in keys]
    maps = tuple(one for some in found if isinstance(some, tuple) for one in some)
    if all(some is not None for some in found):
        return maps
    await_map(Task(keys, said(wanted), lambda progress: _compute(wanted, progress)), job, now=now)
    return None


def said(wanted: Wanted) -> str:
    """Return what is asked for in words: ``"t-SNE, 2-D, perplexity 50, seed 1, 500 of 2,000 documents: …"``."""
    settings, kept = wanted[0][1], len(documents_of(wanted[0][0]).ids)
    parts = [
        projectors()[settings.projector].title,
        f"{settings.dimensions}-D",
        *(["each alone"] if settings.alone else []),
        *([f"perplexity {settings.perplexity:g}"] if settings.perplexity is not None else []),
        f"seed {settings.seed}",
        f"{settings.sample or kept:,} of {kept:,} documents",
    ]
    shown = [f"{run.name} epoch {', '.join(map(str, maps.epochs))}" for run, maps in wanted]
    return f"{', '.join(parts)}: {'; '.join(shown)}"


def _key(run: Run, settings: MapSettings) -> tuple[object, ...]:
    return (run.name, run.fingerprint, settings)


def own_job(key: Hashable) -> Job | None:
    """Return this visitor's job, if it computes just what ``key`` says and is not done; another one is abandoned."""
    job = st.session_state.get(_JOB)
    if not isinstance(job, Job):
        return None
    if job.key != key or job.state == "done":
        worker().abandon(job)  # it is of no use any more: what is done lies on the shelf, or has left it
        return None
    return job


def await_map(task: Task, job: Job | None, *, now: bool) -> None:
    """Say where a map stands, and offer to compute it where nothing is going on.

    Args:
        task: what computes it.
        job: that does so, or None.
        now: whether it shall be started.
    """
    if now and (job is None or job.over):
        job = _start(task)
    _report(job, task)


def _start(task: Task) -> Job | None:
    """Hand a map to the worker; None, with the reason on the page, where too many wait."""
    try:
        job = st.session_state[_JOB] = worker().submit(task.title, task.work, task.key)
    except BusyError:
        explain_error("Too many maps are waiting to be made: try again in a minute.")
        return None
    return job


def _compute(wanted: Wanted, progress: Progress) -> None:
    """Compute the maps that do not lie on the shelf, and put them there."""
    for place, (run, settings) in enumerate(wanted):
        if shelf().get(_key(run, settings)) is None:
            shelf().put(_key(run, settings), compute(run, settings, _part(progress, place, len(wanted))))


def _part(progress: Progress, place: int, count: int) -> Progress:
    """Return what tells ``progress`` how far the run at ``place`` of ``count`` is."""
    return lambda share, doing: progress((place + share) / count, doing)


def _report(job: Job | None, task: Task) -> None:
    """Say where the maps stand, in a place that asks again by itself as long as something is going on."""
    going = job is not None and not job.over
    st.fragment(_panel, run_every=_EVERY_S if going else None)(job, task)


def _panel(job: Job | None, task: Task) -> None:
    """Show the offer, the turn, the progress or what went wrong."""
    if job is not None and job.state == "done":
        st.rerun()  # of the whole page, which draws the maps
    if job is not None and not job.over:
        share, text = _where(job)
        st.progress(share, text=escape_markdown(f"{task.title}. {text[:1].upper()}{text[1:]}"))
        if st.button("Abandon", key="map_abandon"):
            worker().abandon(job)
            st.session_state.pop(_JOB, None)
            st.rerun()
        return
    if job is not None and job.state == "failed":
        explain_error(f"This map could not be made: {job.error}")
    st.info(f"{escape_markdown(task.title)}. This map is not computed yet; below is {task.meanwhile}.")
    if st.button("Compute this map", key="map_compute") and _start(task) is not None:
        st.rerun()  # a refusal stays on the page


def _where(job: Job) -> tuple[float, str]:
    """Return how far a job is that is not over, and the same in words."""
    if job.state == "running":
        return job.share, f"{job.share:.0%}, {job.doing}"
    share, before = worker().before(job)
    turn = "yours is next" if before == 0 else f"{before} more wait before yours"
    return 0.0, f"another map is being made, {share:.0%}; {turn}"
