"""Training: how a network learns, and what goes wrong."""

from nlpviz.ui import views

SECTION = "How networks learn"

views.show(__file__)
