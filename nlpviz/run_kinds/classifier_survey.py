"""What is read off a classifier: maps of its documents, its predictions, regions, filters, attention, deletion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nlpviz.data import corpus_named
from nlpviz.results.projection import Projection
from nlpviz.run_kinds import Say
from nlpviz.runs import Run, RunError, ngram_counts
from nlpviz.runs.attention_effects import ATTENTION
from nlpviz.runs.deletions import DELETION, write_deletion
from nlpviz.runs.documents import documents_of
from nlpviz.runs.dynamics import DYNAMICS
from nlpviz.runs.faithfulness import write_faithfulness
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.runs.surveys import DOCUMENT_REGIONS, FILTERS, REGIONS
from nlpviz.runs.training_log import TRAINING_LOG, keeps_all
from nlpviz.runs.units import UNITS

_COUNTED = 6000  # training texts, for the weights of words that units are compared with


def surveyed_files(run: Run) -> frozenset[str]:
    """Return the files that a survey of a run writes: its predictions, and what its network has to show."""
    from nlpviz.networks.architectures import RegionEncoder, WordByWord, attends, untrained_instance

    network = untrained_instance(run.architecture, run.config)
    files = [PREDICTIONS, DELETION]
    files += (REGIONS, FILTERS, DOCUMENT_REGIONS) * isinstance(network, RegionEncoder)
    files += (ATTENTION,) * attends(run.architecture, run.config)
    files += (DYNAMICS, UNITS) * isinstance(network, WordByWord)
    return frozenset(files)


def finish(run: Run, say: Say) -> Run:
    """Add what is read off a trained network: maps of its documents, where they are enough, and a survey of them."""
    _mapped(run, say)
    return survey(Run.open(run.folder), say)


def essentials(run: Run, say: Say) -> Run:
    """Add maps of a network's documents, where they are enough, and its predictions at its best epoch."""
    _mapped(run, say)
    return with_predictions(Run.open(run.folder), say, (run.best_epoch,))


def _mapped(run: Run, say: Say) -> None:
    from nlpviz.analysis.projections.settings import SMALLEST_SAMPLE

    if len(documents_of(run).ids) < SMALLEST_SAMPLE:
        say(f"No maps: they need at least {SMALLEST_SAMPLE} test documents.")
    else:
        maps(run, 0, say)


def maps(run: Run, seed: int, say: Say) -> Sequence[Projection]:
    """Compute all maps of a run's documents, write them into its folder and return them."""
    from nlpviz.analysis.projections import project_run, write_maps

    result = list(project_run(run, seed, say))
    write_maps(run, result)
    return result


def survey(run: Run, say: Say) -> Run:
    """Read the test documents of a run's corpus, and write what was found into its folder.

    Predictions, regions, attention, how states move and what units follow are read at every surveyed epoch, where the
    network has them; every network's attribution methods are put to the test of deletion at the chosen one, whose
    temperature is fitted to the validation texts. A run without a log of its training gets one of whole epochs, where
    it keeps them all.
    """
    run, files = with_predictions(run, say), surveyed_files(run)
    if lacks_log(run):
        run = log(run, say)
    for name, part in PARTS.items():
        if name in files:
            run = part(run, say)
    return run


def lacks_log(run: Run) -> bool:
    """Return whether the log of a run's training can be made of the epochs that it keeps, and was not."""
    return TRAINING_LOG not in run.files and keeps_all(run)


def log(run: Run, say: Say) -> Run:
    """Write the log of a run's training from the epochs that it keeps."""
    from nlpviz.training.logged import log_kept_epochs

    return log_kept_epochs(run, say)


def with_predictions(run: Run, say: Say, epochs: Sequence[int] | None = None) -> Run:
    """Write what a run predicts for all test documents at some epochs, by default the surveyed ones."""
    from nlpviz.training.predictions import predict_run
    from nlpviz.training.temperature import with_temperature

    return with_temperature(predict_run(run, say, epochs), say)


def survey_deletion(run: Run, say: Say) -> Run:
    """Measure which method's order of the tokens takes predictions away soonest; write it into the run's folder."""
    from nlpviz.analysis.attribution import deletion_survey

    return write_deletion(run, deletion_survey.survey_deletion(run, _sampled(run), say))


