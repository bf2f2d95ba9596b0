"""Language models: what each of them expected, how surprised it was, and what it writes."""

from nlpviz.ui import views

SECTION = "Networks that write"

views.show(__file__)
