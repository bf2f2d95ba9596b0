"""How long from a move of the time machine's slider until every panel shows the epoch?

Measured in Chromium on the page of the default run, from the key that moves the slider to the paint after which the
last panel shows that epoch: the cursor of the losses, the words, the regions and the map of 2,000 documents. Beside it
the map alone, which Explore plays. Motion is off, as for a person who wants none.
"""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import chromium, cold_tab, fresh_server
from tests.browser.conftest import settled

ROUNDS, WARM_UP = 40, 4
BAR = 150  # ms, at the 95th percentile

# A key moves the slider; then each frame asks whether all panels are there. A map says its epoch in its heading.
WATCH = """() => {
  const slider = document.querySelector(".nlpviz-player input");
  const there = (epoch) =>
    [...document.querySelectorAll("[data-moment]:not([hidden])")].every((one) => one.dataset.moment === epoch)
    && [...document.querySelectorAll(".nlpviz-plot")].every((plot) => {
      const { shapes, annotations } = plot._fullLayout;
      const [cursor] = shapes.filter(({ yref }) => yref === "paper");
      const words = annotations.map(({ text }) => text.replaceAll(/<[^>]*>/g, ""));
      const said = words.filter((one) => one.startsWith("Epoch"));
      return cursor ? String(cursor.x0) === epoch : !said.length || said.at(-1).startsWith(`Epoch ${epoch}`);
    });
  window.move = (epoch) => new Promise((resolve) => {
    const acted = performance.now();
    slider.value = epoch;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const look = () => requestAnimationFrame(() => (there(epoch) ? resolve(performance.now() - acted) : look()));
    look();
  });
}"""


def measure() -> Iterator[Row]:
    """Yield the milliseconds from a move to the last panel, beside those to one map alone."""
    taken = []
    with chromium() as browser, fresh_server(ROOT) as url:
        for address in ("One_review?view=time-machine", "Explore?map=pca"):
            with cold_tab(browser) as page:
                taken.append(_moves(page, f"{url}/{address}"))
    yield Row("slider move until all panels are repainted", "ms", taken[0], "a single map", taken[1], BAR, 95)


def _moves(page: Page, url: str) -> tuple[float, ...]:
    """Return the milliseconds from each move of the first slider on a page until all shows its epoch."""
    page.goto(url)
    settled(page)
    page.wait_for_timeout(1500)
    page.evaluate(WATCH)
    last = int(page.locator(".nlpviz-player input").first.get_attribute("max") or 0)
    taken = []
    for number in range(WARM_UP + ROUNDS):
        taken.append(float(page.evaluate("(epoch) => move(epoch)", str(last - 1 - number % last))))
        page.wait_for_timeout(200)
    return tuple(taken[WARM_UP:])


BENCHMARK = Benchmark(
    "scrubbing", "How long until every panel shows the epoch after a slider move?", measure, "attribution"
)
