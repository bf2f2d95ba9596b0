"""A classifier’s test reviews: where they lie on a map, and which reviews are misclassified."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
