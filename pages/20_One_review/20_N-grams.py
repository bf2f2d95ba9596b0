"""Which n-grams does the network look for?

Each filter picks the n-gram that activates it most; the weighted sum of these activations is the score.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.figures.regions.class_score import score_steps
from nlpviz.results.regions import RANKS
from nlpviz.ui import classes, compare, frame, plotly_view, texts, tokens, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.regions import answers, choice, ratings
from nlpviz.ui.run_filter import WITH_REGIONS

with frame.bar():
    run = widgets.pick_run(WITH_REGIONS)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WITH_REGIONS)
    text = texts.pick_text(run)
with frame.controls():
    rank = widgets.pick("rank", "Ranked by", RANKS)
    target = classes.pick_target(run, compare.chosen(checkpoints).epoch, text)
    place = st.container(width="content")
    with frame.more():
        size = choice.pick_size(run)
        times = widgets.pick("training", "In training", choice.IN_TRAINING)
        rated = ratings.pick_ratings(run)

calls = choice.regions_beside(checkpoints, text, target)
result = [call() for call in calls]
ranked = choice.rank_beside(calls, run.corpus["name"], rank, size, unseen=times == "never", ratings=rated)
chosen = reference(result)  # the others are compared with it
with place:
    region = choice.pick_region([call() for call in ranked])
answers.show(run, ranked, region)

st.header("How the regions add up to the score", anchor=False)
answers.tell_sum(chosen)
steps = Call(score_steps, calls[result.index(chosen)], region.id if region else None)
plotly_view.show(steps, key="score", on_click=widgets.set_to("region"))
for one in {each.run: each for each in result}.values():
    tokens.show_seen(one.encoded, one.run if one.run != run.name else "")

with frame.how_to_read():
    st.latex(r"\text{score} = b + \sum_{r} \sum_{f\,\text{won by}\,r} \max_i c_{f,i} \; w_f")
    st.latex(r"\text{norm of region } i = \lVert c_i \rVert_2")
    st.markdown(answers.reading(chosen))
