"""How was each model trained, and what did training cost?

The metrics after every epoch, without dropout. The best epoch is chosen on the validation set.
"""

import streamlit as st

from nlpviz.run_kinds import kind_of
from nlpviz.ui import frame, widgets
from nlpviz.ui.training import curves, tables

with frame.bar():
    run = widgets.pick_run(widgets.WITH_HISTORY)

curves.show(run)
st.header(f"Parameters by layer: {run.parameter_count:,} in total", anchor=False)
tables.show_parameters(run)

with frame.how_to_read():
    st.markdown(
        f"""
{kind_of(run).reading(run)}
Trained on {run.device} in {tables.duration(run.seconds)} with seed {run.seed} on {run.created}, using
{", ".join(f"{library} {version}" for library, version in run.versions.items())}.
"""
    )
