"""What the view on the next word shows: distributions, what each layer would say, entropies, a word swapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import streamlit as st

from nlpviz.figures.language import file_name
from nlpviz.figures.language.course import change_lines, changes_of, entropy_lines
from nlpviz.figures.language.distribution import next_word_bars
from nlpviz.figures.language.text import surprisal_html, surprisal_key_html
from nlpviz.figures.numbers import number, percent
from nlpviz.figures.view import FigureView, provenance
from nlpviz.language.surprisal import kept
from nlpviz.results.next_word import NextWord
from nlpviz.results.surprisal import Surprisal
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import coloured_text, plotly_view, widgets
from nlpviz.ui.calls import Call, Result
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.language import cache, place
from nlpviz.ui.language.choice import LanguageQuestion, Reader

_IN_A_ROW = 2
_SWAPPED, _LONGEST = "swapped", 60


def show(question: LanguageQuestion, result: Surprisal, chosen: int | None) -> None:
    """Show what each model expects at the chosen place, the first one over the text in which it is chosen."""
    calls = [cache.next_word(reader, question.text, chosen) for reader in question.readers]
    found = [call() for call in calls]
    _take_away(question.readers[0], found[0])
    _show_distributions(question, calls, slice(0, 1))
    _tell(question, found)
    _show_text(result, chosen)
    _show_distributions(question, calls, slice(1, None))
    with details():
        _table(question.readers, found)


def _show_text(result: Surprisal, chosen: int | None) -> None:
    """Show the text, to choose the place in; coloured by the first model's surprisal."""
    scale = float(np.nanmax(result.nats, initial=0.0))
    coloured_text.show(
        surprisal_html(result, scale, chosen) + surprisal_key_html(scale),
        caption=provenance(result.title, "surprisal"),
        name=file_name("surprisal", result.title),
        on_click=place.choose,
    )


def _show_distributions(question: LanguageQuestion, calls: Sequence[Call[NextWord]], which: slice) -> None:
    """Show the distributions of some of the models, on one scale with all of them, each with the word that came."""
    scale = _longest(call() for call in calls)
    for reader, call in zip(question.readers[which], calls[which], strict=True):
        if call is not calls[0]:  # the sentence over the first one names it
            st.markdown(f"**{escape_markdown(call().title)}**")
        plotly_view.show(_bars(reader, call, scale), key=f"next_{call().title}")


def _longest(found: Iterable[NextWord]) -> float:
    return max(float(result.probabilities.max(initial=0)) for result in found)


def _bars(reader: Reader, result: Result[NextWord], scale: float) -> Call[FigureView]:
    return Call(next_word_bars, result, scale, _came(reader, result()))


def show_layers(question: LanguageQuestion, text: str, chosen: int | None) -> None:
    """Show what each layer of a network would expect already; nothing where no model has several layers."""
    layered = {reader.title: cache.by_layer(reader, text, chosen) for reader in question.readers}
    layered = {title: found for title, found in layered.items() if found()}
    if not layered:
        return
    st.header("Predictions by layer (logit lens)", anchor=False)
    for title, found in layered.items():
        scale, count = _longest(found()), len(found())
        reader = next(reader for reader in question.readers if reader.title == title)
        for layer, column in enumerate(st.columns(count, gap="medium"), start=1):
            with column:
                last = " (last: the network’s own prediction)" if layer == count else ""
                st.markdown(f"**{escape_markdown(title)}**, layer {layer}{last}")
                plotly_view.show(_bars(reader, found.at(layer - 1), scale), key=f"layer_{title}_{layer}")


def show_entropies(question: LanguageQuestion, result: Surprisal, chosen: int | None) -> None:
    """Show how undecided each model is before each token."""
    st.header("How uncertain is the model before each word?", anchor=False)
    results = [cache.surprisal(reader, question.text) for reader in question.readers]
    entropies = [cache.entropies(reader, question.text) for reader in question.readers]
    lines, count = Call(entropy_lines, results, entropies, chosen), len(entropies[0]())
    plotly_view.show(lines, key="entropy_course", on_click=place.choose)
    if len(result.nats) > count:
        st.caption(f"The curve covers the first {count:,} tokens.")
    elif chosen is None:
        st.caption(
            "Each point shows the uncertainty before a word. The bars above show the prediction after the last word."
        )


