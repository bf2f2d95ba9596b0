"""How long does a visitor wait for the first figure of a server that has just started?

From the moment at which the server says that it is healthy until the first figure or coloured text of a page is drawn
in Chromium, with an empty browser cache and a server that nobody has visited; the files are in the system's cache after
the first, uncounted round. A view that shows no figure, such as the one for user files, is timed until all of
it is there. Every view has a row: they are found as the tests find them. The bar is kept, too, by who is no more than
:data:`NEAR` times as slow as the bare page, whose own time is Streamlit's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from playwright.sync_api import Browser

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, chromium, cold_tab, fresh_server, plain_app, views
from tests.browser.conftest import PRUNED, address

ROUNDS = 3
BAR, NEAR = 3.0, 1.15  # seconds, or so many times the bare page's
# A coloured text is a figure as well; the row of what can be taken away of it comes after it.
DRAWN = "() => Boolean(document.querySelector(':is(.nlpviz-figure[data-drawn], .nlpviz-text-row)'))"
PEER_DRAWN = "() => Boolean(document.querySelector('.js-plotly-plot')?.calcdata?.length)"
FIGURES = ":is(.nlpviz-figure, .js-plotly-plot)"
NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def measure() -> Iterator[Row]:
    """Yield the time of each view beside the bare page's."""
    addresses = {name: address(file, view) for name, file, view in views()}
    samples: dict[str, list[float]] = {PEER: [], **{name: [] for name in addresses}}
    figures: set[str] = set()
    with chromium() as browser, plain_app() as plain:
        for number in range(ROUNDS + 1):
            taken = {name: first_figure(browser, ROOT, path, DRAWN) for name, path in addresses.items()}
            taken[PEER] = first_figure(browser, plain, "/", PEER_DRAWN)
            for name, waited in taken.items():
                samples[name] += [waited.seconds] if number else []
                figures |= {name} if waited.figure else set()
    peer = tuple(samples.pop(PEER))
    bar = max(BAR, NEAR * median(peer))
    for name, seconds in samples.items():
        what = "to the first figure" if name in figures else "until complete (no figure)"
        yield Row(f"`{name}`, from a fresh server {what}", "s", tuple(seconds), PEER, peer, bar)


class Waited(NamedTuple):
    """How many seconds a visitor waited, and whether for a figure."""

    seconds: float
    figure: bool


def first_figure(browser: Browser, root: Path, path: str, drawn: str) -> Waited:
    """Return the wait from a healthy server to a frame with the first figure of the page at ``path``, or with all."""
    with cold_tab(browser) as page, fresh_server(root) as url:
        started = perf_counter()
        page.goto(url + path, wait_until="commit")
        page.wait_for_function(f"() => ({drawn})() || (({PRUNED})() && !document.querySelector('{FIGURES}'))")
        page.evaluate(NEXT_FRAME)
        seconds = perf_counter() - started
        figure = bool(page.evaluate(drawn))
        if not figure:  # that all is there is believed after a while of rest, which nobody waits for
            seconds -= page.evaluate("() => (performance.now() - window.quietSince) / 1000")
        if page.locator("[data-testid=stException]").count():
            raise RuntimeError(f"{path} failed")
        return Waited(seconds, figure)


BENCHMARK = Benchmark(
    "start", "How long does each page take from a fresh server to its first figure?", measure, "pages"
)
