"""How a network describes an image: a synthetic scene, or an image of your own."""

from nlpviz.ui import views

SECTION = "Networks that write"

views.show(__file__)
