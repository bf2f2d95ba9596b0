"""What is this model, and what is it not for?

How it was trained, on what, what it reaches, and what it must not be used for, as its run records it.
"""

from nlpviz.ui import frame, widgets
from nlpviz.ui.training import cards

with frame.bar():
    run = widgets.pick_run(widgets.ANY_RUN)
cards.show(run)
