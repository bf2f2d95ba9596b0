"""What a classifier learnt from the whole corpus: top n-grams, filters, linear weights, behaviours and calibration."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
