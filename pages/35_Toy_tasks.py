"""Toy tasks: what a network that reads step by step can learn to remember."""

from nlpviz.ui import views

SECTION = "How networks learn"

views.show(__file__)
