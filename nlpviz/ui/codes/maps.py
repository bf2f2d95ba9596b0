"""What the map of codes says beside that of the bags."""

from __future__ import annotations

from nlpviz.results.projection import Projection
from nlpviz.runs import Run
from nlpviz.runs.codes import BAGS
from nlpviz.runs.documents import projections_of
from nlpviz.stats.significance import wilson
from nlpviz.ui import classes, texts
from nlpviz.ui.frame import answer, lead_to, takeaway


def take_away(run: Run, codes: Projection) -> None:
    """Say how many neighbours share a label by the codes and by the bags.

    Args:
        run: whose codes.
        codes: their map at one epoch.
    """
    takeaway(
        "{codes:.0%} of nearest neighbours by code share a label, versus {bags:.0%} by bag of words.",
        codes=codes.purity,
        bags=_bags(run).purity,
    )


def _bags(run: Run) -> Projection:
    return next(one for one in projections_of(run) if one.projector == BAGS)


def tell_bags(run: Run, codes: Projection) -> None:
    """Say whether a document's neighbours share its label more often by its code than by its bag.

    Args:
        run: whose codes.
        codes: their map at one epoch.
    """
    documents = len(codes.coordinates)
    of_codes, of_bags = (wilson(one.purity, documents) for one in (codes, _bags(run)))
    more = of_codes.low > of_bags.high
    fewer = of_codes.high < of_bags.low
    told = "more often than" if more else "less often than" if fewer else "about as often as"
    answer(
        f"At epoch {{epoch}}, a {{document}}’s {{neighbours}} nearest neighbours by code share its label "
        f"{told} its nearest neighbours by bag of words (measured in the original spaces).",
        document=classes.document(run),
        neighbours=codes.neighbours,
        epoch=codes.epoch,
    )


def lead_to_code(run: Run) -> None:
    """Lead to the code of the document that was clicked."""
    document = texts.document(run)
    if document is not None:
        lead_to("Autoencoders", f"The code of {document}", "code", text=document, run=run.name)
        lead_to("Autoencoders", f"Walk from {document} to another text", "walk", text=document, run=run.name)
