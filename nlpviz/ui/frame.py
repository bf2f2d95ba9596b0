"""The frame of every page: title, menu, the question, and the words round a figure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from itertools import count
from pathlib import Path
from urllib.parse import quote

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitPageNotFoundError

from nlpviz import __version__
from nlpviz.discovery import places
from nlpviz.discovery.read_once import ReadOnce
from nlpviz.figures import tokens
from nlpviz.ui import limits, plotly_view, report

_STYLE = "".join(
    f"<style>{sheet.read_text(encoding='utf-8')}</style>"
    for sheet in (tokens.STYLE, Path(__file__).with_name("frame.css"))
)
_ANSWERS: ContextVar[Iterator[int]] = ContextVar("answers", default=count())  # noqa: B039 - one for all is right
"""Numbers the answers of a page, in the thread in which its script runs; without a page they all have one count."""
_MESSAGES: ContextVar[DeltaGenerator | None] = ContextVar("messages", default=None)
"""Where what is to be said of the controls stands, in the thread in which a page's script runs."""
_BAR: ContextVar[DeltaGenerator | None] = ContextVar("bar", default=None)
"""The bar, once a page has one, in the thread in which its script runs."""
_UNDER: ContextVar[DeltaGenerator | None] = ContextVar("under", default=None)
"""The place between them and the picture, likewise."""
_ENDS: ContextVar[str] = ContextVar("reason for an empty page", default="")
"""Markdown, in the thread in which a page's script runs; empty where the page goes on."""
_PAGE: ContextVar[str] = ContextVar("page", default="")
"""The name of the page, in the thread in which its script runs."""
_WITHIN = {"from": "here"}
"""In the address of a link from a page to itself, which Streamlit follows but leaves out of the browser's: as no page
has such a parameter, the page then says its own address, and Back leads to where the link was."""
HOME = "Overview"
_MENU_WIDTH = 240  # px
_ICON = "🔬"  # the one emoji; a material icon here would be fetched from another host
# What Streamlit rewrites although every sign is escaped, for it looks at the text once the Markdown is
# parsed: web and mail addresses, :streamlit:, arrows and the like. A word joiner, which has no width,
# parts their signs.
_TYPOGRAPHY = re.compile(
    r"(?<=:)(?=//|streamlit:)|(?<=www)(?=\.)|(?<=\w)(?=@\w)|(?<=<)(?=[-=])|(?<=[->~])(?=[-=>])", re.IGNORECASE
)


def begin_page(*names: str) -> None:
    """Name the browser's tab after a view and its page, and draw the menu."""
    _ANSWERS.set(count())
    _MESSAGES.set(None)
    _BAR.set(None)
    _UNDER.set(None)
    _ENDS.set("")
    _PAGE.set(names[-1])
    report.begin()
    title = " · ".join([*(name for name in names if name != HOME), "nlpviz"])
    st.set_page_config(page_title=title, page_icon=_ICON, layout="wide", initial_sidebar_state=_MENU_WIDTH)
    st.html(_STYLE)
    plotly_view.fetch_early()
    with st.sidebar:
        _menu()


def ask(docstring: str) -> None:
    """Write a page's or a view's question as its title, and the sentence under it."""
    question, _, sentence = docstring.strip().partition("\n")
    st.title(escape_markdown(question), anchor=False)
    if sentence.strip():
        with st.container(key="nlpviz_lead"):
            st.markdown(escape_markdown(" ".join(sentence.split())))


def cards() -> Iterator[DeltaGenerator]:
    """Yield one card after the other, two in a row that end together, so that what is left out leaves no gap."""
    while True:
        for column in st.columns(2, gap="medium"):
            yield column.container(border=True, height="stretch")


def page_name(file: Path) -> str:
    """Return what the menu calls a page: ``Toy tasks`` for ``35_Toy_tasks.py``, ``Overview`` for app.py."""
    return HOME if file.stem == "app" else re.sub(r"^\d+[_ -]+", "", file.stem).replace("_", " ")


def sections(folder: Path) -> dict[str, list[Path]]:
    """Return the pages of ``folder`` by the section of the menu that each names, in the order of their numbers.

    A page names its section in a constant, ``SECTION = "Words"``; one that does not belongs to that of the page before.
    """
    result: dict[str, list[Path]] = {}
    title = ""
    for file in sorted(folder.glob("[0-9]*_*.py")):
        title = _section(file) or title
        result.setdefault(title, []).append(file)
    return result


@ReadOnce
def _section(file: Path) -> str:
    """Return the section that a page names, without running the page; empty where it names none."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SECTION":
            return str(ast.literal_eval(node.value))
    return ""


def _menu() -> None:
    """Draw the links to all pages: flat, for screen readers trip over the lists of Streamlit's own menu."""
    st.button("Search · Ctrl K", icon=":material/search:", key="nlpviz_search", width="stretch")  # opens the palette
    st.html(menu(_PAGE.get()))


def menu(current: str) -> str:
    """Return the links to all pages, that to ``current`` marked, as one piece of HTML; the palette follows them.

    An element for each was a third of what a page sent.
    """
    lines = ['<nav class="nlpviz-menu" aria-label="Pages">', _anchor(HOME, "./", current)]
    for title, files in sections(places.APP / "pages").items():
        lines += [f"<p>{escape(title)}</p>"] if title else []
        for name in map(page_name, files):
            lines.append(_anchor(name, f"./{quote(name.replace(' ', '_'))}", current))
    return "".join([*lines, f"</nav><p>nlpviz {__version__} · Apache-2.0<br>{_privacy()}</p>"])


