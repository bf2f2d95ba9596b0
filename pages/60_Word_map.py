"""Word vectors as a map, or along axes of your own."""

from nlpviz.ui import views

SECTION = "Words"

views.show(__file__)
