"""Autoencoders: what document autoencoders keep of a text, and the words they decode it to."""

from nlpviz.ui import views

SECTION = "Vectors and codes"

views.show(__file__)
