"""What is this model for, and what is it not for?

The model card: training, performance, intended use and limitations.
"""

from nlpviz.ui import frame, widgets
from nlpviz.ui.training import cards

with frame.bar():
    run = widgets.pick_run(widgets.ANY_RUN)
cards.show(run)
