"""What the page on translation says and shows: the translation, where each word looked, what else it might be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import streamlit as st

from nlpviz.figures import numbers
from nlpviz.figures.translation.alignments import (
    SOURCE,
    TARGET,
    Aligned,
    Chosen,
    has_alignment,
    shown_words,
)
from nlpviz.figures.translation.lines import alignment_lines
from nlpviz.figures.translation.matrix import alignment_matrix
from nlpviz.figures.translation.text import translation_html
from nlpviz.figures.translation.word import choice_bars, word_weights
from nlpviz.results.alignment import Translation
from nlpviz.text.parallel import EOS, without_joiners
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.translation import beginning, cache, notes
from nlpviz.ui.translation.choice import TranslationRequest

_STYLE = Path(__file__).with_name("answers.css")
_WORD, _OF = "aligned", "aligned_of"  # in the session: the word that stands out, and of which translation
_PILLS, _PILLS_AT_MOST = "aligned_target", 40  # in the session; more words are a list: a browser lays out pills slowly
_NAMED = 6


def tell(result: Translation, chosen: Chosen | None) -> None:
    """Say where the network looked, for the chosen word or on average, and show the translation."""
    sentence, pieces = attended_said(result, chosen)
    takeaway(sentence, **pieces)
    st.html(_STYLE)
    with st.container(key="nlpviz_translation"):
        show_text(result)


def attended_said(result: Translation, chosen: Chosen | None) -> tuple[str, Mapping[str, object]]:
    """Return the sentence with its pieces: what the chosen word attends to, or how many source words each one does."""
    if not has_alignment(result):
        return (
            "No attention: the decoder receives a single vector for all {count} source words.",
            {"count": len(result.source_words)},
        )
    aligned = Aligned(result)
    if chosen is None:
        spread = float(np.exp(aligned.best.entropies.mean()))
        return (
            "On average, a target word attends to {spread:.1f} of {count} source words.",
            {"spread": spread, "count": len(aligned.source)},
        )
    row = row_of(result, chosen)
    target = aligned.target[row]
    if chosen.side == SOURCE:
        weight = float(aligned.weights[row, chosen.position])
        return (
            "“{source}” receives the most attention from “{target}” (weight {weight:.2f}).",
            {"source": aligned.source[chosen.position], "target": target, "weight": weight},
        )
    ((source, weight),) = aligned.strongest(row, 1)
    return (
        "“{target}” attends most to “{source}” (weight {weight:.2f}).",
        {"source": source, "target": target, "weight": weight},
    )


def say(request: TranslationRequest, result: Translation) -> None:
    """Say which word is focused and which spread out, what to know of the translation, and how probable it is."""
    if has_alignment(result):
        sentence, pieces = _spread_said(Aligned(result))
        answer(sentence, **pieces)
    notes.show(request.run, result)
    best = result.hypotheses[0]
    search = "greedy search" if result.width == 1 else f"beam of {result.width}, α = {result.penalty:g}"
    unit = notes.unit(request.run)
    rows = {
        "Log-probability": numbers.number(best.total, signed=False),
        f"Log-probability per {unit}": numbers.number(best.total / len(best.words), signed=False),
        "Search": search,
        f"Target {unit}s": f"{len(best.words)}{' (including the end-of-sentence token)' if best.ended else ''}",
        f"Source {unit}s": str(len(result.encoded.ids)),
        **_attention_rows(result),
    }
    with details():
        st.table({"Measure": list(rows), "Value": list(rows.values())}, hide_index=True)


def show_text(result: Translation) -> None:
    """Show the translation, its copied words marked."""
    if result.hypotheses[0].copies:
        st.html(translation_html(result.hypotheses[0]))
    else:
        st.markdown(escape_markdown(result.text) or "*(nothing)*")


def chosen_word(request: TranslationRequest, result: Translation) -> Chosen | None:
    """Return the word that stands out: that of a click in a figure, or of the row of target words; None for none.

    It is in the address where the sentence is an example: of a typed one a link has no word to choose.
    """
    state, of = st.session_state, f"{result.run} {result.encoded.text} {result.text}"
    if state.get(_OF) != of:
        state[_WORD] = None
    state[_OF] = of
    options = [Chosen(TARGET, position).id for position in range(len(shown_words(result)))]
    sources = [Chosen(SOURCE, position).id for position in range(len(result.source_words))]
    if request.ready:
        address.read(_WORD, "word", [*options, *sources], [])
    chosen = Chosen.of(str(state.get(_WORD) or ""), result)
    if request.ready:
        address.write(_WORD, "word", [chosen.id] if chosen is not None else [], [])
    else:
        address.leave_out(_WORD, parameter="word")
    state[_PILLS] = chosen.id if chosen is not None and chosen.side == TARGET else None
    return chosen


def pick_word(result: Translation) -> None:
    """Draw the row of target words, in which the one that stands out is chosen."""
    words = shown_words(result)
    options = [Chosen(TARGET, position).id for position in range(len(words))]
    label, positions = "Target word (or click a word in a figure)", dict(zip(options, words, strict=True))
    if len(options) > _PILLS_AT_MOST:
        st.selectbox(label, options, key=_PILLS, on_change=_picked, format_func=positions.__getitem__, index=None)
    else:
        st.pills(label, options, key=_PILLS, on_change=_picked, format_func=lambda key: escape_markdown(positions[key]))


def _picked() -> None:
    st.session_state[_WORD] = st.session_state[_PILLS]


def _call(request: TranslationRequest) -> Call[Translation]:
    return cache.translation(request.run, request.epoch, request.text, request.query)


def show_alignment(request: TranslationRequest, chosen: Chosen | None) -> None:
    """Show the alignment as a matrix and as lines, linked: a click on a word in one lets it stand out in both."""
    result = _call(request)
    if not has_alignment(result()):
        st.info("This network has no attention, so there is no alignment. Choose another network in the bar.")
        return
    aligned, choose = Call(Aligned, result), widgets.set_to(_WORD)
    left, right = st.columns([5, 3], gap="small")
    with left:
        plotly_view.show(Call(alignment_matrix, aligned, chosen), key="alignment_matrix", on_click=choose)
    with right:
        plotly_view.show(Call(alignment_lines, aligned, chosen), key="alignment_lines", on_click=choose)


def show_first(request: TranslationRequest) -> None:
    """Show one translation, its words joined to those of its source where the network has attention."""
    result = _call(request)
    if not has_alignment(result()):
        answer("“{source}” is translated as “{text}”", source=request.text, text=result().text)
        return
    aligned = Aligned(result())
    target, source = np.unravel_index(aligned.weights.argmax(), aligned.weights.shape)
    answer(
        "For “{target}”, the network puts {share:.0%} of its attention on “{source}”.",
        target=aligned.target[target],
        source=aligned.source[source],
        share=float(aligned.weights[target, source]),
    )
    drawn = Call(alignment_lines, Call(Aligned, result))
    plotly_view.show(drawn, key="first_alignment", title="A translation and its source")


def _spread_said(aligned: Aligned) -> tuple[str, Mapping[str, object]]:
    """Return the sentence with its pieces: the target words with the least and the most entropy."""
    entropies = aligned.best.entropies
    pieces = {
        "least": aligned.target[int(entropies.argmin())],
        "most": aligned.target[int(entropies.argmax())],
        "low": entropies.min(),
        "high": entropies.max(),
    }
    return (
        "Most focused attention: “{least}” (entropy {low:.2f} nats). Most diffuse: “{most}” ({high:.2f} nats).",
        pieces,
    )


def _attention_rows(result: Translation) -> dict[str, str]:
    """Return what is known of the weights, by name: entropies, coverage, and which heads they are of."""
    if not has_alignment(result):
        return {}
    aligned = Aligned(result)
    entropies, covered = aligned.best.entropies, aligned.best.coverage
    least = aligned.source[int(covered.argmin())]
    rows = {
        "Mean entropy": f"{entropies.mean():.2f} nats",
        "Entropy of uniform attention": f"{np.log(len(aligned.source)):.2f} nats",
        "Lowest coverage": f"{covered.min():.2f} (“{least}”; about 1 for a word translated once)",
    }
    return rows if result.alignment_of is None else {**rows, "Attention": result.alignment_of}


def of_heads(result: Translation) -> str:
    """Return what to know of an entropy where the alignment is a mean of several heads; nothing otherwise."""
    if result.alignment_of is None:
        return ""
    why = "the entropy of a mean is at least the mean entropy of the heads"
    return f" Attention: {result.alignment_of}; {why}."


def row_of(result: Translation, chosen: Chosen | None) -> int:
    """Return the position of the target word to look at closely: the chosen one, or that which looked most at it.

    Where none is chosen it is the one that the network was least sure of.
    """
    best = result.hypotheses[0]
    if chosen is not None and chosen.side == TARGET:
        return chosen.position
    if chosen is not None and chosen.side == SOURCE and best.alignment is not None:
        return int(best.alignment[:, chosen.position].argmax())
    return int(best.log_probabilities[best.forced :].argmin()) + best.forced if best.forced < len(best.words) else 0


def show_word(request: TranslationRequest, result: Translation, chosen: Chosen | None) -> None:
    """Show where one target word looked, and what else might have stood there; a click goes on from another word."""
    row = row_of(result, chosen)
    word, best = escape_markdown(shown_words(result)[row]), result.hypotheses[0]
    why = "" if chosen is not None else " (least certain)"
    st.header(f"“{word}”, word {row + 1}{why}", anchor=False)
    left, right = st.columns(2, gap="medium") if has_alignment(result) else (None, st.container())
    if left is not None:
        with left:
            drawn = Call(word_weights, Call(Aligned, _call(request)), row)
            plotly_view.show(drawn, key="alignment_word", on_click=widgets.set_to(_WORD))
    with right:

        def go_on(number: str) -> None:
            beginning.force(request.run, (*best.ids[:row], result.alternatives[row][int(number) - 1].id))

        plotly_view.show(Call(choice_bars, _call(request), row), key="alignment_choices", on_click=go_on)
        _offer(request, result, row)


def _offer(request: TranslationRequest, result: Translation, row: int) -> None:
    """Show the alternatives as buttons: the translation goes on from the one that is pressed."""
    best, kept = result.hypotheses[0], result.hypotheses[0].ids[row]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("Continue with", width="content")
        for number, one in enumerate(result.alternatives[row][:_NAMED]):
            if one.id != kept and one.word != EOS:
                label = escape_markdown(without_joiners(one.word))
                ids = (*best.ids[:row], one.id)
                st.button(
                    label, key=f"go_on_{number}", type="tertiary", on_click=beginning.force,
                    args=(request.run, ids),
                )  # fmt: skip
