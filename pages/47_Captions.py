"""What a network says of an image: of synthetic scenes, or of images of your own."""

from nlpviz.ui import views

SECTION = "Captions"

views.show(__file__)
