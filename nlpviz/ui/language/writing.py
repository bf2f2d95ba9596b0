"""What the view on sampling shows: the texts that models write, and what one of their tokens was drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from nlpviz.figures.language import file_name
from nlpviz.figures.language.choices import draw_dots, filtered_bars
from nlpviz.figures.language.text import surprisal_key_html
from nlpviz.figures.language.written import written_html
from nlpviz.figures.numbers import p_said, percent
from nlpviz.figures.view import provenance
from nlpviz.language.sampling import Sampling
from nlpviz.results.written import Choices, WrittenText
from nlpviz.snippets import language as snippets
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import UNKNOWN, shortened
from nlpviz.ui import address, coloured_text, plotly_view, tokens, widgets
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.language import branches, cache
from nlpviz.ui.language.settings import Writer

_PLACE, _OF = "token", "of"
"""The controls, and their parameters in the address: a written token's number from 1, and whose text it is in."""


class Look(NamedTuple):
    """What is looked at: a token that a model wrote.

    Attributes:
        number: of the writer, from 0.
        place: of the token, from 0.
    """

    number: int
    place: int


def show(writers: Sequence[Writer]) -> None:
    """Show what each model writes, what a chosen token was drawn from, and the branches of its text."""
    texts = [branches.text(writer) for writer in writers]
    above = st.container()
    st.header(f"Which distribution was this {texts[0].unit} sampled from?", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_look"):
        look = _ask(texts)
        branches.ask(writers[look.number], look.place)
    with above:
        _show_texts(writers, texts, look)
    writer, text = writers[look.number], texts[look.number]
    _show_choices(writer, cache.choices(writer, text, look.place))
    branches.show(writer)
    for one in {one.reader.run.name: one for one in writers}.values():
        count, most = len(cache.asked(one.reader).ids(one.prompt)), one.reader.run.max_length
        if count > most:
            title = escape_markdown(one.reader.run.title)
            st.caption(f"Of the {count:,} tokens of the text, {title} read the last {most:,}.")
        tokens.show_seen(cache.asked(one.reader).prompt(one.prompt), one.reader.run.name if len(writers) > 1 else "")


def _ask(texts: Sequence[WrittenText]) -> Look:
    """Return the token that the visitor chose, at first the most surprising one of the first model."""
    number = 0
    if len(texts) > 1:
        titles = {str(one): text.title for one, text in enumerate(texts, start=1)}
        _name_again(_OF, titles)
        number = int(widgets.pick(_OF, "Text by", list(titles), titles.__getitem__)) - 1
    else:
        address.leave_out(_OF, _OF, ["1"])
    text = texts[number]
    names = {str(one): f"{one} · {shortened(shown(word), 24)}" for one, word in enumerate(text.words, start=1)}
    first = str(int(np.argmax(np.nan_to_num(text.nats))) + 1)
    _name_again(_PLACE, names)
    options = [first, *(one for one in names if one != first)]
    chosen = widgets.pick(_PLACE, f"{text.unit.capitalize()} (or click in the text)", options, names.__getitem__)
    return Look(number, int(chosen) - 1)


def _name_again(key: str, names: Mapping[str, str]) -> None:
    """Let a box that stays show other names of the same options: it is told of them with its value alone."""
    if key in st.session_state and st.session_state.get(f"labels of {key}") != names:
        st.session_state[key] = st.session_state[key]
    st.session_state[f"labels of {key}"] = names


def _show_texts(writers: Sequence[Writer], texts: Sequence[WrittenText], look: Look) -> None:
    """Show the texts, coloured on one scale; a click chooses a token."""
    scale = max(float(np.nanmax(text.nats, initial=0.0)) for text in texts)

    def choose(name: str) -> None:
        st.session_state[_OF], _, st.session_state[_PLACE] = name.partition("-")

    _take_away(texts[look.number])
    for number, (writer, text) in enumerate(zip(writers, texts, strict=True)):
        branch, prompt = branches.branch(writer), cache.asked(writer.reader).prompt(writer.prompt)
        chosen = look.place if number == look.number else None
        coloured_text.show(
            written_html(prompt, text, branch, scale, chosen, str(number + 1)) + surprisal_key_html(scale),
            caption=provenance(text.title, f"{_filters(writer.how)}, seed {branch.seed}"),
            name=file_name("sample", text.title),
            on_click=choose,
        )
        if len(texts) > 1:
            st.markdown(f"**{escape_markdown(text.title)}**")
    with details():
        _table(texts)


def _take_away(text: WrittenText) -> None:
    """Say how often the most probable token was taken."""
    takeaway(
        "{title} generated its most probable {unit} at {likeliest} of {count} positions.",
        title=text.title,
        unit=text.unit,
        likeliest=int(text.likeliest.sum()),
        count=len(text.ids),
    )


def _table(texts: Sequence[WrittenText]) -> None:
    """Show of each text how often the likeliest token was taken, how surprising it is, what stands for no word."""
    unit = texts[0].unit
    known = [text.nats[np.isfinite(text.nats)] for text in texts]
    st.table(
        {
            "Model": [escape_markdown(text.title) for text in texts],
            f"Most probable {unit} generated": [f"{int(text.likeliest.sum())} of {len(text.ids)}" for text in texts],
            f"Nats per {unit}, before filtering": [f"{nats.mean():.2f}" if len(nats) else "–" for nats in known],
            "Unknown words (`<unk>`)": [str(int((text.ids == UNKNOWN).sum())) for text in texts],
        },
        hide_index=True,
    )


def _show_choices(writer: Writer, found: Choices) -> None:
    """Show the distribution before and after filtering beside draws from it; a click on a bar forces its token."""
    token = _token(writer, found.place)
    left, right = st.columns(2, gap="medium")
    with left:
        _tell_filters(writer.how, found)
        plotly_view.show(
            filtered_bars(found),
            key="filtered",
            on_click=lambda token: branches.force(writer, found.place, (int(token),)),
            code=snippets.filtered(token) if token else "",
        )
    with right:
        _tell_draws(found)
        plotly_view.show(draw_dots(found), key="draws", code=snippets.draws(token) if token else "")


def _token(writer: Writer, place: int) -> snippets.ChosenToken | None:
    """Return all that decides a token; None where the text was drawn again, with a seed that the draws do not have."""
    (run, epoch, order), how, branch = writer.reader, writer.how, branches.branch(writer)
    if branch.seed != how.seed:
        return None
    return snippets.ChosenToken(
        run.name, epoch, order, writer.prompt, how.temperature, how.top_k, how.top_p, how.seed, writer.length,
        branch.given, place,
    )  # fmt: skip


def _tell_filters(how: Sampling, found: Choices) -> None:
    came = found.ids.tolist().index(found.came)
    before, after = float(found.before[came]), float(found.after[came])
    cut = " and {cut} of the probability mass is removed" if found.cut > 0 else ""
    drawn = f", {percent(after)} after." if after else "; it was removed by the filters, but forced."
    answer(
        "{filters}: {kept:,} of {possible:,} {unit}s are kept"
        + cut
        + ". “{word}”, {unit} {place}: {own} before"
        + drawn,
        filters=_filters(how),
        kept=found.kept,
        possible=found.possible,
        unit=found.unit,
        cut=percent(found.cut),
        word=shown(found.words[came]),
        place=found.place + 1,
        own=percent(before),
    )


def _tell_draws(found: Choices) -> None:
    draws, kept = found.draws, found.after > 0
    if found.kept == 1:
        only = shown(found.words[int(np.argmax(found.after))])
        answer(
            "All {count:,} draws are “{word}”: no other {unit} is left.", count=draws.count, word=only, unit=found.unit
        )
        return
    answer(
        "{count:,} draws with seed {seed}: {within} of the {shown} {unit}s shown fall within their 95% bands.",
        count=draws.count,
        seed=draws.seed,
        within=int(draws.within[kept].sum()),
        shown=int(kept.sum()),
        unit=found.unit,
    )
    with details("Goodness of fit"):
        if draws.freedom:
            st.markdown(
                f"Pearson’s χ² = {draws.chi_square:.1f} with {draws.freedom} degrees of freedom, {p_said(draws.p)}."
            )
        else:
            st.markdown(f"Too few {found.unit}s have an expected count of 5 for a χ² test.")


def _filters(how: Sampling) -> str:
    """Return what is done to a distribution, in the order in which it is done."""
    parts = [f"Temperature {how.temperature:g}"]
    if how.temperature > 0:  # at 0 there is nothing left to filter
        parts += [f"top-k {how.top_k:,}"] if how.top_k else []
        parts += [f"top-p {how.top_p:g}"] if how.top_p < 1 else []
    return ", ".join(parts)
