"""What is read off a classifier: maps of its documents, and a survey of its regions and filters or its attention."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.kinds import Say
from nlpviz.results.projection import Projection
from nlpviz.runs import Run, RunError, ngram_counts
from nlpviz.runs.attention_effects import ATTENTION
from nlpviz.runs.documents import documents_of
from nlpviz.runs.surveys import DOCUMENT_REGIONS, FILTERS, REGIONS


def surveyed_files(run: Run) -> frozenset[str]:
    """Return the files that a survey of a run writes; none where there is nothing to read off its network."""
    from nlpviz.models import RegionEncoder, attends, untrained_instance

    regions = isinstance(untrained_instance(run.architecture, run.config), RegionEncoder)
    attention = attends(run.architecture, run.config)
    return frozenset((REGIONS, FILTERS, DOCUMENT_REGIONS) * regions + (ATTENTION,) * attention)


def finish(run: Run, say: Say) -> Run:
    """Add what is read off a trained network: maps of its documents, and a survey of its regions or its attention."""
    maps(run, 0, say)
    run = Run.open(run.folder)
    return survey(run, say) if surveyed_files(run) else run


def maps(run: Run, seed: int, say: Say) -> Sequence[Projection]:
    """Compute all maps of a run's documents, write them into its folder and return them."""
    from nlpviz.projections import project_run, write_maps

    result = list(project_run(run, seed, say))
    write_maps(run, result)
    return result


def survey(run: Run, say: Say) -> Run:
    """Read the test documents of a run's corpus with every kept epoch, and write what was found into its folder.

    Raises:
        RunError: if the network neither pools over regions nor has attention.
    """
    files = surveyed_files(run)
    if not files:  # refused before anything is read
        raise RunError(f"The run {run.name!r} has nothing to survey: its network has neither regions nor attention.")
    if REGIONS in files:
        run = _regions(run, say)
    return _attention(run, say) if ATTENTION in files else run


def _regions(run: Run, say: Say) -> Run:
    from nlpviz.reading.split import Split
    from nlpviz.reading.survey import survey_run
    from nlpviz.training.texts import encoded, labelled_texts

    test = labelled_texts(run.corpus["name"], "test")
    say(f"Reading {len(test.texts):,} test texts at {len(run.epochs)} epochs")
    split = Split(test.ids, test.labels, encoded(run.vocabulary, test.texts))
    return survey_run(run, split, ngram_counts(run.corpus["name"]), say)


def _attention(run: Run, say: Say) -> Run:
    """Ask about a sample of the documents that the run keeps, as many of each label."""
    from nlpviz.attribution import explain
    from nlpviz.reading.attention_survey import sample, survey_attention
    from nlpviz.training.texts import labelled_texts

    test = labelled_texts(run.corpus["name"], "test")
    texts = dict(zip(test.ids, test.texts, strict=True))
    ids = [documents_of(run).ids[position] for position in sample(documents_of(run).labels)]
    pairs = [(name, texts[name]) for name in ids]
    return survey_attention(run, pairs, lambda trained, text: explain(trained, text, "saliency"), say)
