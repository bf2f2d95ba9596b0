"""``survey RUN``: what is read off a run's network over the test documents, computed again.

``regions RUN --corpus`` and ``filters RUN`` answer from it where a network pools over regions, and
``attend RUN --corpus`` where it has attention.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from nlpviz.commands import Command, add_run, print_json, teller
from nlpviz.runs import Run, RunError, ngram_counts, open_run
from nlpviz.runs.translators import KIND as TRANSLATOR


def can_be_surveyed(run: Run) -> bool:
    """Return whether there is anything to read off a run's network over a whole corpus."""
    from nlpviz.models import RegionEncoder, attends, specimen

    return isinstance(specimen(run.architecture), RegionEncoder) or attends(run.architecture)


def survey(run: Run, say: Callable[[str], None]) -> Run:
    """Read the test documents of a run's corpus with every kept epoch, and write what was found into its folder.

    Raises:
        RunError: if the network classifies no text, or neither pools over regions nor has attention.
    """
    from nlpviz.models import attends

    if not can_be_surveyed(run):  # refused before anything is read
        why = "it translates" if run.kind == TRANSLATOR else "its network has neither regions nor attention"
        raise RunError(f"The run {run.name!r} has nothing to survey: {why}.")
    return (_attention if attends(run.architecture) else _regions)(run, say)


def _regions(run: Run, say: Callable[[str], None]) -> Run:
    from nlpviz.reading.split import Split
    from nlpviz.reading.survey import survey_run
    from nlpviz.training.texts import encoded, labelled_texts

    test = labelled_texts(run.corpus["name"], "test")
    say(f"Reading {len(test.texts):,} test texts at {len(run.epochs)} epochs")
    split = Split(test.ids, test.labels, encoded(run.vocabulary, test.texts))
    return survey_run(run, split, ngram_counts(run.corpus["name"]), say)


def _attention(run: Run, say: Callable[[str], None]) -> Run:
    """Ask about a sample of the documents that the run keeps, as many of each label."""
    from nlpviz.attribution import explain
    from nlpviz.reading.attention_survey import sample, survey_attention
    from nlpviz.training.texts import labelled_texts

    test = labelled_texts(run.corpus["name"], "test")
    texts = dict(zip(test.ids, test.texts, strict=True))
    asked = [run.documents.ids[place] for place in sample(run.documents.labels)]
    pairs = [(name, texts[name]) for name in asked]
    return survey_attention(run, pairs, lambda trained, text: explain(trained, text, "saliency"), say)


def _run(asked: argparse.Namespace) -> None:
    run = survey(open_run(asked.run), teller(asked))
    if asked.json:
        print_json({"run": run.name, "epochs": run.epochs})
    else:
        print(f"{run.name}: surveyed at epochs {', '.join(map(str, run.epochs))}")


COMMAND = Command("survey", "read a run's test documents: its regions and filters, or its attention", add_run, _run)