def _privacy() -> str:
    """Return where what a visitor types goes."""
    return "Your texts stay on this computer." if limits.alone() else "Your texts go to this server only."


def _anchor(name: str, url: str, current: str) -> str:
    return f'<a href="{url}"{" aria-current=page" * (name == current)}>{escape(name)}</a>'


def lead_to(page: str, label: str, view: str = "", **address: str) -> None:
    """Lead to another page, for example ``"One review"``, or to one of its views, with parameters in its address."""
    lead_by(page, label, ({"view": view} if view else {}) | address)


def lead_by(
    page: str, label: str, address: Mapping[str, str | Sequence[str]], icon: str = ":material/arrow_forward:"
) -> None:
    """Lead to a page with all these parameters in its address, its view among them."""
    file = page_file(page)
    if file is None:
        raise ValueError(f"There is no page {page!r}.")
    _link(file, label, icon, {**address, **(_WITHIN if page == _PAGE.get() else {})})


def page_files() -> list[Path]:
    """Return the files of the pages as the menu shows them."""
    pages = sections(places.APP / "pages").values()
    return [places.APP / "app.py", *(file for files in pages for file in files)]


def page_file(name: str) -> Path | None:
    """Return the file of the page that the menu calls by ``name``; None where there is none."""
    return next((file for file in page_files() if page_name(file) == name), None)


def _link(
    file: Path, label: str, icon: str | None = None, address: Mapping[str, str | Sequence[str]] | None = None
) -> None:
    """Link to a page, if the running app has it: a test may run a single page by itself."""
    try:
        st.page_link(file, label=label, icon=icon, query_params=address)
    except StreamlitPageNotFoundError:
        st.caption(label)


def takeaway(sentence: str, **pieces: object) -> None:
    """Write what a view shows in one sentence of at most 15 words, in large type over its picture; once a view.

    Args:
        sentence: Markdown with places for ``pieces``, as for :func:`answer`.
        pieces: what fills the places.
    """
    with st.container(key="nlpviz_takeaway"):
        st.markdown(_filled(sentence, pieces))


def answer(sentence: str, **pieces: object) -> None:
    """Write one or two sentences of at most 30 words each under the picture; what else was measured is a detail.

    Args:
        sentence: Markdown with places for ``pieces``: ``"{label}, {share:.0%}. *{word}* adds {score:+.1f}."``
        pieces: what fills the places. Text is escaped, so that a typed word stays what was typed; punctuation in
            italics is quoted instead.
    """
    with st.container(key=f"nlpviz_answer_{next(_ANSWERS.get())}"):  # by its place: two may say the same
        st.markdown(_filled(sentence, pieces))


def _filled(sentence: str, pieces: Mapping[str, object]) -> str:
    for name, value in pieces.items():
        if isinstance(value, str) and not any(map(str.isalnum, value)):  # a comma in italics cannot be read
            sentence = re.sub(rf"(?<!\*)\*(\{{{name}\}})\*(?!\*)", r"“\1”", sentence)
    safe = {name: escape_markdown(value) if isinstance(value, str) else value for name, value in pieces.items()}
    return sentence.format(**safe)


@contextmanager
def details(label: str = "Details") -> Iterator[None]:
    """Hold what was measured besides, one click away: a small table, a dot plot, figures of the second rank."""
    with st.expander(label):
        yield


@contextmanager
def bar() -> Iterator[None]:
    """Hold the bar that stays in sight and is the same on all views of a subject: model, epoch, text.

    What is to be said of them stands under it and scrolls away.
    """
    strip = st.container(horizontal=True, vertical_alignment="center", key="nlpviz_bar")
    _BAR.set(strip)
    _MESSAGES.set(st.container(key="nlpviz_messages"))
    _UNDER.set(st.container(key="nlpviz_under"))
    with strip:
        yield
    if why := _ENDS.get():
        messages().info(why)
        st.stop()


def end_under_bar(why: str) -> None:
    """Let the page end once its bar is drawn, with a sentence of Markdown that says why; its controls stay."""
    _ENDS.set(why)


def under_the_bar() -> DeltaGenerator:
    """Return the place under the bar and its messages, over the picture; before there is a bar, here."""
    place = _UNDER.get()
    return st.container() if place is None else place


def messages() -> DeltaGenerator:
    """Return where to say what is wrong with a control or an address: under the bar; before there is one, here."""
    place = _MESSAGES.get()
    return st.container() if place is None else place


@contextmanager
def controls() -> Iterator[None]:
    """Hold a view's own controls: further chips in the bar, which begins here where there is none yet."""
    strip = _BAR.get()
    with bar() if strip is None else strip:
        yield


@contextmanager
def more() -> Iterator[None]:
    """Hold controls that are rarely used: a chip at the end of the bar opens them. Call it within the bar."""
    with st.popover("More"):
        yield


@contextmanager
def how_to_read() -> Iterator[None]:
    """Hold what explains the figure: the formula with the page's own numbers, the paper, the pitfalls."""
    with st.expander("How to read this"):
        yield


def explain_error(message: str) -> None:
    """Say in one sentence what was wrong and what to do; ``message`` is plain text."""
    st.error(escape_markdown(message))


def escape_markdown(text: str) -> str:
    """Return Markdown that shows ``text`` as it is: no emphasis, link, colour, formula, emoji, line break."""
    parted = _TYPOGRAPHY.sub("\u2060", " ".join(text.split()))
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", parted)
