"""Networks that compose a sentence along its parse tree and classify every phrase."""

from nlpviz.ui import views

SECTION = "Sequences and trees"

views.show(__file__)
