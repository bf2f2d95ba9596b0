"""The frame of every page: title, menu, the question, and the words round a figure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import count
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitPageNotFoundError

from nlpviz import __version__
from nlpviz.data import DataError
from nlpviz.runs import RunError
from nlpviz.ui import plotly_view

_ROOT = Path(__file__).parents[2]
_STYLE = Path(__file__).with_name("frame.css")
_ANSWERS: ContextVar[Iterator[int]] = ContextVar("answers", default=count())  # noqa: B039 - one for all is right
"""Numbers the answers of a page, in the thread in which its script runs; without a page they all have one count."""
_ICON = "🔬"  # the one emoji; a material icon here would be fetched from another host
# What Streamlit rewrites although every sign is escaped, for it looks at the text once the Markdown is
# parsed: web and mail addresses, :streamlit:, arrows and the like. A word joiner, which has no width,
# parts their signs.
_TYPOGRAPHY = re.compile(
    r"(?<=:)(?=//|streamlit:)|(?<=www)(?=\.)|(?<=\w)(?=@\w)|(?<=<)(?=[-=])|(?<=[->~])(?=[-=>])", re.IGNORECASE
)


@contextmanager
def page(docstring: str | None, file: str) -> Iterator[None]:
    """Hold a page from its title to its end: the first statement of app.py and of every page.

    What is wrong with a run or a corpus becomes one sentence, with which the page ends.
    """
    open_page(docstring, file)
    try:
        yield
    except (RunError, DataError) as error:
        explain_error(str(error))


def open_page(docstring: str | None, file: str) -> None:
    """Draw what stands over every page: the menu, the question, the sentence under it.

    The first line of the docstring is the question that the page answers, and its title; the rest is the
    sentence under it. The name in the menu and in the browser's tab is that of the file.
    """
    _ANSWERS.set(count())
    name = page_name(Path(file))
    title = "nlpviz" if name == "Home" else f"{name} · nlpviz"
    st.set_page_config(page_title=title, page_icon=_ICON, layout="wide")
    st.html(_STYLE)
    plotly_view.fetch_early()
    with st.sidebar:
        _menu()
    question, _, sentence = (docstring or name).strip().partition("\n")
    st.title(escape_markdown(question), anchor=False)
    if sentence.strip():
        with st.container(key="nlpviz_lead"):
            st.markdown(escape_markdown(" ".join(sentence.split())))


def halves() -> Iterator[DeltaGenerator]:
    """Yield the left and the right half of one row after the other, so that what is left out leaves no gap."""
    while True:
        yield from st.columns([6, 5], gap="large")


def page_name(file: Path) -> str:
    """Return what the menu calls a page: ``Word vectors`` for ``60_Word_vectors.py``, ``Home`` for app.py."""
    return "Home" if file.stem == "app" else re.sub(r"^\d+[_ -]+", "", file.stem).replace("_", " ")


def sections(folder: Path) -> dict[str, list[Path]]:
    """Return the pages of ``folder`` by the section of the menu that each names, in the order of their numbers.

    A page names its section in a constant, ``SECTION = "Words"``; one that does not belongs to that of the page before.
    """
    result: dict[str, list[Path]] = {}
    title = ""
    for file in sorted(folder.glob("[0-9]*_*.py")):
        title = _section(file, file.stat().st_mtime_ns) or title
        result.setdefault(title, []).append(file)
    return result


@lru_cache(maxsize=128)
def _section(file: Path, _changed: int) -> str:
    """Return the section that a page names, without running the page; empty where it names none."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SECTION":
            return str(ast.literal_eval(node.value))
    return ""


def _menu() -> None:
    """Draw the links to all pages: flat, for screen readers trip over the lists of Streamlit's own menu."""
    with st.container(key="nlpviz_menu", gap=None):
        _link(_ROOT / "app.py", "Home")
        for title, files in sections(_ROOT / "pages").items():
            if title:
                st.caption(title)
            for file in files:
                _link(file, page_name(file))
    with st.container(key="nlpviz_colophon"):
        st.caption(f"nlpviz {__version__} · Apache-2.0  \nNothing leaves this machine.")


def lead_to(page_file: str, label: str, **address: str) -> None:
    """Lead to another page, for example ``"pages/30_Saliency.py"``, with parameters in its address."""
    _link(_ROOT / page_file, label, ":material/arrow_forward:", address)


def _link(file: Path, label: str, icon: str | None = None, address: dict[str, str] | None = None) -> None:
    """Link to a page, if the running app has it: a test may run a single page by itself."""
    try:
        st.page_link(file, label=label, icon=icon, query_params=address)
    except StreamlitPageNotFoundError:
        st.caption(label)


def answer(sentence: str, **pieces: object) -> None:
    """Write the answer in words.

    Args:
        sentence: Markdown with places for ``pieces``: ``"{label}, {share:.0%}. *{word}* adds {score:+.1f}."``
        pieces: what fills the positions. Text is escaped, so that a typed word stays what was typed.
    """
    safe = {name: escape_markdown(value) if isinstance(value, str) else value for name, value in pieces.items()}
    written = sentence.format(**safe)
    with st.container(key=f"nlpviz_answer_{next(_ANSWERS.get())}"):  # by its place: two may say the same
        st.markdown(written)


@contextmanager
def controls() -> Iterator[None]:
    """Hold the control strip: one row of widgets that wraps on a narrow window."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_controls"):
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
