"""What a network learnt from all reviews: its top n-grams and its filters."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
