"""What the view on the next word shows: distributions, what each layer would say, entropies, a word swapped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures import word_axis
from nlpviz.figures.language import file_name
from nlpviz.figures.language.course import Course, course_lines
from nlpviz.figures.language.distribution import next_word_bars
from nlpviz.figures.language.text import surprisal_html, surprisal_key_html
from nlpviz.figures.numbers import number, percent
from nlpviz.figures.view import provenance
from nlpviz.language.asking import kept
from nlpviz.results.next_word import NextWord
from nlpviz.results.surprisal import Surprisal
from nlpviz.snippets import language as snippets
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import coloured_text, plotly_view, widgets
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.language import cache, place
from nlpviz.ui.language.choice import LanguageQuestion, Reader

_IN_A_ROW = 2
_SWAPPED, _LONGEST = "swapped", 60
_UNCERTAINTY = "entropy before this word (nats)"


def show_text(result: Surprisal, chosen: int | None) -> None:
    """Show the text, to choose the place in; coloured by the first model's surprisal."""
    scale = float(np.nanmax(result.nats, initial=0.0))
    coloured_text.show(
        surprisal_html(result, scale, chosen) + surprisal_key_html(scale),
        caption=provenance(result.title, "surprisal"),
        name=file_name("surprisal", result.title),
        on_click=place.choose,
    )


def show_distributions(question: LanguageQuestion, text: str, chosen: int | None, *, key: str = "next") -> None:
    """Show what each model expects at a place, on one scale, with the word that came."""
    found = [cache.next_word(reader, text, chosen) for reader in question.readers]
    scale = max(float(one.probabilities.max(initial=0)) for one in found)
    if found[0].place > (most := question.run.max_length):
        st.caption(f"Of the {found[0].place:,} tokens before it, the last {most:,} were read.")
    for first in range(0, len(found), _IN_A_ROW):
        row = found[first : first + _IN_A_ROW]
        readers = question.readers[first : first + _IN_A_ROW]
        for column, reader, one in zip(st.columns(len(row), gap="medium"), readers, row, strict=True):
            with column:
                came = _came(reader, one)
                _tell(one, came, reader)
                code = snippets.next_word((reader.run.name, reader.epoch, reader.order), text, chosen)
                plotly_view.show(next_word_bars(one, scale, came), key=f"{key}_{one.title}", code=code)


def show_layers(question: LanguageQuestion, text: str, chosen: int | None) -> None:
    """Show what each layer of a network would expect already; nothing where no model has several layers."""
    layered = {reader.title: cache.by_layer(reader, text, chosen) for reader in question.readers}
    layered = {title: found for title, found in layered.items() if found}
    if not layered:
        return
    st.header("What each layer would say", anchor=False)
    for title, found in layered.items():
        scale = max(float(one.probabilities.max(initial=0)) for one in found)
        columns = st.columns(len(found), gap="medium")
        reader = next(one for one in question.readers if one.title == title)
        for layer, (column, one) in enumerate(zip(columns, found, strict=True), start=1):
            with column:
                last = ", the last: what the network says" if layer == len(found) else ""
                st.markdown(f"**{escape_markdown(title)}**, layer {layer}{last}")
                code = snippets.by_layer((reader.run.name, reader.epoch, reader.order), text, chosen, layer)
                drawn = next_word_bars(one, scale, _came(reader, one))
                plotly_view.show(drawn, key=f"layer_{title}_{layer}", code=code)


def show_entropies(question: LanguageQuestion, result: Surprisal, chosen: int | None) -> None:
    """Show how undecided each model is before each token."""
    st.header("How uncertain is the model before each word?", anchor=False)
    courses = [Course(reader.title, cache.entropies(reader, question.text)) for reader in question.readers]
    words = [token.word for token in result.encoded.read][: len(courses[0].values)]
    drawn = course_lines(courses, words, _UNCERTAINTY, chosen=chosen)
    code = snippets.entropies(_asked(question), question.text, min(len(words), word_axis.SHOWN))
    plotly_view.show(drawn, key="entropy_course", on_click=place.choose, code=code)
    if len(result.nats) > len(words):
        st.caption(f"Of the first {len(words):,} tokens.")
    elif chosen is None:
        st.caption(
            "Each point is the uncertainty before that word. The bars above are for the word after the last one."
        )


