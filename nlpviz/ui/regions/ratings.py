"""Ratings that reviews state: shown among the n-grams or not, and what a network owes to reading them."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.results.predictions import MaskedPredictions
from nlpviz.runs import Run
from nlpviz.runs.predictions import PREDICTIONS, RATINGS_MASKED, masked_predictions
from nlpviz.stats.significance import compare
from nlpviz.ui import address, widgets
from nlpviz.ui.frame import answer, details

_CHOICES = {"include": "Include", "exclude": "Exclude"}


def state_ratings(run: Run) -> bool:
    """Return whether the texts of the run's corpus may state a rating."""
    return RATINGS_MASKED in run.metrics or PREDICTIONS not in run.files


def pick_ratings(run: Run) -> bool:
    """Return whether the visitor wants to see n-grams that hold a part of a rating, such as ``7/10``.

    The control is left out where the texts of the run's corpus state no ratings.
    """
    if not state_ratings(run):
        address.leave_out("ratings")
        return True
    return widgets.pick("ratings", "Ratings such as 7/10", _CHOICES) == "include"


def tell_ratings(run: Run) -> None:
    """Fold how many test reviews state a rating, and what accuracy is left when all are masked; else nothing."""
    if PREDICTIONS not in run.files:
        widgets.tell_unmeasured(run, "Reliance on ratings in the text")
        return
    found = masked_predictions(run)
    if found is None:
        return
    sentence, pieces = ratings_said(found, run.class_names)
    with details(f"Explicit ratings in reviews: {run.title}"):
        answer(sentence, title=run.title, **pieces)
        st.dataframe(ratings_table(pieces, len(run.class_names)), hide_index=True, width="content")


def ratings_said(found: MaskedPredictions, class_names: tuple[str, ...]) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces, but for the run's ``title``; it claims no more than a paired test does."""
    result = compare(found.right, found.plain.right)
    rated = found.rated > 0
    by_label = {
        f"rated{label}": int((rated & (found.plain.labels == label)).sum()) for label, _ in enumerate(class_names)
    }
    pieces: dict[str, object] = {
        "rated": int(rated.sum()),
        "documents": len(rated),
        "before": float(found.plain.right.mean()),
        "after": float(found.right.mean()),
        "points": number(100 * result.difference, ".2f"),
        "low": number(100 * result.interval.low, ".2f"),
        "high": number(100 * result.interval.high, ".2f"),
        "turned": int(found.turned.sum()),
        **by_label,
        **{f"name{label}": name for label, name in enumerate(class_names)},
    }
    first = "{title} sees an explicit rating in {rated:,} of {documents:,} test reviews. "
    if result.significant:
        told = (
            "With every rating masked, its accuracy is **{after:.2%}** rather than {before:.2%} ({points} percentage "
            "points)."
        )
    else:
        told = "Masking every rating makes no significant difference: accuracy is {after:.2%} rather than {before:.2%}."
    return first + told, pieces


def ratings_table(pieces: dict[str, object], classes: int) -> dict[str, list[str]]:
    """Return the numbers behind :func:`ratings_said`, of so many classes, as a table."""
    rows = {
        f"Reviews with a rating, {pieces[f'name{label}']}": f"{pieces[f'rated{label}']:,}" for label in range(classes)
    }
    rows["Predictions that change"] = f"{pieces['turned']:,}"
    rows["Difference in accuracy, percentage points"] = str(pieces["points"])
    rows["95% interval (paired test), percentage points"] = f"{pieces['low']} to {pieces['high']}"
    return {"Measure": list(rows), "Value": list(rows.values())}


def tell_left_out(count: int, what: str) -> None:
    """Say how many n-grams are not shown because they hold a part of a rating; nothing where it is none.

    Args:
        count: how many.
        what: when an n-gram is one of them, the end of the sentence.
    """
    if count:
        st.caption(f"{count:,} n-gram{'' if count == 1 else 's'} excluded: {what}.")
