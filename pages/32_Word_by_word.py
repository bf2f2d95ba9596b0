"""Word by word: what a recurrent network holds as it reads, what it keeps, and what it forgets."""

from nlpviz.ui import views

SECTION = "Recurrent networks"

views.show(__file__)