def show_swap(question: LanguageQuestion, result: Surprisal, chosen: int | None) -> None:
    """Let one word before the place be another one, and show what becomes of the future."""
    words = result.encoded.read[: len(result.nats) if chosen is None else chosen]
    if not words:
        return
    st.header("Swap a word in the past", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        options = [str(one + 1) for one in reversed(range(len(words)))]
        swapped = widgets.pick(
            "swap", f"Replace this {result.unit}", options, lambda one: _named(result, one), of_text=True
        )
        typed = st.text_input(
            "by", key=_SWAPPED, max_chars=_LONGEST, placeholder="another one", persist_state="session"
        )
    token = words[int(swapped) - 1]
    if not typed:
        st.caption("Type what should stand there instead: nothing typed, nothing swapped.")
        return
    text = result.encoded.text[: token.start] + typed + result.encoded.text[token.end :]
    other = cache.surprisal(question.readers[0], text)
    pairs = kept(result.encoded, other.encoded, token.end, len(typed) - (token.end - token.start))
    moved = None if chosen is None else dict(pairs).get(chosen)
    if chosen is not None and moved is None:
        st.info(f"With “{escape_markdown(typed)}” there, the chosen {result.unit} is no longer one of its own.")
        return
    show_distributions(question, text, moved, key="swapped")
    _show_later(question, result, text, pairs)


def _show_later(question: LanguageQuestion, result: Surprisal, text: str, pairs: Sequence[tuple[int, int]]) -> None:
    """Show how much more surprising each later token became, by every model."""
    if not pairs:
        return
    old, new = np.array(pairs).T
    courses = [
        Course(
            reader.title,
            cache.surprisal(reader, text).nats[new] - cache.surprisal(reader, result.encoded.text).nats[old],
        )
        for reader in question.readers
    ]
    words = [result.encoded.read[place].word for place in old.tolist()]
    whole = len(old) <= word_axis.SHOWN and np.array_equal(old, np.arange(old[0], len(result.encoded.read)))
    code = snippets.swapped(_asked(question), result.encoded.text, text, len(old)) if whole else ""
    drawn = course_lines(courses, words, "change in surprisal (nats)", signed=True)
    plotly_view.show(drawn, key="swap_course", code=code)
    changes = [float(np.nansum(one.values)) for one in courses]
    told = "; ".join(f"{{title{n}}} {{change{n}}} nats" for n in range(len(courses)))
    pieces: dict[str, object] = {f"title{n}": one.title for n, one in enumerate(courses)}
    answer(
        "Change in total surprisal of the tokens after the swap: " + told + ".",
        **pieces,
        **{f"change{n}": number(change) for n, change in enumerate(changes)},
    )


def _named(result: Surprisal, option: str) -> str:
    return f"{option} · {shortened(shown(result.encoded.read[int(option) - 1].word), 24)}"


def _came(reader: Reader, one: NextWord) -> str | None:
    return None if one.came is None else reader.run.vocabulary.words[one.came]


def _tell(one: NextWord, came: str | None, reader: Reader) -> None:
    """Say what is likeliest, how undecided the model is, and which rank the word has that came."""
    pieces: dict[str, object] = {
        "title": one.title, "word": shown(one.words[0]), "share": percent(float(one.probabilities[0])),
        "entropy": one.entropy, "words": float(np.exp(one.entropy)), "unit": reader.run.tokenizer.unit,
    }  # fmt: skip
    sentence = (
        "**{title}**: “{word}”, {share}. Uncertainty before this word (entropy): {entropy:.2f} nats, like a choice "
        "among {words:,.0f} equally likely {unit}s."
    )
    if came is not None:
        pieces |= {"came": shown(came), "rank": one.rank, "chance": percent(float(one.probability or 0.0))}
        sentence += (
            " “{came}”, which came, has no probability."
            if one.rank is None
            else " “{came}”, which came: {chance}, rank {rank:,}."
        )
    answer(sentence, **pieces)


def shown_place(results: Sequence[Surprisal]) -> int | None:
    """Return the place that is chosen: a token's position, or None for the end of the text."""
    return place.pick(results[0], label=f"Predict which {results[0].unit}", end=True)


def _asked(question: LanguageQuestion) -> list[tuple[str, int | None, int | None]]:
    """Return the models as code names them."""
    return [(reader.run.name, reader.epoch, reader.order) for reader in question.readers]
