"""Which networks a view of captions is about, and which of them is shown beside the chosen one."""

from __future__ import annotations

from nlpviz.runs import Run
from nlpviz.runs.captioners import KIND, OF_IMAGES
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


def others_of(run: Run, wanted: Wanted) -> list[Run]:
    """Return the other runs on the same corpus."""
    return [one for one in wanted.runs().values() if one.name != run.name and one.corpus["name"] == run.corpus["name"]]
