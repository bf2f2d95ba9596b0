"""Which networks a view of captions is about, and which of them is shown beside the chosen one."""

from __future__ import annotations

from nlpviz.runs import Run
from nlpviz.runs.captioners import KIND, OF_IMAGES
from nlpviz.ui import widgets
from nlpviz.ui.widgets import Wanted

SCENES = Wanted("Captions", lambda run: run.kind == KIND, named="network that captions scenes", recipe="scenes-soft")
"""Runs on synthetic scenes."""
IMAGES = Wanted(
    "Captions",
    lambda run: run.kind == OF_IMAGES,
    named="network that captions your images",
    recipe="my-images --texts captions.json --images FOLDER",
)
"""Runs on the user's images."""
NONE = "none"


def pick(wanted: Wanted) -> tuple[Run, int]:
    """Return the run and the epoch that the visitor chose; the page ends where there is none."""
    run = widgets.pick_run(wanted)
    return run, widgets.pick_epoch(run)


def others_of(run: Run, wanted: Wanted) -> list[Run]:
    """Return the other runs on the same corpus."""
    return [one for one in wanted.runs().values() if one.name != run.name and one.corpus["name"] == run.corpus["name"]]


def pick_other(run: Run, wanted: Wanted) -> Run | None:
    """Return the other run that the visitor wants to see as well; None for none."""
    others = {one.name: one for one in others_of(run, wanted)}
    return widgets.pick_beside(others, wanted)
