"""Which model is best, and by how much?

All models with their results and training cost, the best of each kind first.
"""

from nlpviz.ui import widgets
from nlpviz.ui.training import comparison, tables

widgets.some_runs()
comparison.show_comparison()
tables.show_all()
comparison.offer_report()
