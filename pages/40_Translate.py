"""One sentence and its translation, and the quality over all test sentences."""

from nlpviz.ui import views

SECTION = "Translation"

views.show(__file__)
