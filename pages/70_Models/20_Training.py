"""How did each run learn, and what does it cost?

What every epoch reached, without dropout. Where an epoch was chosen, it was on texts held out of training.
"""

import streamlit as st

from nlpviz.kinds import kind_of
from nlpviz.ui import frame, widgets
from nlpviz.ui.training import curves, tables

with frame.bar():
    run = widgets.pick_run(widgets.WITH_HISTORY)

curves.show(run)
st.header(f"{run.parameter_count:,} parameters, term by term", anchor=False)
tables.show_parameters(run)

with frame.how_to_read():
    st.markdown(
        f"""
{kind_of(run).reading(run)}
Trained on {run.device} in {tables.duration(run.seconds)}, seed {run.seed}, {run.created}, with
{", ".join(f"{library} {version}" for library, version in run.versions.items())}.
"""
    )
