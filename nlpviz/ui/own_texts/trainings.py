"""The trainings on visitors' own texts: what waits, what is being trained, how far it is, and what became of others."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.training.curves import training_curves
from nlpviz.results.history import RunHistory
from nlpviz.run_kinds import kinds
from nlpviz.run_kinds.listing import known_runs
from nlpviz.training import queue
from nlpviz.training.queue import Queued
from nlpviz.training.so_far import RunSoFar, share, so_far
from nlpviz.ui import address, plotly_view
from nlpviz.ui.frame import answer, escape_markdown, lead_to

_EVERY_S = 1.0
_SAID = {
    "waiting": "is queued",
    "running": "is training",
    "stopped": "stopped",
    "failed": "failed",
    "done": "is finished",
}
_WAYS = {
    "classifier": {"Explore": "Map", "One review": "Saliency"},
    "language-model": {"Language models": "Surprisal"},
    "translator": {"Translate": "Alignment"},
    "word-vectors": {"Words": "Neighbours"},
}
"""Kind of a run -> the pages to begin with, and the view."""
_LINES = 12


def show() -> None:
    """Show all trainings, in a place that asks again by itself as long as one is under way."""
    jobs = queue.queued()
    if not jobs:
        return
    queue.see_to_it()  # a restart of the machine may have interrupted one
    st.header("Training runs", anchor=False)
    going = any(not job.over for job in jobs)
    st.fragment(_panel, run_every=_EVERY_S if going else None)(going)


def _panel(going: bool) -> None:
    jobs = queue.queued()
    if going and all(job.over for job in jobs):
        address.rerun()  # of the whole page: the new runs are there
    for job in sorted(jobs, key=lambda one: (one.over, one.added)):
        with st.container(border=True):
            _show(job, sum(not other.over and other.added < job.added for other in jobs))


def _show(job: Queued, before: int) -> None:
    """Show one training."""
    answer("**{name}** {state}. {said}", name=job.name, state=_SAID[job.state], said=job.said)
    runs = so_far(job)
    if job.state == "waiting" and before:
        st.caption(f"{before:,} training run{'s are' if before > 1 else ' is'} ahead in the queue.")
    if job.state == "running":
        st.progress(share(runs), text=escape_markdown(_doing(job, runs)))
        _show_curves(runs)
    if job.state == "failed":
        with st.expander("Last lines of the log"):
            st.code("\n".join(queue.log(job)[-_LINES:]), language=None)
    _show_ways(job, runs)
    _show_buttons(job)


def _doing(job: Queued, runs: tuple[RunSoFar, ...]) -> str:
    """Return what is being done, in words."""
    now = next((run for run in runs if not run.made), None)
    if now is None:
        return "Finishing"
    place = f"{now.title}, {runs.index(now) + 1} of {len(runs)}"
    if now.records:
        return f"{place}: epoch {len(now.records) - 1} of at most {now.epochs} finished"
    return f"{place}: {next(reversed(queue.log(job)), 'starting')[:120]}"


def _show_curves(runs: tuple[RunSoFar, ...]) -> None:
    """Show how the network that is being trained learns, epoch by epoch, by what its kind measures first."""
    now = next((run for run in runs if run.records and not run.made), None)
    if now is None or len(now.records) < 2:
        return
    kind = kinds()[now.kind]
    measures = [measure for measure in kind.measures if measure.name == kind.headline.drawn] or kind.measures[:1]
    learnt = RunHistory(now.name, now.title, None, now.seed, "still training", now.records)
    plotly_view.show(training_curves(learnt, measures, [], height=280), key=f"so_far_{now.name}")


def _show_ways(job: Queued, runs: tuple[RunSoFar, ...]) -> None:
    """Lead to the pages that show a run that is there."""
    there, _ = known_runs()  # not those that were there when the page's script began: one may just have been made
    for run in runs:
        if not run.made or run.name not in there or job.state == "waiting":
            continue
        with st.container(horizontal=True):
            lead_to("Models", f"{run.name}: model card", "card", run=run.name)
            for page, label in _WAYS.get(run.kind, {}).items():
                lead_to(page, label, label.lower(), run=run.name)
            if run.epochs:
                lead_to("Models", "Training", "training", run=run.name)


def _show_buttons(job: Queued) -> None:
    """Offer what can be done with a training: stop it, let it go on, remove it."""
    with st.container(horizontal=True):
        if not job.over:
            st.button("Stop", key=f"stop_{job.name}", icon=":material/stop:", on_click=queue.stop, args=(job,))
            return
        if job.state != "done":
            st.button(
                "Resume", key=f"go_on_{job.name}", icon=":material/play_arrow:", on_click=queue.go_on, args=(job,)
            )
        st.button(
            "Remove from the list" if job.state == "done" else "Delete, including unfinished files",
            key=f"remove_{job.name}", on_click=queue.remove, args=(job,),
        )  # fmt: skip
