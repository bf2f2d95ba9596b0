"""The pages' only way to states: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.states import TextStates
from nlpviz.runs import Run
from nlpviz.ui import cache
from nlpviz.ui.calls import Call


@cache.shared(24)  # of 400 words, 116 units and five parts: 1.1 MB each
def states(run: Run, epoch: int, text: str) -> Call[TextStates]:
    """Return what the network of one epoch holds after each word of ``text``."""
    from nlpviz.analysis.inspection.states import read_states

    return Call(read_states, cache.loaded(run, epoch), text)
