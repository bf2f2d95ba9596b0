"""The proof: predictions after trainings without the documents of most influence, and without random ones."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.attribution.left_out import left_out_dots
from nlpviz.runs import Run
from nlpviz.runs.left_out import left_out
from nlpviz.ui import classes, plotly_view


def show(run: Run) -> None:
    """Show how far predictions moved, or say what command finds out."""
    found, kind = left_out(run), classes.document(run)
    if found is None:
        st.info(
            f"Nobody has tried: `python -m nlpviz leave-out {run.name} --again` trains without them, and random ones."
        )
        return
    times, same = found.ratio(), found.ratio("same")
    seeds = found.moved("seeds")
    noise = f" Another seed alone moves it by {abs(seeds).mean():.2f}." if seeds.size else ""
    st.markdown(
        f"For {len(found.ids)} test {kind}s the network was trained again without the {found.count} of "
        f"{found.documents:,} training {kind}s that lowered the loss of its prediction most. The log-odds move by "
        f"{abs(found.moved('top')).mean():.2f} on average, **{times.value:.1f} times as far** as without {found.count} "
        f"random ones (95 % interval {times.interval.low:.1f} to {times.interval.high:.1f}) and {same.value:.1f} times "
        f"as far as without random ones of the predicted class ({same.interval.low:.1f} to {same.interval.high:.1f}). "
        f"The predicted class becomes less probable for {found.fell} of {len(found.ids)}, and {found.farther} move "
        f"farther than in any training without random ones.{noise}"
    )
    plotly_view.show(left_out_dots(found), key="left_out")
    st.caption(
        f"Each training is short: {found.training}; about {found.seconds:.0f} s. Seed, batches, order and dropout are "
        "the same in all; what is left out has the weight 0, so that a training that leaves out nothing repeats the "
        f"whole one exactly. The {found.count} are those of this page's sketches. Made again by `python -m nlpviz "
        f"leave-out {run.name} --again`."
    )
