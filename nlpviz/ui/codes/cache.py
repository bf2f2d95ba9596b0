"""The pages' only way to codes: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.codes import CodeWalk, TextCode, UnitClasses, UnitTopic
from nlpviz.runs import Run
from nlpviz.runs.codes import divergences_of
from nlpviz.ui import cache
from nlpviz.ui.calls import Call


@cache.shared(128)
def text_code(run: Run, epoch: int, text: str) -> Call[TextCode]:
    """Return a text's code at one epoch, and what comes back of it."""
    from nlpviz.analysis.inspection import codes

    return Call(codes.text_code, cache.loaded(run, epoch), text)


@cache.shared(64)
def walk(run: Run, epoch: int, texts: tuple[str, str], ends: tuple[str, str]) -> Call[CodeWalk]:
    """Return the way between the codes of two texts at one epoch, decoded."""
    from nlpviz.analysis.inspection import codes

    return Call(codes.walk, cache.loaded(run, epoch), *texts, ends)


@cache.shared(32)
def unit_topics(run: Run, epoch: int) -> Call[tuple[UnitTopic, ...]]:
    """Return what each unit does to the words at one epoch."""
    from nlpviz.analysis.inspection import codes

    return Call(codes.unit_topics, cache.loaded(run, epoch), Call(divergences_of, run, epoch))


@cache.shared(32)
def unit_classes(run: Run, epoch: int) -> Call[UnitClasses]:
    """Return how well each unit tells each class from the others at one epoch."""
    from nlpviz.analysis.inspection import codes

    return Call(codes.unit_classes, cache.loaded(run, epoch))
