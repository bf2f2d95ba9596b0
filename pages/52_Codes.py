"""Codes: what autoencoders of documents keep of a text, and what comes back."""

from nlpviz.ui import views

SECTION = "Vectors and codes"

views.show(__file__)
