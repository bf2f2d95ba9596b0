"""Whatever an address asks for and whatever is typed, each view answers, and its code gives its figures' numbers.

All on one visit of each view, whose every fault is named: one does not hide another.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.ui import address
from nlpviz.ui.frame import page_name
from nlpviz.ui.views import views_of
from tests.better_words import odd_phrases
from tests.pages.code_states import FIELDS, STATES, State, wrong_code, wrong_literal
from tests.pages.conftest import Page, too_long

MARKUP = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</div></span><style>*{display:none}</style>",
    "[a](javascript:alert(1)) **b** :red[c] $\\frac{1}{0}$ `d` {e} {{f}} %s",
    "{0.__class__.__init__.__globals__}",
    "../../../etc/passwd",
    "'; DROP TABLE runs; --",
)
ALONE = (  # what a field may take for a number, for a word, or for nothing
    "null\x00byte\x1b[31m",
    "\u202eevil\u202c שלום 👩‍🚀🏽 é e\u0301",
    "NaN",
    "-1e309",
    "9" * 400,
    "- + - king",
    " \t\n ",
)
HOSTILE = (*MARKUP, *ALONE)
NOTHING = ("", "none", "own", "0", "-1", "999", "nan", "True", *HOSTILE)
Address = Mapping[str, str | list[str]]
Visit = Callable[..., AppTest]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Return what collects the parameters that a view reads from its address, with the values that they may have."""
    known: dict[str, list[str]] = defaultdict(list)
    read, read_text, read_number = address.read, address.read_text, address.read_number

    def noting(key: str, parameter: str, options: Sequence[str], default: Sequence[str], **more: Any) -> None:
        known[parameter] = list(options)
        read(key, parameter, options, default, **more)

    def noting_text(key: str, parameter: str, default: str, most: int) -> None:
        known[parameter] = ["king", "waste", "queen woman"]
        read_text(key, parameter, default, most)

    def noting_number(key: str, parameter: str, default: float, low: float, high: float) -> None:
        known[parameter] = [address.written_number(one) for one in (default, low, high)]
        read_number(key, parameter, default, low, high)

    monkeypatch.setattr(address, "read", noting)
    monkeypatch.setattr(address, "read_number", noting_number)
    monkeypatch.setattr(address, "read_text", noting_text)
    return known


@pytest.fixture
def visit(page: Page, page_view: tuple[Path, Path | None]) -> Visit:
    """Return what opens the view at an address, in a tab if it is open in one, on a machine without corpora."""
    del page  # it sets the machine
    file, script = page_view
    view = [one.slug for one in views_of(file) if one.file == script]

    def opened(address: Address, tab: AppTest | None = None) -> AppTest:
        app = tab or AppTest.from_file(file, default_timeout=120)
        app.query_params = {"view": view, **address}
        return app.run()

    return opened


def at_random(known: dict[str, list[str]], draw: Random) -> Iterator[tuple[str, list[str]]]:
    """Yield parameters with what an address says of them: mostly what may be chosen, else nothing that is there."""
    for parameter in draw.sample(sorted(known), draw.randint(0, len(known))):
        options = known[parameter]
        values = [
            draw.choice(options if options and draw.random() < 0.7 else NOTHING)
            for _ in range(draw.choice((1, 1, 1, 2, 3)))
        ]
        yield parameter, values


def test_view_answers_whatever_it_is_asked(
    visit: Visit, asked: dict[str, list[str]], page_view: tuple[Path, Path | None], *, in_ci: bool, thorough: bool
) -> None:
    app, name = visit({}), view_name(*page_view)
    wrong = [
        *wrong_opening(app, *page_view),
        *wrong_at_addresses(visit, asked, 2 if thorough else 1, again=in_ci),
        *wrong_in_states(visit, app, [one for one in STATES.get(name, (State(None),)) if in_ci or one.as_it_opens]),
        *(wrong_literal(app, FIELDS[name]) if name in FIELDS else ()),
        *wrong_with_texts(app, [" ".join(HOSTILE), *(ALONE if thorough else ())]),
    ]
    assert not wrong, "\n".join(wrong)


def view_name(file: Path, script: Path | None) -> str:
    """Return the name of a page, with that of the view."""
    return ": ".join([page_name(file), *(one.slug for one in views_of(file) if one.file == script)])


def wrong_opening(app: AppTest, file: Path, script: Path | None) -> Iterator[str]:
    """Say what is wrong with the view as it opens: its title is the question that its script begins with."""
    question = str(ast.get_docstring(ast.parse((script or file).read_text(encoding="utf-8")))).splitlines()[0]
    titles = [title.value.replace("\\", "") for title in app.title]
    yield from (f"as it opens: {one.value}" for one in [*app.exception, *app.warning])
    long = {key: count for key, count in too_long(app).items() if key != "to"}  # a walk leads to any test document
    yield from (f"as it opens {key} has {count} options" for key, count in long.items())
    if titles != [question]:
        yield f"as it opens it asks {titles}, not {question}"
    yield from (f"as it opens: {odd}" for text in read_on(app.main) for odd in odd_phrases(text))


def read_on(block: Any) -> Iterator[str]:
    """Yield what a visitor reads on a page: Markdown, labels, tips, and the headings of tables."""
    for child in block.children.values():
        yield from (str(text) for text in (getattr(child, "label", ""), getattr(child.proto, "help", "")) if text)
        if child.type == "arrow_data_frame":
            yield " | ".join(map(str, child.value.columns))
        elif isinstance(getattr(child, "value", None), str):
            yield child.value.replace("\\", "")
        if hasattr(child, "children"):
            yield from read_on(child)


def wrong_at_addresses(visit: Visit, asked: dict[str, list[str]], tabs: int, *, again: bool) -> Iterator[str]:
    """Say what is wrong at addresses drawn at random, each in a new tab; with ``again`` at one more in each tab."""
    draw = Random(2)
    for _ in range(tabs):
        tab = None
        for _ in range(2 if again else 1):
            address = dict(at_random(asked, draw))
            tab = visit(address, tab)
            yield from unanswered(tab, f"at {address}")


def wrong_in_states(visit: Visit, app: AppTest, states: Sequence[State]) -> Iterator[str]:
    """Say what is wrong with the code of the view in these states; ``app`` is in that in which it opens."""
    for state in states:
        yield from wrong_code(app if state.as_it_opens else visit(state.address), state)


def wrong_with_texts(app: AppTest, texts: Sequence[str]) -> Iterator[str]:
    """Say what is wrong when these texts are typed into each field of the view."""
    for kind, key in [(of, one.key) for of in ("text_input", "text_area") for one in app.get(of)]:
        for text in texts:
            there = [one for one in app.get(kind) if one.key == key and not one.disabled]
            if there:  # another field may have closed it
                there[0].set_value(text)
                yield from unanswered(app.run(), f"with {text} in {key}")


def unanswered(app: AppTest, where: str) -> list[str]:
    """Say what stands in place of an answer."""
    return [f"{where}: {one.value}" for one in app.exception] or ([] if app.title else [f"{where}: nothing"])
