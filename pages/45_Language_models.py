"""Language models: what they predict, what surprises them, and what they write."""

from nlpviz.ui import views

SECTION = "Networks that write"

views.show(__file__)
