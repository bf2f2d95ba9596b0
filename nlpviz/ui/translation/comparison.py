"""The same sentence by other networks or at other epochs, beside each other."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.figures.translation.alignments import Aligned, has_alignment
from nlpviz.figures.translation.matrix import alignment_matrix
from nlpviz.results.alignment import Translation, TranslationError
from nlpviz.runs import Run
from nlpviz.text.subwords import whole_words
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown
from nlpviz.ui.translation import answers, cache, choice
from nlpviz.ui.translation.choice import TranslationRequest
from nlpviz.ui.translation.pairs import pair_of

_IN_A_ROW = 3
_LONG, _ASKED = (
    60,
    "comparison of a long sentence",
)  # source words drawn unasked; in the session: a longer sentence, asked
_OTHERS, _TARGET = "others", "target_of"
_WHICH = {"networks": "other models", "epochs": "other epochs"}
_TARGETS = {"own": "each model’s own translation", "same": "the translation above"}


def _pick(request: TranslationRequest) -> tuple[str, bool]:
    """Return which networks are compared, empty where there is none, and whether each writes its own translation."""
    options = [which for which in _WHICH if checkpoints(request.run, request.epoch, which)]
    if not options:
        address.leave_out(_OTHERS, _TARGET)
        return "", False
    st.header("The same sentence in other models", anchor=False)
    with st.container(horizontal=True, key="nlpviz_beside"):
        which = widgets.pick(_OTHERS, "Compare with", options, _WHICH.__getitem__)
        target = widgets.pick(_TARGET, "Align", _TARGETS)
    return which, target == "own"


def checkpoints(run: Run, epoch: int, which: str) -> list[tuple[Run, int]]:
    """Return the other networks of the same pair, the best first, or the other kept epochs of ``run``."""
    if which == "epochs":
        return [(run, other) for other in run.epochs if other != epoch]
    pair = pair_of(run)
    return [
        (other, other.best_epoch)
        for other in sorted(choice.runs().values(), key=lambda other: -other.metrics["translation"]["bleu"])
        if other.name != run.name and pair_of(other) == pair
    ]


def show(request: TranslationRequest, result: Translation) -> None:
    """Show what others make of the sentence: their translation, how probable it is to them, their alignment."""
    which, own = _pick(request)
    if not which:
        return
    others = checkpoints(request.run, request.epoch, which)
    words = len(result.source_words)
    if words > _LONG and st.session_state.get(_ASKED) != request.text:
        st.markdown(f"Computing and drawing {len(others)} alignments of {words} words takes a while.")
        st.button(
            "Compute alignments", key="compare_long", on_click=st.session_state.update, kwargs={_ASKED: request.text}
        )
        return
    for first in range(0, len(others), _IN_A_ROW):
        columns = st.columns(_IN_A_ROW, gap="medium")
        for position, ((run, epoch), column) in enumerate(zip(others[first:], columns, strict=False), start=first):
            with column:
                title = run.title if which == "networks" else f"Epoch {epoch}"
                st.markdown(f"**{escape_markdown(title)}**")
                try:
                    _show_one(other(request, result, run, epoch, own=own), position)
                except TranslationError as error:
                    st.info(escape_markdown(str(error)))


def other(request: TranslationRequest, result: Translation, run: Run, epoch: int, *, own: bool) -> Call[Translation]:
    """Return what another network makes of the sentence, of its own or given the words of ``result``.

    Raises:
        TranslationError: if it cannot write how the translation is to begin.
    """
    query = replace(request.query, tree=False)
    if not own:
        ids = _ids_of_another(run, request.run, result.hypotheses[0].ids)
        query = replace(query, prefix=ids, whole=True, width=1)
    elif isinstance(query.prefix, tuple):
        query = replace(query, prefix=_ids_of_another(run, request.run, query.prefix))
    return cache.translation(run, epoch, request.text, query)


def _ids_of_another(run: Run, first: Run, ids: tuple[int, ...]) -> tuple[int, ...]:
    """Return the ids that the words with ``ids`` in the target vocabulary of ``first`` have in that of ``run``."""
    if run.name == first.name:
        return ids
    words, languages = cache.languages(first).target.words, cache.languages(run)
    pieces = languages.pieces(whole_words(words[token_id] for token_id in ids))
    return tuple(languages.target.ids(pieces).tolist())


def _show_one(call: Call[Translation], position: int) -> None:
    result = call()
    best = result.hypotheses[0]
    answers.show_text(result)
    probability = number(best.total, signed=False)
    if not has_alignment(result):
        st.caption(f"Log-probability {probability}. No attention, so no alignment.")
        return
    st.caption(
        f"Log-probability {probability}, mean entropy {best.entropies.mean():.2f} nats." + answers.of_heads(result)
    )
    plotly_view.show(Call(alignment_matrix, Call(Aligned, call), bare=True), key=f"beside_{position}")
