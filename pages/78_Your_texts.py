"""Your own texts: train networks on them, or measure any network on them."""

from nlpviz.ui import views

views.show(__file__)
