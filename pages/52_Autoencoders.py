"""Autoencoders: what the code of a document preserves, and which words it decodes to."""

from nlpviz.ui import views

SECTION = "Vectors and codes"

views.show(__file__)
