"""Toy tasks: what a network that reads step by step can learn to remember."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
