"""A page of one run costs the same however many runs stand beside it in the lists."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.runs import open_run, root
from tests.many_runs import write_runs
from tests.pages.conftest import Page

FEW, MANY = 30, 300
RUN = "imdb-cnn"


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[int], None]:
    """Return what lists the committed run with so many made-up ones."""
    needed = {RUN, *(stored.run for stored in open_run(RUN).shared.values())}
    sources = {name: root() / name for name in needed}

    def list_beside(count: int) -> None:
        folder = tmp_path / str(count)
        folder.mkdir()
        write_runs(folder, count)
        for name, source in sources.items():
            (folder / name).symlink_to(source, target_is_directory=True)
        monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))

    return list_beside


def calls(app: AppTest) -> int:
    """Return how many calls of Python's functions another run of the page takes."""
    count = 0

    def counting(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    threading.setprofile(counting)  # of the thread in which the page's script runs
    try:
        app.run()
    finally:
        threading.setprofile(None)
    assert not app.exception
    return count


@pytest.mark.parametrize(
    ("name", "address"),
    [("One review", {"view": "saliency"}), ("Models", {"view": "card"}), ("One review", {"view": "edit"})],
)
def test_ten_times_as_many_runs_cost_a_page_little(
    page: Page, beside: Callable[[int], None], name: str, address: dict[str, str]
) -> None:
    taken = []
    for count in (FEW, MANY):
        beside(count)
        app = page(name, **address)
        assert any(len(box.options) >= count for box in app.selectbox), "the others can be chosen"
        app.run()
        taken.append(calls(app))
    few, many = taken
    assert few > 1_000
    assert many < 1.3 * few
