"""What ``faithfulness RUN --survey`` tells: methods and baselines over test documents, beside random orders."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from nlpviz.commands import print_json, teller
from nlpviz.commands.as_json import as_json
from nlpviz.runs import Run, RunError

if TYPE_CHECKING:
    from nlpviz.results.deletion import Estimate
    from nlpviz.results.faithfulness_survey import FaithfulnessSurvey

KEPT = 0
"""No documents are measured: the stored survey is printed."""
_MEASURES = ("comprehensiveness", "sufficiency", "within fifths")


def tell_survey(run: Run, options: argparse.Namespace) -> None:
    """Print what is kept of a run, after measuring it where a number of documents was named.

    Raises:
        RunError: if nothing is kept.
    """
    from nlpviz.runs.faithfulness import faithfulness_survey

    if options.survey != KEPT:
        from nlpviz.run_kinds.classifier_survey import survey_faithfulness

        run = survey_faithfulness(run, options.survey, teller(options))
    survey = faithfulness_survey(run)
    if survey is None:
        raise RunError(
            f"The run {run.name!r} has no faithfulness survey. Run `python -m nlpviz faithfulness {run.name} "
            "--survey 300`."
        )
    if options.json:
        print_json(_facts(survey))
    else:
        print(_in_words(survey))


def _facts(survey: FaithfulnessSurvey) -> dict[str, Any]:
    """Return what was measured as JSON holds it, the most comprehensive order first; what is not a number is null."""
    return {
        **as_json(survey, "run", "epoch"),
        "documents": len(survey.ids),
        "at_stake": survey.at_stake.sum(),
        **as_json(survey, "groups", "seed"),
        "orders": [_order(survey, name) for name in _best_first(survey)],
        "random": {measure: survey.at_random(measure)._asdict() for measure in _MEASURES},
    }


def _order(survey: FaithfulnessSurvey, name: str) -> dict[str, Any]:
    wins = survey.wins(name)
    return {
        "order": name,
        **{measure: survey.of(name, measure)._asdict() for measure in _MEASURES},
        "gained": {measure: survey.gained(name, measure)._asdict() for measure in _MEASURES},
        "wins": {"share": wins.share, **wins.interval._asdict(), "p": wins.p},
        "fifths": survey.shares[survey.orders.index(name)],
    }


def _in_words(survey: FaithfulnessSurvey) -> str:
    lines = [
        f"{survey.run}, epoch {survey.epoch}: {len(survey.ids):,} test documents, {survey.groups} token "
        "groups each, exhaustive search;",
        "0 is the worst order, 1 the best; 95% intervals; wins: documents on which the method beats most random orders",
        f"  {'':20} {'comprehensiveness':19} {'sufficiency':19} {'within fifths':19} wins",
    ]
    for name in _best_first(survey):
        wins = survey.wins(name)
        values = " ".join(f"{_written(survey.of(name, measure)):19}" for measure in _MEASURES)
        lines.append(f"  {name:20} {values} {wins.share:4.0%} ({wins.interval.low:.0%} to {wins.interval.high:.0%})")
    values = " ".join(f"{_written(survey.at_random(measure)):19}" for measure in _MEASURES)
    return "\n".join([*lines, f"  {'random orders':20} {values}"])


def _best_first(survey: FaithfulnessSurvey) -> list[str]:
    return sorted(survey.orders, key=lambda name: -survey.of(name, "comprehensiveness").mean)


def _written(estimate: Estimate) -> str:
    return "–" if math.isnan(estimate.mean) else f"{estimate.mean:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"
