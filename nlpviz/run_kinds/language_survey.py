"""What is read off a language model with its corpus: where it beats those beside it, and which units follow what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpviz.data import corpus_named
from nlpviz.data.streams import TextStream
from nlpviz.run_kinds import Say, Survey
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.gains import GAINS, write_gains
from nlpviz.runs.language import ids_in, reads_on
from nlpviz.runs.sentiment_unit import SENTIMENT_UNIT, write_sentiment_unit
from nlpviz.runs.units import UNITS

SURVEYED = frozenset({GAINS, UNITS, SENTIMENT_UNIT})
PIECES = 120
"""Pieces of the test text in which units are searched."""
_WEIGHED = 6000  # training texts, for the weights of words
_LETTERS = 6  # of a word with the space after it, at most on average
_LABELS = ("negative", "positive")
_TRAINING, _TEST = 4000, 5000  # labelled texts that choose the thresholds of units, and that measure the chosen one


def survey(run: Run, say: Say) -> Run:
    """Read the test text of a run's corpus, and write what was found into its folder.

    Raises:
        RunError: if there is nothing to find: it is compared with no other run, and is no recurrent network.
    """
    if not (run.recipe["beside"] or reads_on(run)):
        raise RunError(
            f"The run {run.name!r} cannot be surveyed, because it is not a recurrent language model, and its "
            "recipe names no model to compare it with."
        )
    return finish(run, say)


def finish(run: Run, say: Say) -> Run:
    """Add to a run what :func:`survey` finds, if there is anything to find."""
    if run.recipe["beside"]:
        run = _gains(run, say)
    return _units(run, say) if reads_on(run) else run


def _lacks_gains(run: Run) -> bool:
    return bool(run.recipe["beside"]) and GAINS not in run.files


def _lacks_units(run: Run) -> bool:
    return reads_on(run) and UNITS not in run.files


def _gains(run: Run, say: Say) -> Run:
    from nlpviz.analysis.inspection.gains import gains
    from nlpviz.training.language_measures import read_text, texts_of

    text = texts_of(run, ("test",))["test"]
    say(f"Reading {len(text[0]):,} test tokens")
    own, found = read_text(run, text, None, "cpu"), {}
    for name in run.recipe["beside"]:
        beside = open_run(name)
        other = read_text(beside, (ids_in(beside, run)[own.ids], own.characters), None, "cpu")
        found[name] = gains(own.ids, own.own, other.own, run.vocabulary, of_characters=run.tokenizer.of_characters)
    return write_gains(run, found)


def _units(run: Run, say: Say) -> Run:
    from nlpviz.analysis.inspection.attention_survey import spaced
    from nlpviz.analysis.inspection.language_units import survey_language_units
    from nlpviz.analysis.inspection.word_weights import naive_bayes_weights
    from nlpviz.data.columns import LabelledTexts
    from nlpviz.training.texts import labelled_texts

    records = corpus_named(run.corpus["name"]).read("test")
    if isinstance(records, TextStream):
        nothing = np.empty(0, dtype=np.float32)
        return survey_language_units(
            run, pieces(records.lines, 1 if run.tokenizer.of_characters else _LETTERS), nothing, say
        )
    assert isinstance(records, LabelledTexts)
    sample = [(records.ids[place], records.texts[place]) for place in spaced(len(records.texts), PIECES)]
    train = labelled_texts(run.corpus["name"], "train")
    counted = spaced(len(train.texts), _WEIGHED)
    texts = [train.texts[place] for place in counted]
    weights = naive_bayes_weights(run.vocabulary, texts, train.labels[counted] == 1)
    return _sentiment(survey_language_units(run, sample, weights, say), say)


def pieces(lines: Sequence[str], letters: int) -> list[tuple[str, str]]:
    """Return :data:`PIECES` pieces of a text with the numbers of their first lines, all over it: ``("test/17", text)``.

    Each begins where a line does and is about as long as what is read of it, or longer; a short text has fewer.

    Args:
        lines: of the text.
        letters: of a token.
    """
    from nlpviz.language.logit_difference import READ

    found: list[tuple[str, str]] = []
    begun, length = 0, 0
    for place, line in enumerate(lines, start=1):
        length += len(line) + 1
        if length >= READ * letters:
            found.append((f"test/{begun + 1}", "\n".join(lines[begun:place])))
            begun, length = place, 0
    if not found:
        return [("test/1", "\n".join(lines))]
    from nlpviz.analysis.inspection.attention_survey import spaced

    return [found[place] for place in spaced(len(found), PIECES)]


def _sentiment(run: Run, say: Say) -> Run:
    """Look for the sentiment unit with labelled texts; the last training texts are held out."""
    from nlpviz.analysis.inspection.attention_survey import spaced
    from nlpviz.analysis.inspection.sentiment_unit import find
    from nlpviz.language.logit_difference import ask
    from nlpviz.training.streams import places_of
    from nlpviz.training.texts import labelled_texts

    name = run.corpus["name"]
    train, test = labelled_texts(name, "train"), labelled_texts(name, "test")
    known, held_out = (places_of(train.labels, split) for split in ("train", "validation"))
    known, measured = known[spaced(len(known), _TRAINING)], spaced(len(test.texts), _TEST)
    training, validation = (([train.texts[at] for at in some], train.labels[some]) for some in (known, held_out))
    tested = [test.texts[at] for at in measured], test.labels[measured]
    return write_sentiment_unit(run, find(ask(run).load(), training, validation, tested, _LABELS, say))


SURVEYS = (Survey("gains over other models", _lacks_gains, _gains), Survey("units", _lacks_units, _units))
"""What ``survey --all`` adds to a language model that lacks it."""
