"""Controls that every page shares; what they show is in the page's address."""

from nlpviz.ui.widgets.controls import number, pick, pick_some, text
from nlpviz.ui.widgets.epochs import epochs_of, only_epoch, pick_checkpoints, pick_epoch, pick_epochs
from nlpviz.ui.widgets.runs import (
    ANY_CLASSIFIER,
    ANY_RUN,
    WITH_HISTORY,
    Wanted,
    any_classifier,
    best_of,
    pick_other,
    pick_run,
    some_runs,
    tell_unmeasured,
)  # fmt: skip
from nlpviz.ui.widgets.session import folded, follow, select, set_to

__all__ = [
    "ANY_CLASSIFIER", "ANY_RUN", "WITH_HISTORY", "Wanted", "any_classifier", "best_of", "epochs_of", "folded", "follow",
    "number", "only_epoch", "pick", "pick_checkpoints", "pick_epoch", "pick_epochs", "pick_other",
    "pick_run", "pick_some", "select", "set_to", "some_runs", "tell_unmeasured", "text",
]  # fmt: skip
