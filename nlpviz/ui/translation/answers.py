"""What the page on translation says and shows: the translation, where each word looked, what else it might be."""

from __future__ import annotations

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
from nlpviz.snippets import translation as snippets
from nlpviz.text.parallel import EOS, without_joiners
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.translation import beginning, cache, notes
from nlpviz.ui.translation.choice import TranslationRequest

_STYLE = Path(__file__).with_name("answers.css")
_WORD, _OF = "aligned", "aligned_of"  # in the session: the word that stands out, and of which translation
_PILLS, _PILLS_AT_MOST = "aligned_target", 40  # in the session; more words are a list: a browser lays out pills slowly
_NAMED = 6


def tell(request: TranslationRequest, result: Translation) -> None:
    """Show the translation, and what is to be known of it: its probability, what was unknown, copied, cut, forced."""
    st.html(_STYLE)
    with st.container(key="nlpviz_translation"):
        show_text(result)
    best = result.hypotheses[0]
    search = "greedy search" if result.width == 1 else f"a beam of {result.width}, α = {result.penalty:g}"
    total, each = (numbers.number(value, signed=False) for value in (best.total, best.total / len(best.words)))
    unit = notes.unit(request.run)
    st.caption(
        f"Log-probability {total}, {each} a {unit}, by {search}; {len(best.words)} target {unit}s"
        f"{', the end among them,' if best.ended else ''} from {len(result.encoded.ids)} source {unit}s."
    )
    notes.show(request.run, result)


def show_text(result: Translation) -> None:
    """Show the translation, its copied words marked."""
    if result.hypotheses[0].copies:
        st.html(translation_html(result.hypotheses[0]))
    else:
        st.markdown(escape_markdown(result.text) or "*(nothing)*")


def pick_word(request: TranslationRequest, result: Translation) -> Chosen | None:
    """Return the word that stands out: that of a click in a figure, or of the row of target words; None for none.

    It is in the address where the sentence is an example: of a typed one a link has no word to choose.
    """
    state, of = st.session_state, f"{result.run} {result.encoded.text} {result.text}"
    if state.get(_OF) != of:
        state[_WORD] = None
    state[_OF] = of
    words = shown_words(result)
    options = [Chosen(TARGET, position).id for position in range(len(words))]
    sources = [Chosen(SOURCE, position).id for position in range(len(result.source_words))]
    if request.ready:
        address.read(_WORD, "word", [*options, *sources], [])
    chosen = Chosen.of(str(state.get(_WORD) or ""), result)
    if request.ready:
        address.write(_WORD, "word", [chosen.id] if chosen is not None else [], [])
    else:
        address.leave_out(_WORD, "word", [])
    state[_PILLS] = chosen.id if chosen is not None and chosen.side == TARGET else None
    label, positions = "Word: click one in a figure, or choose", dict(zip(options, words, strict=True))
    if len(options) > _PILLS_AT_MOST:
        st.selectbox(label, options, key=_PILLS, on_change=_picked, format_func=positions.__getitem__, index=None)
    else:
        st.pills(label, options, key=_PILLS, on_change=_picked, format_func=lambda key: escape_markdown(positions[key]))
    return chosen


def _picked() -> None:
    st.session_state[_WORD] = st.session_state[_PILLS]


def show_alignment(result: Translation, chosen: Chosen | None) -> None:
    """Show the alignment as a matrix and as lines, linked: a click on a word in one lets it stand out in both."""
    if not has_alignment(result):
        st.info(
            "This network has no attention: all its decoder knows of the sentence is one vector, so there is nothing "
            "to align. Choose another network, or look at the most probable words at each position."
        )
        return
    aligned, choose, code = Aligned(result), widgets.set_to(_WORD), alignment_code(result)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        plotly_view.show(alignment_matrix(aligned, chosen), key="alignment_matrix", on_click=choose, code=code)
    with right:
        plotly_view.show(alignment_lines(aligned, chosen), key="alignment_lines", on_click=choose, code=code)
    words = {f"word{position}": word for position, word in enumerate(_least_and_most(aligned))}
    answer(_said(aligned) + of_heads(result), **words)


def alignment_code(result: Translation) -> str:
    """Return code for the weights; none for a translation that was made to begin as a person wants it."""
    if result.hypotheses[0].forced:
        return ""
    return snippets.alignment((result.run, result.epoch), result.encoded.text, result.width, result.penalty)


def _word_code(result: Translation, row: int, part: str) -> str:
    """Return code for one word, as :func:`alignment_code` does for all."""
    if result.hypotheses[0].forced:
        return ""
    source = (result.run, result.epoch)
    return snippets.one_word(source, result.encoded.text, result.width, result.penalty, row, part)


def show_first(request: TranslationRequest) -> None:
    """Show one translation, its words joined to those of its source where the network has attention."""
    result = cache.translation(request.run, request.epoch, request.text, request.query)
    if not has_alignment(result):
        answer("“{source}” becomes “{text}”", source=request.text, text=result.text)
        return
    aligned = Aligned(result)
    target, source = np.unravel_index(aligned.weights.argmax(), aligned.weights.shape)
    answer(
        "To write “{target}”, the translator puts {share:.0%} of its attention on “{source}”.",
        target=aligned.target[target],
        source=aligned.source[source],
        share=float(aligned.weights[target, source]),
    )
    drawn, code = alignment_lines(aligned), alignment_code(result)
    plotly_view.show(drawn, key="first_alignment", title="A translation and its source", code=code)


def _least_and_most(aligned: Aligned) -> tuple[str, str, str]:
    """Return the target words with the least and the most entropy, and the source word with the least coverage."""
    entropies, covered = aligned.best.entropies, aligned.best.coverage
    return (
        aligned.target[int(entropies.argmin())],
        aligned.target[int(entropies.argmax())],
        aligned.source[int(covered.argmin())],
    )


def _said(aligned: Aligned) -> str:
    entropies, covered = aligned.best.entropies, aligned.best.coverage
    even = float(np.log(len(aligned.source)))
    return (
        f"Mean entropy: {entropies.mean():.2f} nats (uniform attention: {even:.2f}); "
        f"lowest for “{{word0}}” ({entropies.min():.2f}), highest for “{{word1}}” ({entropies.max():.2f}). Lowest "
        f"coverage: “{{word2}}” ({covered.min():.2f}; a word translated once has about 1)."
    )


def of_heads(result: Translation) -> str:
    """Return what to know of an entropy where the alignment is a mean of several heads; nothing otherwise."""
    if result.alignment_of is None:
        return ""
    why = "the entropy of a mean is at least the mean of the heads' own"
    return f" The weights are those of {result.alignment_of}: {why}."


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
    why = "" if chosen is not None else ", the one the network was least sure of"
    st.header(f"“{word}”, word {row + 1}{why}", anchor=False)
    left, right = st.columns(2, gap="medium") if has_alignment(result) else (None, st.container())
    if left is not None:
        with left:
            drawn, code = word_weights(Aligned(result), row), _word_code(result, row, "weights")
            plotly_view.show(drawn, key="alignment_word", on_click=widgets.set_to(_WORD), code=code)
    with right:

        def go_on(number: str) -> None:
            beginning.force(request.run, (*best.ids[:row], result.alternatives[row][int(number) - 1].id))

        code = _word_code(result, row, "choices")
        plotly_view.show(choice_bars(result, row), key="alignment_choices", on_click=go_on, code=code)
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
