"""One sentence and its translation, and translation quality on the test set."""

from nlpviz.ui import views

SECTION = "Networks that write"

views.show(__file__)
