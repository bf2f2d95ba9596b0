"""Whether probabilities can be believed, on a page: by epoch, and bin by bin at one of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures.assessment.calibration_epochs import calibration_by_epoch
from nlpviz.figures.assessment.reliability import reliability_diagram
from nlpviz.results.assessment import Assessment
from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run
from nlpviz.runs.documents import DOCUMENTS, every_epoch_of
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.assessment import cache
from nlpviz.ui.cache import runs
from nlpviz.ui.calls import Call, Result
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway


def _keeps(run: Run) -> bool:
    return kind_of(run).predictor is not None and DOCUMENTS in run.files


PREDICTED = widgets.Wanted("", able=_keeps, named="classifier with stored probabilities", mixed=True)
"""Runs that keep what each epoch gave the classes of test texts."""
_EPOCH = "epoch of probabilities"


def pick_runs() -> list[Run]:
    """Return the run that the page is about, and another one on the same corpus if the visitor chose one."""
    first = widgets.pick_run(PREDICTED)
    beside = widgets.pick_other(first, PREDICTED)
    return [first] if beside is None else [first, beside]


def pick_epoch(run: Run) -> int:
    """Return the epoch of the diagram, at first the best one; those whose weights are not kept may be chosen, too."""
    options = [str(epoch) for epoch in sorted(every_epoch_of(run))]
    chosen = widgets.pick(
        _EPOCH, "Epoch", options, default=[str(run.best_epoch)], parameter="epoch", draw=st.pills, required=True,
        help=f"0 is before training; {run.best_epoch} is the best epoch (validation).",
    )  # fmt: skip
    return int(chosen)


def assessed(runs: Sequence[Run]) -> dict[str, Call[list[Assessment]]]:
    """Return how far the probabilities of every epoch are right on the same test texts, by the runs' titles."""
    return {run.title: cache.assessed(run) for run in runs}


def tell(run: Run, own: Sequence[Assessment], chosen: int) -> None:
    """Say how far off the chosen epoch is on average, and which way where that is more than chance explains."""
    here = next(one for one in own if one.epoch == chosen)
    known = here.calibration
    side = "overconfident" if known.confidence > here.accuracy else "underconfident"
    verdict = side if known.miscalibrated else "not significant"
    takeaway(
        "{title}: confidence and accuracy differ by {error:.1%} on average ({verdict}).",
        title=run.title, error=known.error, verdict=verdict,
    )  # fmt: skip


def show_numbers(own: Sequence[Assessment], chosen: int) -> None:
    """Say what confidence and accuracy are at the chosen epoch; fold the temperature and the smallest error."""
    here = next(one for one in own if one.epoch == chosen)
    known, least = here.calibration, min(own, key=lambda one: one.calibration.error)
    answer(
        "At epoch {epoch}, mean confidence is {confidence:.1%} and accuracy is {accuracy:.1%} on {documents:,} test "
        "texts.",
        epoch=chosen, confidence=known.confidence, accuracy=here.accuracy, documents=here.documents,
    )  # fmt: skip
    rows = {f"Expected calibration error, epoch {chosen}": f"{known.error:.1%}"}
    if known.temperature is not None:
        rows["Temperature (cross-fitted)"] = f"{known.temperature.value:.2f}"
        rows["Calibration error with this temperature"] = f"{known.temperature.error:.1%}"
    rows["Epoch with the smallest calibration error"] = str(least.epoch)
    rows["Smallest calibration error"] = f"{least.calibration.error:.1%}"
    rows["Accuracy at this epoch"] = f"{least.accuracy:.1%}"
    with details():
        st.dataframe({"Measure": list(rows), "Value": list(rows.values())}, hide_index=True, width="content")


def show_epochs(found: dict[str, Call[list[Assessment]]], chosen: int) -> None:
    """Show the calibration error by epoch beside accuracy and confidence; a click chooses an epoch of the first run."""
    drawn = Call(calibration_by_epoch, found, chosen)
    plotly_view.show(drawn, key="calibration", on_click=widgets.set_to(_EPOCH))


def show_diagram(one: Result[Assessment]) -> None:
    """Show accuracy by confidence at one epoch."""
    plotly_view.show(Call(reliability_diagram, one), key="reliability")


def worked(one: Assessment) -> str:
    """Return the numbers of the bin that is furthest off beside the error, in Markdown."""
    known = one.calibration
    widest = max(known.bins, key=lambda part: abs(part.accuracy - part.confidence))
    return (
        f"The bin furthest from the diagonal contains {widest.texts:,} texts: mean confidence "
        f"{widest.confidence:.1%}, accuracy {widest.accuracy:.1%}, a gap of "
        f"{100 * abs(widest.accuracy - widest.confidence):.1f} percentage points. For "
        f"{escape_markdown(runs()[one.run].title)}, the formula (15 equal-width bins) yields an ECE of "
        f"{known.error:.1%}."
    )
