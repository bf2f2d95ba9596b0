"""What a network learnt over all reviews: its n-grams and its filters."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
