"""Whatever an address asks for and whatever is typed, each view answers: choices at random, and what means nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.ui import address
from nlpviz.ui.views import views_of
from tests.pages.conftest import Page

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
TRIALS = 2  # addresses of a view


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
def view(page: Page, page_view: tuple[Path, Path | None]) -> Callable[[], AppTest]:
    """Return what opens the view, before its first run, on a machine without corpora."""
    del page  # it sets the machine
    page_file, script = page_view

    def opened() -> AppTest:
        app = AppTest.from_file(page_file, default_timeout=120)
        if script is not None:
            (app.query_params["view"],) = [one.slug for one in views_of(page_file) if one.file == script]
        return app

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


def test_view_runs_and_answers_any_address(
    view: Callable[[], AppTest], asked: dict[str, list[str]], page_view: tuple[Path, Path | None], *, thorough: bool
) -> None:
    first = view().run()
    assert not first.exception
    assert not first.warning
    docstring = ast.get_docstring(ast.parse((page_view[1] or page_view[0]).read_text(encoding="utf-8")))
    assert [title.value.replace("\\", "") for title in first.title] == [str(docstring).splitlines()[0]]
    draw = Random(2)
    for _ in range(2 * TRIALS if thorough else TRIALS):
        app, wanted = view(), dict(at_random(asked, draw))
        for parameter, values in wanted.items():
            app.query_params[parameter] = values
        app.run()
        assert not app.exception, wanted
        assert app.title, wanted


def test_any_text_in_any_field(view: Callable[[], AppTest], *, thorough: bool) -> None:
    app, texts = view().run(), [" ".join(HOSTILE), *(ALONE if thorough else ())]
    fields = [(kind, one.key) for kind in ("text_input", "text_area") for one in app.get(kind)]
    for kind, key in fields:
        for text in texts:
            there = [one for one in app.get(kind) if one.key == key and not one.disabled]
            if there:  # another field may have closed it
                there[0].set_value(text)
                app.run()
                assert not app.exception, (kind, key, text)
                assert app.title, (kind, key, text)
