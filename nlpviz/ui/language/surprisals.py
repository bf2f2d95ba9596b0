"""What the view on surprisal shows: the text by each model, the difference of two, the course of both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.figures.language import file_name
from nlpviz.figures.language.course import surprisal_lines
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
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import coloured_text, plotly_view, tokens, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, messages, takeaway
from nlpviz.ui.language import cache, place
from nlpviz.ui.language.choice import LanguageQuestion


def read(question: LanguageQuestion) -> tuple[Surprisal, ...]:
    """Return how surprised each model was; the page ends where the text has no token."""
    results = tuple(cache.surprisal(reader, question.text)() for reader in question.readers)
    if not len(results[0].nats):
        if question.text.strip():
            messages().info(f"This text contains no {results[0].unit}s.")
        st.stop()
    return results


def show(results: Sequence[Surprisal], chosen: int | None) -> None:
    """Show the text once for each model, coloured on one scale, with its perplexity; a click chooses a token."""
    _take_away(results[0])
    scale = max(float(np.nanmax(one.nats, initial=0.0)) for one in results)
    for result in results:
        reached = "" if np.isnan(result.mean) else f": perplexity **{result.perplexity:,.1f}**"
        coloured_text.show(
            surprisal_html(result, scale, chosen) + surprisal_key_html(scale),
            caption=provenance(result.title, "surprisal"),
            name=file_name("surprisal", result.title),
            on_click=place.choose,
        )
        st.markdown(f"**{escape_markdown(result.title)}**{reached}")


def _take_away(result: Surprisal) -> None:
    """Say which token surprises the first model most."""
    if np.isnan(result.mean):
        takeaway("{title} assigns no probability to any token of this text.", title=result.title)
        return
    where = place.most_surprising(result)
    takeaway(
        "Most surprising to {title}: “{word}”, {nats:.1f} nats.",
        title=result.title,
        word=shortened(shown(result.encoded.read[where].word)),
        nats=float(result.nats[where]),
    )


def show_difference(results: Sequence[Surprisal], chosen: int | None) -> None:
    """Show where the first model is less surprised than another one, and where more; that one is chosen."""
    if len(results) < 2:
        return
    first, rest = results[0], {one.title: one for one in results[1:]}
    st.header("Where the models differ", anchor=False)
    with st.container(width=480):
        name = widgets.pick("against", f"Surprisal of {first.title} minus surprisal of", list(rest))
    second = rest[name]
    nats = difference(first, second)
    scale = float(np.nanmax(np.abs(nats), initial=0.0))
    coloured_text.show(
        difference_html(first, second, scale, chosen) + difference_key_html(first, second, scale),
        caption=provenance(first.title, second.title, "difference in surprisal"),
        name=file_name("difference", first.title, second.title),
        on_click=place.choose,
    )
    _tell_difference(first, nats)


def show_course(question: LanguageQuestion, chosen: int | None) -> None:
    """Show the surprisal of all models along the text; a click chooses a token."""
    st.header("Along the text", anchor=False)
    results = [cache.surprisal(reader, question.text) for reader in question.readers]
    plotly_view.show(Call(surprisal_lines, results, chosen), key="surprisal_course", on_click=place.choose)


def tell_token(results: Sequence[Surprisal], chosen: int | None) -> None:
    """Say how probable the chosen token was to the first model, and to the second one where there is one."""
    if chosen is None:
        return
    word = shortened(shown(results[0].encoded.read[chosen].word))
    pieces: dict[str, object] = {"word": word}
    said = []
    for nth, one in enumerate(results[:2]):
        nats = float(one.nats[chosen])
        pieces |= {f"model{nth}": one.title, f"p{nth}": percent(float(np.exp(-nats)))}
        said.append(f"{'no probability' if np.isnan(nats) else f'{{p{nth}}}'} under {{model{nth}}}")
    answer("Probability of “{word}”: " + ", ".join(said) + ".", **pieces)


def show_details(results: Sequence[Surprisal], chosen: int | None) -> None:
    """Show the numbers of every model: of the text, of its most surprising token, of the chosen one."""
    unit = results[0].unit
    rows: dict[str, list[str]] = {
        "Model": [escape_markdown(one.title) for one in results],
        "Perplexity": ["–" if np.isnan(one.mean) else f"{one.perplexity:,.1f}" for one in results],
        f"Nats per {unit}": ["–" if np.isnan(one.mean) else f"{one.mean:.2f}" for one in results],
        "Most surprising": [_most_surprising(one) for one in results],
        f"{unit.capitalize()}s without probability": [f"{one.unpredicted} of {len(one.nats)}" for one in results],
    }
    if chosen is not None:
        word = escape_markdown(shortened(shown(results[0].encoded.read[chosen].word)))
        rows[f"“{word}”, {unit} {chosen + 1}"] = [_nats(float(one.nats[chosen])) for one in results]
    with details():
        st.table(rows, hide_index=True)


def _most_surprising(result: Surprisal) -> str:
    if np.isnan(result.mean):
        return "–"
    where = place.most_surprising(result)
    return f"{escape_markdown(shortened(shown(result.encoded.read[where].word)))}, {result.nats[where]:.1f} nats"


def _nats(nats: float) -> str:
    return "no probability" if np.isnan(nats) else f"{nats:.2f} nats"


def tell_read(results: Sequence[Surprisal]) -> None:
    """Show what the models read of the text; all that are compared read the same tokens, but may not know the same."""
    shown_once = {one.encoded.seen: one for one in results}
    for one in shown_once.values():
        tokens.show_seen(one.encoded, one.run if len(shown_once) > 1 else "")


def show_equations(question: LanguageQuestion) -> None:
    """Show how each model comes to its probabilities, as far as they are of different architectures."""
    from nlpviz.networks.architectures import equations
    from nlpviz.text.ngrams.kneser_ney import KneserNey

    runs = {one.run.name: one.run for one in question.readers}.values()
    known = {
        run.title: KneserNey.formula if counts_ngrams(run) else equations(run.architecture, run.config) for run in runs
    }
    for title, lines in known.items():
        st.markdown(f"**{escape_markdown(title)}**")
        for line in lines:
            st.latex(line)


def _tell_difference(first: Surprisal, nats: NDArray[np.floating]) -> None:
    known = np.flatnonzero(~np.isnan(nats))
    if not len(known):
        answer("No token has a probability under both models.")
        return
    words, lowest, highest = first.encoded.read, int(known[nats[known].argmin()]), int(known[nats[known].argmax()])
    less, mean = int((nats[known] < 0).sum()), float(nats[known].mean())
    answer(
        "{first} is less surprised by {less} of {count} {unit}s; its mean surprisal is {mean:.2f} nats {sign}.",
        first=first.title,
        less=less,
        count=len(known),
        unit=first.unit,
        mean=abs(mean),
        sign="lower" if mean < 0 else "higher",
    )
    with details("Largest differences"):
        places = [lowest, highest]
        st.table(
            {
                "Difference": ["lowest", "highest"],
                first.unit.capitalize(): [escape_markdown(shortened(shown(words[one].word))) for one in places],
                "Nats": [number(float(nats[one]), ".1f") for one in places],
            },
            hide_index=True,
        )
