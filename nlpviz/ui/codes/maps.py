"""What the map of codes says beside that of the bags."""

from __future__ import annotations

from nlpviz.results.projection import Projection
from nlpviz.runs import Run
from nlpviz.runs.codes import BAGS
from nlpviz.runs.documents import projections_of
from nlpviz.significance import wilson
from nlpviz.ui import classes, texts
from nlpviz.ui.frame import answer, lead_to


def tell_bags(run: Run, codes: Projection) -> None:
    """Say whether a document's neighbours share its label more often by its code than by its bag.

    Args:
        run: whose codes.
        codes: their map at one epoch.
    """
    bags = next(one for one in projections_of(run) if one.projector == BAGS)
    documents = len(codes.coordinates)
    of_codes, of_bags = (wilson(one.purity, documents) for one in (codes, bags))
    more = of_codes.low > of_bags.high
    fewer = of_codes.high < of_bags.low
    answer(
        "By their bags, {bags:.0%} of a {document}'s {neighbours} nearest neighbours share its label; by their codes "
        "at epoch {epoch}, **{codes:.0%}** do"
        + (": more." if more else ": fewer, since a code keeps less than its bag." if fewer else ": about as many.")
        + " Both are measured in the original spaces, not on the maps.",
        bags=bags.purity,
        codes=codes.purity,
        document=classes.document(run),
        neighbours=codes.neighbours,
        epoch=codes.epoch,
    )


def lead_to_code(run: Run) -> None:
    """Lead to the code of the document that was clicked."""
    document = texts.document(run)
    if document is not None:
        lead_to("Codes", f"What does the code of {document} say?", "code", text=document, run=run.name)
        lead_to("Codes", f"Walk from {document} to another text", "walk", text=document, run=run.name)
