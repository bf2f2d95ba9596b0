"""Pages run without a browser, on the committed runs."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from nlpviz.results.word_queries import AnalogyScores, SectionScore
from nlpviz.runs.analogies import write_scores
from nlpviz.ui import map_jobs
from nlpviz.ui.frame import page_file
from nlpviz.ui.jobs import Progress
from tests.waiting import until
from tests.words import write_toy_run

Page = Callable[..., AppTest]
MOST_OPTIONS = 400  # see test_few_options.py


@pytest.fixture(scope="session", autouse=True)
def _components_are_looked_for_once() -> Iterator[None]:
    """Read which installed packages bring components once: AppTest does it for every page, longer than most take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Page:
    """Return what runs a page by its menu name, with parameters in its address, on a machine without corpora."""
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)

    def run(name: str, **address: str | list[str]) -> AppTest:
        return opened(name, **address).run()

    return run


def opened(name: str, **address: str | list[str]) -> AppTest:
    """Return a page by its name in the menu before its first run, with what is not empty in its address."""
    file = page_file(name)
    assert file is not None, name
    app = AppTest.from_file(file, default_timeout=300)
    for parameter, value in address.items():
        if value:
            app.query_params[parameter] = value
    return app


@pytest.fixture
def busy() -> Iterator[Event]:
    """A worker that makes another visitor's map, and is at 40% of it, until the event is set."""
    opened, begun = Event(), Event()

    def work(progress: Progress) -> None:
        while not opened.wait(0.01):
            progress(0.4, "another visitor's map")
            begun.set()

    map_jobs.worker().submit("another visitor's map", work)
    until(begun.is_set)
    yield opened
    opened.set()


@pytest.fixture(scope="session")
def toy_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs of toy words; the second keeps its scores on two sections of analogies."""
    folder = tmp_path_factory.mktemp("trained")
    write_toy_run(folder, "toy-first")
    second = write_toy_run(folder, "toy-second")
    scores = {
        epoch: tuple(
            AnalogyScores(
                "toy", method, (SectionScore("capitals", 12, 12, 3 * epoch), SectionScore("none", 4, 0, 0)), 34
            )
            for method in ("3CosAdd", "3CosMul")
        )
        for epoch in second.epochs
    }
    write_scores(second.folder, scores)
    second.save()
    return folder


@pytest.fixture
def toy_page(page: Page, monkeypatch: pytest.MonkeyPatch, toy_folder: Path) -> Page:
    """Return what runs a page where toy words are all the runs there are."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_folder))
    return page


@pytest.fixture
def attentive_page(page: Page, monkeypatch: pytest.MonkeyPatch, toy_attentive: Path) -> Page:
    """Return what runs a page where toy runs with attention are nearly all there are."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_attentive))
    return page


def figure(app: AppTest, position: int = 0) -> dict[str, Any]:
    """Return what the browser gets of a page's figure: the payload of nlpviz/ui/plotly_view.py."""
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [payload for payload in payloads if "figure" in payload][position]


def numbers(packed: Any) -> NDArray[np.float64]:
    """Return an array of a figure, as plotly packs it."""
    if isinstance(packed, dict):
        values = np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"])
        return values.astype(np.float64)
    return np.asarray(packed, dtype=np.float64)


def faults(app: AppTest) -> list[str]:
    """Return what is wrong with an answer, whatever it says: what failed, what is an error, and markup let through."""
    html = "".join(str(element.proto.body) for element in app.get("html"))
    return [*(one.value for one in [*app.exception, *app.error]), *re.findall("<(?:script|img|b>bold)", html)]


def too_long(app: AppTest) -> dict[str | None, int]:
    """Return how many options the boxes of a page have that have more than a browser takes at once."""
    counts = {box.key: len(box.options) for box in [*app.selectbox, *app.multiselect]}
    return {key: count for key, count in counts.items() if count > MOST_OPTIONS}


def asked_in_vain(app: AppTest) -> set[str]:
    """Return the parameters of which a page says that the address asks for something that is not there."""
    return set(re.findall(r"The link sets (\w+) to ", shown(app)))


def shown(app: AppTest) -> str:
    """Return all the words on a page, messages among them."""
    kinds = (app.markdown, app.warning, app.error, app.info, app.caption, app.title, app.text)
    return "\n".join(str(element.value) for elements in kinds for element in elements)


def said(app: AppTest) -> str:
    """Return the words of a page without what keeps Markdown from them."""
    return re.sub(r"\\(?=[!-/:-@\[-`{-~])|\u2060", "", shown(app))
