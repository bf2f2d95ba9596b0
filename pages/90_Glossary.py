"""What do the terms mean?

The terms of the field as these pages use them, with symbols and sources.
"""

from nlpviz.ui import glossary, views

SECTION = "Models and data"

with views.page(__doc__, __file__):
    term, search = glossary.pick()
    glossary.show(term, search)
