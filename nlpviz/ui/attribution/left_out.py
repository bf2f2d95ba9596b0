"""The proof: predictions after trainings without the documents of most influence, and without random ones."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.figures.attribution.left_out import left_out_dots
from nlpviz.results.left_out import LeftOut, Ratio
from nlpviz.run_kinds.drawn.excerpts import quoted_beginnings
from nlpviz.runs import Run
from nlpviz.runs.left_out import left_out
from nlpviz.ui import classes, plotly_view
from nlpviz.ui.attribution import cache
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details


def show(run: Run) -> None:
    """Show how far predictions moved, or say what command finds out."""
    call, kind = Call(left_out, run), classes.document(run)
    found = call()
    if found is None:
        command = f"`python -m nlpviz leave-out {run.name} --again`"
        st.info(
            f"Not measured yet. {command} retrains the network without these {kind}s and, for comparison, without "
            f"random {kind}s."
        )
        return
    times, same = found.ratio(), found.ratio("same")
    begins = Call(quoted_beginnings, run.corpus["name"], call.get("ids"))
    begins = begins.giving(cache.beginnings(run.corpus["name"], found.ids))
    plotly_view.show(Call(left_out_dots, call, begins), key="left_out")
    answer(
        "Training without the {count} most helpful {kind}s moves the log-odds **{times:.1f} times as far** as training "
        "without {count} random {kind}s.",
        count=found.count, kind=kind, times=times.value,
    )  # fmt: skip
    seeds = found.moved("seeds")
    rows = [
        (f"Mean change in the log-odds without the {found.count} most helpful {kind}s", f"{_mean(found.moved('top'))}"),
        *([("Mean change in the log-odds with another seed", _mean(seeds))] if seeds.size else []),
        (f"Ratio to the change without {found.count} random {kind}s", _ratio(times)),
        (f"Ratio to the change without {found.count} random {kind}s of the predicted class", _ratio(same)),
        (f"Test {kind}s whose predicted class became less probable", f"{found.fell} of {len(found.ids)}"),
        (f"Test {kind}s whose log-odds move farther than in any run without random {kind}s",
         f"{found.farther} of {len(found.ids)}"),
    ]  # fmt: skip
    with details():
        st.table({"Measure": [name for name, _ in rows], "Value": [value for _, value in rows]},
                 hide_index=True, border="horizontal")  # fmt: skip
        _tell_trainings(run, found)


def _mean(moved: NDArray[np.float32]) -> str:
    return f"{abs(moved).mean():.2f}"


def _ratio(times: Ratio) -> str:
    return f"{times.value:.1f} (95% CI {times.interval.low:.1f} to {times.interval.high:.1f})"


def _tell_trainings(run: Run, found: LeftOut) -> None:
    st.caption(
        f"Trained like {run.title} on {found.documents:,} training documents, but {found.training}; about "
        f"{found.seconds:.0f} s per training run. All training runs use the same seed, batches, order and dropout; "
        "left-out documents have weight 0. Influences are computed from these small training runs, so this experiment "
        f"tests the method, not the full run. Repeat it with `python -m nlpviz leave-out {run.name} --again`."
    )
