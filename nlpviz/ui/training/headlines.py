"""The number that a run is judged by, in a sentence over what a page shows of the run."""

from __future__ import annotations

from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run
from nlpviz.ui.frame import takeaway


def show(run: Run) -> None:
    """Say which number a run reaches, and at which epoch where it has several."""
    headline = kind_of(run).headline
    at = ", at epoch {epoch}" if len(run.epochs) > 1 else ""
    name = headline.name[:1].lower() + headline.name[1:] if headline.name[1:2].islower() else headline.name
    if headline.value(run) is None:
        takeaway("{title} has {count:,} parameters and no test result.", title=run.title, count=run.parameter_count)
        return
    takeaway(f"{{title}}: {{name}} {{value}}{at}.", title=run.title, name=name, value=headline.written(run),
             epoch=run.best_epoch)  # fmt: skip
