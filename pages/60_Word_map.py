"""Word vectors, seen as a map or between poles."""

from nlpviz.ui import views

SECTION = "Words"

views.show(__file__)
