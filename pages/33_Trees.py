"""Networks that compose the words of a sentence along its tree, and say what they make of every phrase."""

from nlpviz.ui import views

SECTION = "Sequences and trees"

views.show(__file__)
