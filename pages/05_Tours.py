"""Tours: guided stories

Short guided stories for a lecture or for self-study: predict first, then see the answer.
"""

from nlpviz.ui import views
from nlpviz.ui.tours import listing

SECTION = ""  # beside the Overview: it leads through all of them

with views.page(__doc__, __file__):
    listing.show()
