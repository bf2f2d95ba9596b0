"""Training: how networks learn, and what can go wrong."""

from nlpviz.ui import views

SECTION = "How networks learn"

views.show(__file__)
