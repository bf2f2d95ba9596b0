"""What the view on edits computes, once for all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.edits import BitsRead, EditSearch, Reduction, Settings
from nlpviz.runs import Run
from nlpviz.ui import cache, progress
from nlpviz.ui.language import cache as language
from nlpviz.ui.language.choice import reader

SEARCHED = tuple[EditSearch, Reduction | None]


@cache.shared(256)
def read_by(model: Run, text: str) -> BitsRead:
    """Return a text as a language model read it."""
    from nlpviz.analysis.attribution import fluency

    return fluency.read(language.asked(reader(model))(), text)


@cache.shared(256)
def near(run: Run, epoch: int, word: str) -> tuple[str, ...]:
    """Return the words near a word, by the network's own vectors; none of a word that it does not know."""
    from nlpviz.analysis.attribution.edit_candidates import nearest_words

    return nearest_words(cache.model(run, epoch), word)


def key(run: Run, epoch: int, text: str, settings: Settings, model: Run | None) -> tuple[object, ...]:
    """Return what names a search."""
    judge = None if model is None else (model.name, model.fingerprint)
    return ("edits", run.name, run.fingerprint, epoch, text, settings, judge)


def searched(run: Run, epoch: int, text: str, settings: Settings, model: Run | None) -> SEARCHED:
    """Return the smallest edits that turn the prediction of a text, and what is left of it; under a bar."""

    def search(report: progress.Report) -> SEARCHED:
        from nlpviz.analysis.attribution.edit_search import search_edits
        from nlpviz.analysis.attribution.input_reduction import reduce_input

        trained = cache.model(run, epoch)
        asked = None if model is None else language.asked(reader(model))()
        found = search_edits(trained, text, settings, asked, lambda share: report(0.8 * share))
        return found, reduce_input(trained, text, lambda share: report(0.8 + 0.2 * share))

    doing = "Searching for the smallest edits (at most 20 seconds), then reducing the text"
    return progress.computed(key(run, epoch, text, settings, model), doing, search)
