"""``survey RUN``: what is read off a run's network over the test documents, computed again.

Of a classifier the predictions for all test documents are written, with the ratings in them and without.
``regions RUN --corpus`` and ``filters RUN`` answer from a survey where a network pools over regions,
``attend RUN --corpus`` where it has attention, and ``units RUN`` where it reads word by word.
"""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, add_run, print_json, teller
from nlpviz.kinds import kind_of
from nlpviz.runs import RunError, open_run


def _run(options: argparse.Namespace) -> None:
    run = open_run(options.run)
    kind = kind_of(run)
    if kind.survey is None:
        raise RunError(f"The run {run.name!r} {kind.refusals.get('survey', f'has nothing to survey: it {kind.says}')}.")
    run = kind.survey(run, teller(options))
    if options.json:
        print_json({"run": run.name, "epochs": run.surveyed})
    else:
        print(f"{run.name}: surveyed{' at epochs ' * bool(run.surveyed)}{', '.join(map(str, run.surveyed))}")


COMMAND = Command(
    "survey",
    "read a run's test documents: its predictions, its regions and filters, its attention or its units",
    add_run,
    _run,
)