def survey_faithfulness(run: Run, count: int, say: Say) -> Run:
    """Measure how faithful methods and baselines are over ``count`` test documents; write it into the run's folder.

    Raises:
        RunError: if no document has a length that can be measured.
    """
    from nlpviz.analysis.attribution import faithfulness_survey
    from nlpviz.training.texts import labelled_texts

    test = labelled_texts(run.corpus["name"], "test")
    drawn = faithfulness_survey.sample(test.ids, test.labels, test.texts, count)
    if not drawn:
        least, most = faithfulness_survey.LEAST, faithfulness_survey.MOST
        raise RunError(
            f"No test document of the run {run.name!r} has {least} to {most} tokens, so nothing can be measured."
        )
    log = run.folder / ".faithfulness.jsonl"  # hidden: no part of the run, and gone when it is whole
    written = write_faithfulness(run, faithfulness_survey.survey_faithfulness(run, drawn, say, log))
    log.unlink()
    return written


def _regions(run: Run, say: Say) -> Run:
    from nlpviz.analysis.inspection.split import Split
    from nlpviz.analysis.inspection.survey import survey_run
    from nlpviz.text.ratings import in_ratings
    from nlpviz.text.vocabulary import tokenize
    from nlpviz.training.texts import encoded, labelled_texts

    corpus = corpus_named(run.corpus["name"])
    test = labelled_texts(corpus.name, "test")
    say(f"Reading {len(test.texts):,} test texts at {len(run.surveyed)} epochs")
    rated = [in_ratings(text, tokenize(text)) for text in test.texts] if corpus.states_ratings else []
    split = Split(test.ids, test.labels, encoded(run.vocabulary, test.texts), rated)
    return survey_run(run, split, ngram_counts(run.corpus["name"]), say)


def _attention(run: Run, say: Say) -> Run:
    from nlpviz.analysis.attribution import explain
    from nlpviz.analysis.inspection.attention_survey import survey_attention

    return survey_attention(run, _sampled(run), lambda trained, text: explain(trained, text, "saliency"), say)


def _dynamics(run: Run, say: Say) -> Run:
    from nlpviz.analysis.inspection.dynamics_survey import survey_dynamics

    documents, texts = documents_of(run), _sampled(run)
    labels = dict(zip(documents.ids, documents.labels.tolist(), strict=True))
    return survey_dynamics(run, [text for _, text in texts], np.array([labels[name] for name, _ in texts]), say)


def _units(run: Run, say: Say) -> Run:
    from nlpviz.analysis.inspection.attention_survey import spaced
    from nlpviz.analysis.inspection.units_survey import survey_units
    from nlpviz.training.texts import labelled_texts

    (train, test), kept = (labelled_texts(run.corpus["name"], split) for split in ("train", "test")), documents_of(run)
    texts = dict(zip(test.ids, test.texts, strict=True))
    counted = spaced(len(train.texts), _COUNTED)
    return survey_units(
        run,
        _sampled(run),
        ([texts[name] for name in kept.ids], kept.labels),
        ([train.texts[position] for position in counted], train.labels[counted]),
        say,
    )


def _sampled(run: Run) -> list[tuple[str, str]]:
    """Return ids and texts of a sample of the documents that the run keeps, as many of each label."""
    from nlpviz.analysis.inspection.attention_survey import asked_of, sample
    from nlpviz.training.texts import labelled_texts

    test = labelled_texts(run.corpus["name"], "test")
    texts = dict(zip(test.ids, test.texts, strict=True))
    positions = sample(documents_of(run).labels, asked_of(run.corpus["train"]))
    ids = [documents_of(run).ids[position] for position in positions]
    return [(name, texts[name]) for name in ids]


PARTS: Mapping[str, Callable[[Run, Say], Run]] = {
    REGIONS: _regions,
    ATTENTION: _attention,
    DELETION: survey_deletion,
    DYNAMICS: _dynamics,
    UNITS: _units,
}
"""What a survey makes besides predictions and log, by one of the files that it writes."""
