"""How long does a visitor wait for the first figure of a server that has just started?

From the moment at which the server says that it is healthy until the first figure of a page is drawn in Chromium,
with an empty browser cache and a server that nobody has visited; the files are in the system's cache after the
first, uncounted round.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as NothingDrawn

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, chromium, cold_tab, fresh_server, page_files, plain_app
from tests.browser.conftest import address

ROUNDS = 5
BAR = 4.0  # seconds
DRAWN = "() => document.querySelector('.nlpviz-figure[data-drawn]')"
PEER_DRAWN = "() => document.querySelector('.js-plotly-plot')?.calcdata?.length"
NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def measure() -> Iterator[Row]:
    """Yield the time of each page beside the bare page's."""
    addresses = {file.stem: address(file) for file in page_files()}
    samples: dict[str, list[float]] = {name: [] for name in addresses}
    peer: list[float] = []
    with chromium() as browser, plain_app() as plain:
        for number in range(ROUNDS + 1):
            taken = {name: first_figure(browser, ROOT, path, DRAWN) for name, path in addresses.items()}
            taken_by_peer = first_figure(browser, plain, "/", PEER_DRAWN)
            if number:
                peer.append(taken_by_peer)
                for name, seconds in taken.items():
                    samples[name].append(seconds)
    for name, waited in samples.items():
        yield Row(f"`{name}`, from a fresh server to the first figure", "s", tuple(waited), PEER, tuple(peer), BAR)


def first_figure(browser: Browser, root: Path, path: str, drawn: str) -> float:
    """Return the seconds from a healthy server to a frame with the first figure of the page at ``path``."""
    with cold_tab(browser) as page, fresh_server(root) as url:
        started = perf_counter()
        page.goto(url + path, wait_until="commit")
        try:
            page.wait_for_function(drawn)
        except NothingDrawn:
            raise RuntimeError(f"{path} has drawn no figure within a minute") from None
        page.evaluate(NEXT_FRAME)
        return perf_counter() - started


BENCHMARK = Benchmark("start", "How long from a fresh server to the first figure of each page?", measure)
