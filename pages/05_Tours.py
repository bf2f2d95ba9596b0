"""Where shall we begin?

Stories of a few steps through these pages, for a lecture or for yourself: predict first, then see.
"""

from nlpviz.ui import views
from nlpviz.ui.tours import listing

SECTION = ""  # beside the Overview: it leads through all of them

with views.page(__doc__, __file__):
    listing.show()
