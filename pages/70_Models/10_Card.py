"""What is this model, and what is it not for?

How and on what it was trained, how well it does, and what it must not be used for: its model card.
"""

from nlpviz.ui import frame, widgets
from nlpviz.ui.training import cards

with frame.bar():
    run = widgets.pick_run(widgets.ANY_RUN)
cards.show(run)
