"""One review: what a network predicts for it, and which words decide the prediction."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
