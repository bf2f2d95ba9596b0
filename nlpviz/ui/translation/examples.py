"""Sentences that a page offers to be translated: the project's own, or test sentences that a run has kept."""

from __future__ import annotations

from nlpviz.data import corpus_named
from nlpviz.data.parallel import ParallelTexts
from nlpviz.data.sentences import ExampleSentence, sentences
from nlpviz.runs import Run
from nlpviz.runs.own_corpora import is_of_own_texts, keeps_texts
from nlpviz.text.languages import within
from nlpviz.text.vocabulary import shortened
from nlpviz.ui.cache import shared

_READS = "en"  # the language of the project's sentences
_MOST, _TITLE = 20, 60  # test sentences of a run; characters of a title


def of(run: Run) -> list[ExampleSentence]:
    """Return the example sentences for a run's network, in the order of a menu; none where :func:`why_none` says why.

    The project's are in English, for networks that learnt from captions. Those of a run on user pairs are
    sources of its test split.
    """
    if not is_of_own_texts(run.folder):
        return list(sentences()) if run.recipe["source"] == _READS else []
    return list(_kept(run)) if keeps_texts(run.folder) else []


def why_none(run: Run) -> str:
    """Return a sentence that says why there are no examples for a run's network; ``""`` where there are."""
    if of(run):
        return ""
    if is_of_own_texts(run.folder):
        return (
            "There are no examples: the run was trained on your own pairs without --keep-texts, so it stores "
            "no sentences."
        )
    return f"There are no examples in {within(run.recipe['source'])}."


@shared(16)
def _kept(run: Run) -> tuple[ExampleSentence, ...]:
    """Return some of the test sentences that a run keeps, from all over the split, each once."""
    corpus = corpus_named(run.corpus["name"])
    records = corpus.read(corpus.held_out[1])
    if not isinstance(records, ParallelTexts):
        return ()
    texts = records.texts[run.recipe["source"]]
    places = {texts[place]: place for place in range(0, len(texts), max(len(texts) // _MOST, 1))}
    chosen = sorted(places.values())[:_MOST]
    return tuple(
        ExampleSentence(f"test-{place + 1}", shortened(texts[place], _TITLE), "test", texts[place]) for place in chosen
    )
