"""What is this model, and what is it not for?

The model card: how it was trained, how well it performs, and what it must not be used for.
"""

from nlpviz.ui import frame, widgets
from nlpviz.ui.training import cards

with frame.bar():
    run = widgets.pick_run(widgets.ANY_RUN)
cards.show(run)
