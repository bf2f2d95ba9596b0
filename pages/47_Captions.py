"""What a network says of an image: of synthetic scenes, or of images of your own."""

from nlpviz.ui import views

SECTION = "Networks that write"

views.show(__file__)
