"""Word by word: what a recurrent network holds as it reads, what it keeps, and what it forgets."""

from nlpviz.ui import views

SECTION = "Sequences and trees"

views.show(__file__)
