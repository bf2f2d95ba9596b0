"""Which units track a feature of the text?

Each unit’s correlation with a feature over test texts, compared with the largest correlation expected by chance.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.runs.language import reads_on
from nlpviz.ui import frame, texts, tokens, widgets
from nlpviz.ui.recurrence import cache, question, sentiment_unit, units, units_choice, units_facts
from nlpviz.ui.run_filter import WORD_BY_WORD

with frame.bar():
    run = widgets.pick_run(WORD_BY_WORD)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WORD_BY_WORD, surveyed=True)
    text = texts.pick_text(run)
checkpoints = question.asked_anything(checkpoints)
with frame.controls():
    wish = units_choice.pick_feature(run)
    place = st.container(width="content")

found = units_choice.searches_beside(checkpoints, wish)
with place:
    shown = units_choice.pick_unit(found)
units.show_ranking(shown, wish)
question.tell_characters(run)
chosen = reference(shown)

st.header(f"Unit {chosen.unit} in the text", anchor=False)
units.show_text(shown, text, wish)
for one in {each.run: each for each in shown}.values():
    tokens.show_seen(cache.states(*one.checkpoint, text)().text, one.run if one.run != run.name else "")

st.header(f"Unit {chosen.unit} in the {units_choice.sampled(run)}", anchor=False)
units_facts.show_facts(shown, wish)
if not reads_on(run):
    units_facts.show_ablation(shown)
units_facts.show_extremes(shown)
sentiment_unit.show(run)

with frame.how_to_read():
    st.latex(r"r_u = \frac{1}{W} \sum_{w=1}^{W} \frac{h_{u,w} - \bar h_u}{s_u} \cdot \frac{f_w - \bar f}{s_f}")
    st.markdown(units_choice.reading(chosen, wish))
