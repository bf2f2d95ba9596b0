"""``survey RUN``: what ``regions RUN --corpus`` and ``filters RUN`` answer from, computed again."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from nlpviz.commands import Command, add_run, print_json, teller
from nlpviz.runs import Run, ngram_counts, open_run


def survey(run: Run, say: Callable[[str], None]) -> Run:
    """Read the test documents of a run's corpus with every kept epoch, and write what was found into its folder."""
    from nlpviz.reading.regions import region_encoder
    from nlpviz.reading.split import Split
    from nlpviz.reading.survey import survey_run
    from nlpviz.training.texts import encoded, labelled_texts

    region_encoder(run.load())  # what has no regions is refused before anything is read
    test = labelled_texts(run.corpus["name"], "test")
    say(f"Reading {len(test.texts):,} test texts at {len(run.epochs)} epochs")
    split = Split(test.ids, test.labels, encoded(run.vocabulary, test.texts))
    return survey_run(run, split, ngram_counts(run.corpus["name"]), say)


def _run(asked: argparse.Namespace) -> None:
    run = survey(open_run(asked.run), teller(asked))
    if asked.json:
        print_json({"run": run.name, "epochs": run.epochs})
    else:
        print(f"{run.name}: surveyed at epochs {', '.join(map(str, run.epochs))}")


COMMAND = Command("survey", "read a run's test documents: the board of its regions, its filters", add_run, _run)