def show_swap(question: LanguageQuestion, result: Surprisal, chosen: int | None) -> None:
    """Let one word before the place be another one, and show what becomes of the future."""
    words = result.encoded.read[: len(result.nats) if chosen is None else chosen]
    if not words:
        return
    st.header("Swap an earlier word", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        options = [str(one + 1) for one in reversed(range(len(words)))]
        swapped = widgets.pick(
            "swap", f"Replace this {result.unit}", options, lambda one: _named(result, one), of_text=True
        )
        typed = st.text_input(
            "Replacement", key=_SWAPPED, max_chars=_LONGEST, placeholder="Type a replacement", persist_state="session"
        )
    token = words[int(swapped) - 1]
    if not typed:
        return
    text = result.encoded.text[: token.start] + typed + result.encoded.text[token.end :]
    before, after = (cache.surprisal(question.readers[0], each).get("encoded") for each in (result.encoded.text, text))
    pairs = Call(kept, before, after, token.end, len(typed) - (token.end - token.start))
    moved = None if chosen is None else dict(pairs()).get(chosen)
    if chosen is not None and moved is None:
        st.info(
            f"After the swap, the chosen {result.unit} has been merged into another token. Choose another position."
        )
        return
    _show_swapped(question, text, moved)
    _show_later(question, result, text, pairs)


def _show_swapped(question: LanguageQuestion, text: str, chosen: int | None) -> None:
    """Show what each model expects at the same place of the changed text."""
    calls = [cache.next_word(reader, text, chosen) for reader in question.readers]
    found = [call() for call in calls]
    scale = _longest(found)
    for first in range(0, len(calls), _IN_A_ROW):
        row = calls[first : first + _IN_A_ROW]
        readers = question.readers[first : first + _IN_A_ROW]
        for column, reader, call in zip(st.columns(len(row), gap="medium"), readers, row, strict=True):
            with column:
                st.markdown(f"**{escape_markdown(call().title)}**")
                plotly_view.show(_bars(reader, call, scale), key=f"swapped_{call().title}")
    _table(question.readers, found)


def _show_later(question: LanguageQuestion, result: Surprisal, text: str, pairs: Call[list[tuple[int, int]]]) -> None:
    """Show how much more surprising each later token became, by every model."""
    if not pairs():
        return
    before, after = (
        [cache.surprisal(reader, each) for reader in question.readers] for each in (result.encoded.text, text)
    )
    plotly_view.show(Call(change_lines, before, after, pairs), key="swap_course")
    courses = changes_of([call() for call in before], [call() for call in after], pairs())
    changes = [float(np.nansum(course.values)) for course in courses]
    answer(
        "Change in total surprisal after the swap, for {title}: {change} nats.",
        title=courses[0].title,
        change=number(changes[0]),
    )
    if len(courses) > 1:
        st.table(
            {
                "Model": [escape_markdown(one.title) for one in courses],
                "Change in total surprisal (nats)": [number(change) for change in changes],
            },
            hide_index=True,
        )


def _named(result: Surprisal, option: str) -> str:
    return f"{option} · {shortened(shown(result.encoded.read[int(option) - 1].word), 24)}"


def _came(reader: Reader, one: NextWord) -> str | None:
    return None if one.came is None else reader.run.vocabulary.words[one.came]


def _take_away(reader: Reader, one: NextWord) -> None:
    """Say what the first model finds most probable, and how probable the word was that came."""
    came = _came(reader, one)
    pieces: dict[str, object] = {
        "title": one.title, "word": shown(one.words[0]), "share": percent(float(one.probabilities[0])),
    }  # fmt: skip
    if came is None:
        takeaway("{title} expects **{word}**: {share}.", **pieces)
        return
    chance = percent(float(one.probability or 0.0))
    takeaway(
        "{title} expects **{word}** ({share}); the actual word is “{came}” ({chance}).",
        **pieces, came=shortened(shown(came)), chance=chance,
    )  # fmt: skip


def _tell(question: LanguageQuestion, found: Sequence[NextWord]) -> None:
    """Say how undecided the first model is before the word, and what of a long text it did not read."""
    one, run = found[0], question.run
    answer(
        "The entropy before this {unit} is {entropy:.2f} nats, equivalent to {words:,.0f} equally likely {unit}s.",
        unit=run.tokenizer.unit,
        entropy=one.entropy,
        words=float(np.exp(one.entropy)),
    )
    if one.place > (most := run.max_length):
        st.caption(f"Only the last {most:,} of the {one.place:,} tokens before this position were read.")


def _table(readers: Sequence[Reader], found: Sequence[NextWord]) -> None:
    """Show what each model expects, how undecided it is, and the probability and rank of the word that came."""
    rows: dict[str, list[str]] = {
        "Model": [escape_markdown(one.title) for one in found],
        "Most probable": [escape_markdown(shown(one.words[0])) for one in found],
        "Probability": [percent(float(one.probabilities[0])) for one in found],
        "Entropy (nats)": [f"{one.entropy:.2f}" for one in found],
        "Equally likely choices": [f"{np.exp(one.entropy):,.0f}" for one in found],
    }
    came = _came(readers[0], found[0])
    if came is not None:
        word = escape_markdown(shortened(shown(came)))
        rows[f"Probability of “{word}”"] = [
            "none" if one.rank is None else percent(float(one.probability or 0.0)) for one in found
        ]
        rows[f"Rank of “{word}”"] = ["–" if one.rank is None else f"{one.rank:,}" for one in found]
    st.table(rows, hide_index=True)


def shown_place(results: Sequence[Surprisal]) -> int | None:
    """Return the place that is chosen: a token's position, or None for the end of the text."""
    return place.pick(results[0], label=f"Predicted {results[0].unit}", end=True)
