"""One sentence translated, and how well all are."""

from nlpviz.ui import views

SECTION = "Translation"

views.show(__file__)
