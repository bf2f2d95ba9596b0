"""How long does a visitor wait for the first figure of a server that has just started?

From the moment at which the server says that it is healthy until the first figure of a page is drawn in Chromium,
with an empty browser cache and a server that nobody has visited; the files are in the system's cache after the
first, uncounted round. A page that shows no figure in it, such as the one for files of one's own, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, chromium, cold_tab, fresh_server, plain_app, views
from tests.browser.conftest import PRUNED, address

ROUNDS = 3
BAR = 3.0  # seconds
DRAWN = "() => Boolean(document.querySelector('.nlpviz-figure[data-drawn]'))"
PEER_DRAWN = "() => Boolean(document.querySelector('.js-plotly-plot')?.calcdata?.length)"
FIGURES = ":is(.nlpviz-figure, .js-plotly-plot)"
NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def measure() -> Iterator[Row]:
    """Yield the time of each view that has a figure beside the bare page's."""
    addresses = {name: address(file, view) for name, file, view in views()}
    samples: dict[str, list[float]] = {PEER: [], **{name: [] for name in addresses}}
    with chromium() as browser, plain_app() as plain:
        for number in range(ROUNDS + 1):
            taken = {name: first_figure(browser, ROOT, path, DRAWN) for name, path in addresses.items()}
            taken[PEER] = first_figure(browser, plain, "/", PEER_DRAWN)
            if number:
                for name, seconds in taken.items():
                    samples[name] += [] if seconds is None else [seconds]
    peer = tuple(samples.pop(PEER))
    for name, waited in samples.items():
        if waited:
            yield Row(f"`{name}`, from a fresh server to the first figure", "s", tuple(waited), PEER, peer, BAR)


def first_figure(browser: Browser, root: Path, path: str, drawn: str) -> float | None:
    """Return the seconds from a healthy server to a frame with the first figure of the page at ``path``.

    None if the page is all there and has no figure.
    """
    with cold_tab(browser) as page, fresh_server(root) as url:
        started = perf_counter()
        page.goto(url + path, wait_until="commit")
        page.wait_for_function(f"() => ({drawn})() || (({PRUNED})() && !document.querySelector('{FIGURES}'))")
        page.evaluate(NEXT_FRAME)
        seconds = perf_counter() - started
        if page.locator("[data-testid=stException]").count():
            raise RuntimeError(f"{path} failed")
        return seconds if page.evaluate(drawn) else None


BENCHMARK = Benchmark("start", "How long from a fresh server to the first figure of each page?", measure, "pages")
