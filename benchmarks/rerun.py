"""How long does a warm page take to answer a changed control?

Measured twice. On the server, the page's script runs again, without a browser. In Chromium, the time is taken from the
key or the click to the last change that can be seen, when every text and figure shows the new state. A page with a
slider gets a press of an arrow key, one with pills a click on the last, there and back again, one with a switch a click
on what is not chosen; a page with none of them runs again as it is, at the press of ``r``. The server and the browser
share the processor, and the animation of points is off, as for a person who wants no motion.

The bar is the server's: what the browser adds, without a graphics card above all, is Streamlit's and Plotly's own, as
the bare page shows.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page
from streamlit.testing.v1 import AppTest

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, PLAIN, chromium, cold_tab, fresh_server, page_files, plain_app, views
from benchmarks.clock import alternate, in_ms
from tests.browser.conftest import address, settled

RERUNS, WARM_UP = 40, 4
BAR, DRAWN = 300.0, 500.0  # milliseconds: of the server, and until it is drawn
PERCENTILE = 95

# Notes when a person acts, when anything to be seen changes afterwards, and when the script has run.
WATCH = """() => {
  window.watch = { acted: 0, changed: 0, ran: 0, running: false };
  const app = document.querySelector(".stApp");
  const act = () => { if (!watch.acted) watch.acted = performance.now(); };
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, act, true);
  new MutationObserver((changes) => {
    const now = performance.now();
    if (changes.some((change) => change.attributeName !== "data-test-script-state")) watch.changed = now;
    const running = app.dataset.testScriptState !== "notRunning";
    if (watch.running && !running) watch.ran = now;
    watch.running = running;
  }).observe(app, {
    subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ["data-drawn", "data-test-script-state"],
  });
}"""
FORGET = "() => Object.assign(watch, { acted: 0, changed: 0, ran: 0 })"
QUIET = "() => watch.ran && !watch.running && performance.now() - Math.max(watch.changed, watch.ran) > 300"
# A page that runs again as it was shows no change: then it is the end of the script.
TAKEN = "() => (watch.changed > watch.acted + 20 ? watch.changed : watch.ran) - watch.acted"


def measure() -> Iterator[Row]:
    """Yield the 95th percentile of each page's reruns beside the bare page's, on the server and in the browser."""
    for file in page_files():
        ours, theirs = opened(ROOT / "app.py", file), opened(PLAIN)
        taken, by_peer = alternate(RERUNS, ours.run, theirs.run)
        yield Row(f"`{file.stem}`, rerun on the server", "ms", in_ms(taken), PEER, in_ms(by_peer), BAR, PERCENTILE)
    with chromium() as browser, plain_app() as plain:
        with fresh_server(plain) as url, cold_tab(browser) as page:
            drawn_by_peer = reruns(page, url)
        with fresh_server(ROOT) as url, cold_tab(browser) as page:
            for name, file, view in views():
                drawn = reruns(page, url + address(file, view))
                yield Row(f"`{name}`, rerun in Chromium, drawn", "ms", drawn, PEER, drawn_by_peer, DRAWN, PERCENTILE)


def opened(app: Path, page: Path | None = None) -> AppTest:
    """Return ``app``, or the ``page`` of it, as it is after a first run without a browser."""
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True  # it is meant
    test = AppTest.from_file(app, default_timeout=60).run()
    if page is not None and page != app:
        test.switch_page(f"pages/{page.name}").run()
    if test.exception:
        raise RuntimeError(f"{page or app} failed: {test.exception[0].message}")
    return test


def reruns(page: Page, url: str) -> tuple[float, ...]:
    """Return the milliseconds of each counted rerun of the page at ``url``."""
    page.goto(url)
    settled(page)
    page.evaluate(WATCH)
    taken = []
    for number in range(WARM_UP + RERUNS):
        page.evaluate(FORGET)
        change(page, number)
        page.wait_for_function(QUIET)
        taken.append(float(page.evaluate(TAKEN)))
    return tuple(taken[WARM_UP:])


def change(page: Page, number: int) -> None:
    """Change the page's first slider, its last pill or its switch, and back again; else run the page again."""
    slider = page.locator("[data-testid=stSlider] input")
    pills = page.locator("[data-testid^=stBaseButton-pills]")
    not_chosen = page.get_by_test_id("stBaseButton-segmented_control")
    if slider.count():
        slider.first.press("ArrowRight" if number % 2 else "ArrowLeft")
    elif pills.count():
        pills.last.click()
    elif not_chosen.count():
        not_chosen.first.click()
    else:
        page.keyboard.press("r")


BENCHMARK = Benchmark("rerun", "How long does a warm page take to answer a changed control?", measure, "pages")
