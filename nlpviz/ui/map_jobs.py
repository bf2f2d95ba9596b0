"""Maps that a visitor asks for: computed in the server's one worker, kept for all visitors, and drawn when done."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from lru import LRU

from nlpviz.analysis.projections import part_of
from nlpviz.analysis.projections.projector import quietly
from nlpviz.ui import address, limits
from nlpviz.ui.frame import escape_markdown, explain_error
from nlpviz.ui.jobs import Job, Progress, QueueFullError, Worker

_JOB = "map_job"
_EVERY_S = 0.5

T = TypeVar("T")


class MapPart(NamedTuple, Generic[T]):
    """The maps of one run or one source of word vectors: what they are in full, and what computes them."""

    key: Hashable
    compute: Callable[[Progress], tuple[T, ...]]


class Task(NamedTuple, Generic[T]):
    """Maps that are wanted together: part by part, what they are in words, what is drawn meanwhile."""

    parts: Sequence[MapPart[T]]
    title: str
    meanwhile: str = "the stored map"

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """What is wanted in full."""
        return tuple(part.key for part in self.parts)


@st.cache_resource(show_spinner=False)
def worker() -> Worker:
    """Return the server's one worker."""
    return Worker(limits.most_maps())


@st.cache_resource(show_spinner=False)
def latest() -> LRU[Hashable, object]:
    """Return the maps that were asked for last, for all visitors; threads may share it."""
    return LRU(limits.entries(48))


def computed(task: Task[T], *, now: bool) -> list[tuple[T, ...]] | None:
    """Return the maps of each part if they were computed; else None, with an offer to compute them on the page.

    Args:
        task: what is wanted.
        now: whether the visitor has just asked for it.
    """
    job = _own_job(task.keys)
    result = kept(task.keys)
    if result is None:
        if now and (job is None or job.over):
            job = _start(task)
        _report(job, task)
    return result


def kept(keys: Sequence[Hashable]) -> list[tuple[Any, ...]] | None:
    """Return the maps that are kept under each of ``keys``; None where one of them is not."""
    result = [maps for key in keys if isinstance(maps := latest().get(key), tuple)]
    return result if len(result) == len(keys) else None


def compute(parts: Sequence[MapPart[T]], progress: Progress = quietly) -> list[tuple[T, ...]]:
    """Return the maps of each part; those that are not kept are computed here."""
    result = []
    for index, part in enumerate(parts):
        maps = latest().get(part.key)
        if not isinstance(maps, tuple):
            maps = part.compute(part_of(progress, index, len(parts)))
            latest()[part.key] = maps
        result.append(maps)
    return result


def _own_job(key: Hashable) -> Job | None:
    """Return this visitor's job, if it computes just what ``key`` says and is not done; another one is cancelled."""
    job = st.session_state.get(_JOB)
    if not isinstance(job, Job):
        return None
    if job.key != key or job.state == "done":
        worker().cancel(job)  # it is of no use any more: what is done is kept, or was dropped
        return None
    return job


def _start(task: Task[T]) -> Job | None:
    """Hand a map to the worker; None, with the reason on the page, where too many wait or none may."""
    if not limits.most_maps():
        explain_error("Visitors cannot compute new maps on this server.")
        return None
    try:
        job = worker().submit(task.title, lambda progress: compute(task.parts, progress), task.keys)
    except QueueFullError:
        explain_error("Too many maps are queued. Try again in a minute.")
        return None
    st.session_state[_JOB] = job
    return job


def _report(job: Job | None, task: Task[T]) -> None:
    """Say where the maps stand, in a place that asks again by itself as long as something is going on."""
    going = job is not None and not job.over
    st.fragment(_panel, run_every=_EVERY_S if going else None)(job, task)


def _panel(job: Job | None, task: Task[T]) -> None:
    """Show the offer, the turn, the progress or what went wrong."""
    if job is not None and job.state == "done":
        address.rerun()  # of the whole page, which draws the maps
    if job is not None and not job.over:
        share, text = _where(job)
        st.progress(share, text=escape_markdown(f"{task.title}. {text[:1].upper()}{text[1:]}"))
        if st.button("Cancel", key="map_cancel"):
            worker().cancel(job)
            st.session_state.pop(_JOB, None)
            address.rerun()
        return
    if job is not None and job.state == "failed":
        explain_error(f"This map could not be computed: {job.error}")
    st.info(
        f"{escape_markdown(task.title)}. This map has not been computed yet. Until then, {task.meanwhile} is shown."
    )
    if st.button("Compute this map", key="map_compute") and _start(task) is not None:
        address.rerun()  # a refusal stays on the page


def _where(job: Job) -> tuple[float, str]:
    """Return how far a job is that is not over, and the same in words."""
    if job.state == "running":
        return job.share, f"{job.share:.0%}, {job.doing}"
    share, before = worker().before(job)
    turn = "your map is next" if before == 0 else f"{before} map{'s' * (before != 1)} ahead of yours in the queue"
    return 0.0, f"another map is being computed ({share:.0%}); {turn}"
