"""How long from a changed colour or epoch to the repainted map, at 2,000 and 25,000 points?

Measured in Chromium from the key that chooses another one to the last change that can be seen, on a bare page of our
component and on the same page with ``st.plotly_chart``. Motion is off, as for a person who wants none.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from playwright.sync_api import Page

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import chromium, cold_tab, fresh_server
from tests.browser.conftest import settled

SIZES = (2_000, 25_000)
ROUNDS, WARM_UP = 15, 2
APP = ROOT / "benchmarks" / "peers" / "many_points.py"

# When another one is chosen, and when the figure is painted anew: ours says so, Plotly's native element tells its own.
WATCH = """() => {
  window.watch = { acted: 0, painted: 0 };
  const plot = document.querySelector(".js-plotly-plot");
  addEventListener("keydown", (event) => { if (event.key === "Enter") watch.acted = performance.now(); }, true);
  const painted = () => { watch.painted = performance.now(); };
  const hear = (plot) => { plot.on("plotly_afterplot", painted); plot.heard = true; };
  hear(plot);
  new MutationObserver(() => {
    const now = document.querySelector(".js-plotly-plot");
    if (now && now.on && !now.heard) { hear(now); painted(); }
  }).observe(document.querySelector(".stApp"), { subtree: true, childList: true });
}"""
QUIET = "() => watch.painted > watch.acted && performance.now() - watch.painted > 700"


def measure() -> Iterator[Row]:
    """Yield the median time of our component beside the native element's, for each number of points."""
    with chromium() as browser, bare_app() as root, fresh_server(root) as url:
        for points in SIZES:
            for control in ("colour", "epoch"):
                taken = {}
                for by in ("own", "native"):
                    with cold_tab(browser) as page:
                        taken[by] = repaints(page, f"{url}/?by={by}&points={points}", control)
                what = f"another {control}, {points:,} points, repainted"
                yield Row(what, "ms", taken["own"], "`st.plotly_chart`", taken["native"])


@contextmanager
def bare_app() -> Iterator[Path]:
    """Lay out the app of the two bare pages under the project's settings, and yield its folder."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, PYTHONPATH=str(ROOT)):
        shutil.copytree(ROOT / ".streamlit", Path(folder) / ".streamlit")
        shutil.copytree(ROOT / "static", Path(folder) / "static")
        shutil.copyfile(APP, Path(folder) / "app.py")
        yield Path(folder)


def repaints(page: Page, url: str, control: str) -> tuple[float, ...]:
    """Return the milliseconds from each choice in ``control`` to the repainted figure."""
    page.goto(url)
    settled(page)
    page.wait_for_selector(".js-plotly-plot .main-svg")
    page.wait_for_timeout(1500)
    page.evaluate(WATCH)
    taken = []
    for number in range(WARM_UP + ROUNDS):
        page.locator("[data-testid=stSelectbox]", has_text=control.capitalize()).locator("input").click()
        page.keyboard.press("ArrowDown" if number % 2 == 0 else "ArrowUp")
        page.keyboard.press("Enter")
        page.wait_for_function(QUIET)
        taken.append(float(page.evaluate("() => watch.painted - watch.acted")))
    return tuple(taken[WARM_UP:])


BENCHMARK = Benchmark(
    "repainting", "How long does the map take to repaint after a change of colour or epoch?", measure, "documents"
)
