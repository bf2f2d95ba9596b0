"""Which model is best, and by how much?

The results and training costs of all models. The best model of each kind is listed first.
"""

from nlpviz.ui import widgets
from nlpviz.ui.training import comparison, tables

widgets.some_runs()
comparison.show_comparison()
tables.show_all()
comparison.offer_report()
