"""Toy tasks: what can a network learn to remember?"""

from nlpviz.ui import views

SECTION = "How networks learn"

views.show(__file__)
