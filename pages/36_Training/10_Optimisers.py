"""How do optimisers find their way down?

Ten optimisers minimise a two-parameter loss from the same starting point. Play the descent, or change the surface.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, surfaces

with frame.bar():
    surface = surfaces.pick_surface()
    names = choice.pick_optimisers()
with frame.controls():
    chosen = surfaces.pick(surface)

surfaces.show(chosen, names)

with frame.how_to_read():
    st.markdown(surfaces.explained(surface, names))
