"""``deletion RUN``: which attribution method finds what predictions rest on, over a sample of the test documents.

What was measured is kept with the run; ``--again`` measures it again, for which the corpus must be on this machine.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, print_json, run_for, teller
from nlpviz.commands.as_json import as_json
from nlpviz.runs import RunError

if TYPE_CHECKING:
    from nlpviz.results.deletion import DeletionSurvey, Estimate


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--again", action="store_true", help="repeat the measurement and store the result")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.runs.deletions import deletion_survey

    run = run_for("deletion", options.run)
    if options.again:
        from nlpviz.run_kinds.classifier_survey import survey_deletion

        run = survey_deletion(run, teller(options))
    survey = deletion_survey(run)
    if survey is None:
        raise RunError(
            f"The run {run.name!r} has no deletion test. Run `python -m nlpviz deletion {run.name} --again`."
        )
    if options.json:
        print_json(_facts(survey))
        return
    print(f"{survey.run}, epoch {survey.epoch}: AOPC for the predicted class, {len(survey.ids):,} test documents")
    print(f"  {'':22} {'mean AOPC (95% interval)':27} texts on which it beats all {survey.orders} random orders")
    for method in survey.best_first:
        print(f"  {method:22} {_written(survey.of(method)):27} {survey.beats_all(method):,}")
    print(f"  {'random orders':22} {_written(survey.at_random)}")


def _facts(survey: DeletionSurvey) -> dict[str, Any]:
    """Return what was measured as JSON holds it, the best method first."""
    return {
        **as_json(survey, "run", "epoch"),
        "documents": len(survey.ids),
        "random_orders": survey.orders,
        "methods": [
            {"method": method, "aopc": survey.of(method)._asdict(), "beats_all_random": survey.beats_all(method)}
            for method in survey.best_first
        ],
        "random": survey.at_random._asdict(),
    }


def _written(estimate: Estimate) -> str:
    return f"{estimate.mean:+.3f} ({estimate.low:+.3f} to {estimate.high:+.3f})"


COMMAND = Command("deletion", "compare attribution methods by the deletion test (AOPC)", _add_arguments, _run)
