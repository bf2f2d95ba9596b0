"""What the view on surprisal shows: the text by each model, the difference of two, the course of both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.figures.language import file_name
from nlpviz.figures.language.course import Course, course_lines
from nlpviz.figures.language.text import (
    difference,
    difference_html,
    difference_key_html,
    surprisal_html,
    surprisal_key_html,
)
from nlpviz.figures.numbers import number, percent
from nlpviz.figures.view import provenance
from nlpviz.results.surprisal import Surprisal
from nlpviz.runs.language import counts_ngrams
from nlpviz.snippets import language as snippets
from nlpviz.text.tokenizers import shown
from nlpviz.ui import coloured_text, plotly_view, tokens, widgets
from nlpviz.ui.frame import answer, escape_markdown, messages
from nlpviz.ui.language import cache, place
from nlpviz.ui.language.choice import LanguageQuestion

_IN_A_ROW = 2


def read(question: LanguageQuestion) -> tuple[Surprisal, ...]:
    """Return how surprised each model was; the page ends where the text has no token."""
    results = tuple(cache.surprisal(reader, question.text) for reader in question.readers)
    if not len(results[0].nats):
        if question.text.strip():
            messages().info(f"There is no {results[0].unit} to read in this text.")
        st.stop()
    return results


def show(results: Sequence[Surprisal], chosen: int | None) -> None:
    """Show the text once for each model, coloured on one scale, with its perplexity; a click chooses a token."""
    scale = max(float(np.nanmax(one.nats, initial=0.0)) for one in results)
    for first in range(0, len(results), _IN_A_ROW):
        row = results[first : first + _IN_A_ROW]
        for column, result in zip(st.columns(len(row), gap="medium"), row, strict=True):
            with column:
                _tell(result)
                coloured_text.show(
                    surprisal_html(result, scale, chosen) + surprisal_key_html(scale),
                    caption=provenance(result.title, "surprisal"),
                    name=file_name("surprisal", result.title),
                    on_click=place.choose,
                )


def show_difference(results: Sequence[Surprisal], chosen: int | None) -> None:
    """Show where the first model is less surprised than another one, and where more; that one is chosen."""
    if len(results) < 2:
        return
    first, rest = results[0], {one.title: one for one in results[1:]}
    st.header("Where they differ", anchor=False)
    name = widgets.pick("against", f"Surprisal of {first.title} minus that of", list(rest))
    second = rest[name]
    nats = difference(first, second)
    scale = float(np.nanmax(np.abs(nats), initial=0.0))
    coloured_text.show(
        difference_html(first, second, scale, chosen) + difference_key_html(first, second, scale),
        caption=provenance(first.title, second.title, "difference of surprisal"),
        name=file_name("difference", first.title, second.title),
        on_click=place.choose,
    )
    _tell_difference(first, nats)


def show_course(question: LanguageQuestion, results: Sequence[Surprisal], chosen: int | None) -> None:
    """Show the surprisal of all models along the text; a click chooses a token."""
    st.header("Along the text", anchor=False)
    courses = [Course(one.title, one.nats) for one in results]
    words = [token.word for token in results[0].encoded.read]
    drawn = course_lines(courses, words, "surprisal (nats)", chosen=chosen)
    code = snippets.surprisal([(one.run.name, one.epoch, one.order) for one in question.readers], question.text)
    plotly_view.show(drawn, key="surprisal_course", on_click=place.choose, code=code)


def tell_token(results: Sequence[Surprisal], chosen: int | None) -> None:
    """Say what each model gave the chosen token."""
    if chosen is None:
        return
    word = shown(results[0].encoded.read[chosen].word)
    pieces: dict[str, object] = {"word": word, "place": chosen + 1}
    said = []
    for nth, one in enumerate(results):
        nats = float(one.nats[chosen])
        pieces |= {f"model{nth}": one.title, f"nats{nth}": nats, f"p{nth}": percent(float(np.exp(-nats)))}
        told = "no probability" if np.isnan(nats) else f"{{nats{nth}:.2f}} nats (p = {{p{nth}}})"
        said.append(f"{{model{nth}}}: {told}")
    answer("“{word}”, token {place}: " + "; ".join(said) + ".", **pieces)


def tell_read(results: Sequence[Surprisal]) -> None:
    """Show what the models read of the text; all that are compared read the same tokens, but may not know the same."""
    shown_once = {one.encoded.seen: one for one in results}
    for one in shown_once.values():
        tokens.show_seen(one.encoded, one.run if len(shown_once) > 1 else "")


def show_equations(question: LanguageQuestion) -> None:
    """Show how each model comes to its probabilities, as far as they are of different architectures."""
    from nlpviz.models import equations
    from nlpviz.ngrams.kneser_ney import KneserNey

    runs = {one.run.name: one.run for one in question.readers}.values()
    known = {
        run.title: KneserNey.formula if counts_ngrams(run) else equations(run.architecture, run.config) for run in runs
    }
    for title, lines in known.items():
        st.markdown(f"**{escape_markdown(title)}**")
        for line in lines:
            st.latex(line)


def _tell(result: Surprisal) -> None:
    """Say the perplexity of the text and its most surprising token."""
    if np.isnan(result.mean):
        answer("**{title}** gives no token of this text a probability.", title=result.title)
        return
    where = place.most_surprising(result)
    without = " {unpredicted} of {count} tokens have no probability and are left out." if result.unpredicted else ""
    answer(
        "**{title}**: perplexity **{perplexity:,.1f}**, {mean:.2f} nats per {unit}. Most surprising: “{word}”, "
        "{nats:.1f} nats." + without,
        title=result.title,
        perplexity=result.perplexity,
        mean=result.mean,
        unit=result.unit,
        word=shown(result.encoded.read[where].word),
        nats=float(result.nats[where]),
        unpredicted=result.unpredicted,
        count=len(result.nats),
    )


def _tell_difference(first: Surprisal, nats: NDArray[np.floating]) -> None:
    known = np.flatnonzero(~np.isnan(nats))
    if not len(known):
        answer("No token has a probability under both models.")
        return
    words, lowest, highest = first.encoded.read, int(known[nats[known].argmin()]), int(known[nats[known].argmax()])
    less, mean = int((nats[known] < 0).sum()), float(nats[known].mean())
    answer(
        "{first} is less surprised at {less} of {count} {unit}s; its mean surprisal is {mean:.2f} nats {sign}. Lowest "
        "difference: “{low}” ({lowest}); highest: “{high}” ({highest}).",
        first=first.title,
        less=less,
        count=len(known),
        unit=first.unit,
        mean=abs(mean),
        sign="lower" if mean < 0 else "higher",
        low=shown(words[lowest].word),
        lowest=number(float(nats[lowest]), ".1f"),
        high=shown(words[highest].word),
        highest=number(float(nats[highest]), ".1f"),
    )
