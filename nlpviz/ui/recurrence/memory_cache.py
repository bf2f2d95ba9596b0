"""The pages' only way to a network's memory: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.clipping import Descent
from nlpviz.results.memory import TextMemory
from nlpviz.results.replaced_words import ReplacedWords
from nlpviz.runs import Run
from nlpviz.ui import cache, progress
from nlpviz.ui.calls import Call


def memory(run: Run, epoch: int, text: str, target: int) -> Call[TextMemory]:
    """Return what the network of one epoch, and the score of a class, still depend on after each word of ``text``."""
    from nlpviz.analysis.inspection.memory import read_memory

    model = cache.loaded(run, epoch)
    key, doing = ("memory", run.name, run.fingerprint, epoch, text, target), "Computing gradients through the text"
    found = progress.computed(key, doing, lambda report: read_memory(model(), text, report, target=target))
    return Call(read_memory, model, text, target=target).giving(found)


def replaced(run: Run, epoch: int, text: str, target: int) -> Call[ReplacedWords]:
    """Return how the score of a class moves when each word of ``text`` is replaced, computed at once."""
    from nlpviz.analysis.inspection.replaced import replace_words

    model = cache.loaded(run, epoch)
    key, doing = ("replaced", run.name, run.fingerprint, epoch, text, target), "Replacing every word"
    found = progress.computed(key, doing, lambda report: replace_words(model(), text, report=report, target=target))
    return Call(replace_words, model, text, target=target).giving(found)


@cache.shared(64)
def descent(start: tuple[float, float], rate: float, threshold: float | None) -> Call[Descent]:
    """Return where gradient descent leads on it."""
    from nlpviz.analysis.inspection.clipping import descend

    return Call(descend, start, rate, threshold)
