"""One sentence and its translation, and the quality over all test sentences."""

from nlpviz.ui import views

SECTION = "Networks that write"

views.show(__file__)
