"""What runs must have for pages to be about them: other subjects lead to such a page where a run has it."""

from __future__ import annotations

from nlpviz.runs import Run
from nlpviz.ui.widgets import Wanted


def _attends(run: Run) -> bool:
    """Return whether a run's network has attention."""
    from nlpviz.models import attends

    return attends(run.architecture, run.config)


WITH_REGIONS = Wanted(
    "What it learnt",
    able=lambda run: "region_sizes" in run.config,  # a contract of architectures; asking the network needs torch
    named="trained run with regions",
    recipe="imdb-cnn",
)
"""Runs whose networks have regions and filters."""
WITH_ATTENTION = Wanted("One review", able=_attends, named="trained run with attention", recipe="imdb-han")
"""Runs whose networks have attention."""
WITH_ANALOGIES = Wanted("Words")
"""Runs whose words can be added."""
