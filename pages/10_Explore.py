"""The test reviews of a classifier: where they lie on a map, and which of them it gets wrong."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
