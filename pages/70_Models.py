"""The models: how each was trained, and what it is intended for."""

from nlpviz.ui import views

SECTION = "Models and data"

views.show(__file__)
