"""The sentiment unit of a language model, stored in ``sentiment-unit.json``: a few numbers and no text."""

from __future__ import annotations

import json
from dataclasses import asdict

from nlpviz.results.sentiment_unit import SentimentUnit
from nlpviz.results.units import Unit
from nlpviz.runs.files import write_text
from nlpviz.runs.run import Run, RunError

SENTIMENT_UNIT = "sentiment-unit.json"


def write_sentiment_unit(run: Run, found: SentimentUnit) -> Run:
    """Write the results into the run's folder and its manifest; return the updated run."""
    facts = asdict(found) | {"unit": list(found.unit)}
    del facts["run"]
    write_text(run.folder / SENTIMENT_UNIT, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
    return run.save()


def sentiment_unit(run: Run) -> SentimentUnit | None:
    """Return a run's sentiment unit; None if it was not searched for.

    Raises:
        RunError: if the file is damaged.
    """
    if SENTIMENT_UNIT not in run.files:
        return None
    try:
        facts = json.loads(run.file(SENTIMENT_UNIT).read_text(encoding="utf-8"))
        return SentimentUnit(**(facts | {"run": run.name, "unit": Unit(*facts["unit"])}))
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{SENTIMENT_UNIT} of the run {run.name!r} is damaged or incomplete.") from None
