"""The proof: predictions after trainings without the documents of most influence, and without random ones."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.attribution.left_out import left_out_dots
from nlpviz.runs import Run
from nlpviz.runs.left_out import left_out
from nlpviz.snippets import influence as snippets
from nlpviz.ui import classes, plotly_view


def show(run: Run) -> None:
    """Show how far predictions moved, or say what command finds out."""
    found, kind = left_out(run), classes.document(run)
    if found is None:
        command = f"`python -m nlpviz leave-out {run.name} --again`"
        st.info(f"Nobody has tried: {command} trains without them, and without random ones.")
        return
    times, same = found.ratio(), found.ratio("same")
    seeds = found.moved("seeds")
    noise = f" Another seed alone moves it by {abs(seeds).mean():.2f}." if seeds.size else ""
    st.markdown(
        f"A small training of {found.documents:,} of the training {kind}s was repeated for each of {len(found.ids)} "
        f"test {kind}s, without the {found.count} that by their influence lowered the loss of its prediction most. Its "
        f"log-odds move by {abs(found.moved('top')).mean():.2f} on average, **{times.value:.1f} times as far** as "
        f"without {found.count} random ones (95 % interval {times.interval.low:.1f} to {times.interval.high:.1f}) and "
        f"{same.value:.1f} times as far as without random ones of the predicted class ({same.interval.low:.1f} to "
        f"{same.interval.high:.1f}). The predicted class becomes less probable for {found.fell} of {len(found.ids)}, "
        f"and {found.farther} move farther than in any training without random ones.{noise}"
    )
    plotly_view.show(left_out_dots(found), key="left_out", code=snippets.left_out(run.name))
    st.caption(
        f"Trained as {run.title} is, but {found.training}; about {found.seconds:.0f} s each. Seed, batches, order and "
        "dropout are the same in all; what is left out has the weight 0, so that a training that leaves out nothing "
        "repeats the whole one exactly. Influences are traced in the small training itself, at each of its epochs: it "
        f"tests the method, not the whole run. Made again by `python -m nlpviz leave-out {run.name} --again`."
    )
