"""Recurrent networks: what the state contains after each word, what it keeps, and what it forgets."""

from nlpviz.ui import views

SECTION = "Sequences and trees"

views.show(__file__)
