"""How long does a warm page take to respond to a changed control?

Measured twice, on every view. On the server, its script runs again, without a browser. In Chromium, another
epoch, model and text are chosen where its bar has them, and the time is taken from the click or the key to the last
change that can be seen, when every text and figure shows the new state. Models take turns, two of them; a text is one
that nobody has typed before. A view with none of the three runs again as it is, at the press of ``r``. Where a view
goes on to ask all other models, the bar is for the figure that answers, and a row of its own says when all are there.
The server and the browser share the processor, and the animation of points is off, as for a person who wants no motion.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Error, Page
from streamlit.testing.v1 import AppTest

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, PLAIN, chromium, cold_tab, fresh_server, plain_app, views
from benchmarks.clock import alternate, in_ms
from tests.browser.conftest import PATIENCE_MS, address, settled, view_name

RERUNS, WARM_UP = 10, 2
TRIES = 3  # a click on what is just being drawn anew reaches nobody
BAR, DRAWN = 300.0, 500.0  # milliseconds: of the server, and until it is drawn
PERCENTILE = 95

# Notes when a person acts, when anything to be seen changes afterwards, and when the script has run.
WATCH = """() => {
  window.watch = { acted: 0, answered: 0, changed: 0, ran: 0, running: false };
  const app = document.querySelector(".stApp");
  const act = () => { if (!watch.acted) watch.acted = performance.now(); };
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, act, true);
  const seen = ({ target }) => !(target.closest ? target : target.parentElement)?.closest("canvas");
  new MutationObserver((every) => {
    const now = performance.now(), changes = every.filter(seen);  // within a canvas stands what is only read aloud
    if (changes.some((change) => change.attributeName !== "data-test-script-state")) watch.changed = now;
    const answer = document.querySelector(".nlpviz-figure");
    const drawn = ({ attributeName, target }) => attributeName === "data-drawn" && target === answer;
    if (!watch.answered && changes.some(drawn)) watch.answered = now;
    const running = app.dataset.testScriptState !== "notRunning";
    if (watch.running && !running) watch.ran = now;
    watch.running = running;
  }).observe(app, {
    subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ["data-drawn", "data-test-script-state"],
  });
}"""
FORGET = "() => Object.assign(watch, { acted: 0, answered: 0, changed: 0, ran: 0 })"
# A run that begins and ends between two frames never shows: then nothing may change for longer, to be sure of the end.
QUIET = """() => {
  const answered = watch.ran || (watch.acted && watch.changed > watch.acted + 20), still = watch.ran ? 300 : 2000;
  return answered && !watch.running && performance.now() - Math.max(watch.changed, watch.ran) > still;
}"""
# A page that runs again as it was shows no change: then it is the end of the script.
TAKEN = "() => (watch.changed > watch.acted + 20 ? watch.changed : watch.ran) - watch.acted"
ANSWERED = "() => watch.answered - watch.acted"
OTHERS = ".st-key-nlpviz_beside"  # what all other models make of it comes after the answer


def measure() -> Iterator[Row]:
    """Yield the 95th percentile of each view's reruns beside the bare page's, on the server and in the browser."""
    for name, file, view in views():
        ours, theirs = opened(ROOT / "app.py", file, view), opened(PLAIN)
        taken, by_peer = alternate(RERUNS, ours.run, theirs.run)
        yield Row(f"`{name}`, rerun on the server", "ms", in_ms(taken), PEER, in_ms(by_peer), BAR, PERCENTILE)
    with chromium() as browser, plain_app() as plain:
        with fresh_server(plain) as url, cold_tab(browser) as page:
            drawn_by_peer = reruns(page, url, RERUN)
        with fresh_server(ROOT) as url:
            for name, file, view in views():
                with cold_tab(browser) as page:
                    for what, drawn, bar in drawn_on(page, url + address(file, view)):
                        yield Row(f"`{name}`, {what}", "ms", drawn, PEER, drawn_by_peer, bar, PERCENTILE)


def drawn_on(page: Page, url: str) -> Iterator[tuple[str, tuple[float, ...], float | None]]:
    """Yield what is changed on the view at ``url``, in how many milliseconds it was drawn, and how many may be."""
    page.goto(url)
    settled(page)
    for change in [one for one in CHANGES if one.is_on(page)] or [RERUN]:
        drawn = reruns(page, url, change)
        if page.locator(OTHERS).count():
            yield f"{change.name}, and the other models'", drawn, None
            drawn = reruns(page, url, change, ANSWERED)
        yield f"{change.name}, drawn", drawn, DRAWN


def opened(app: Path, page: Path | None = None, view: Path | None = None) -> AppTest:
    """Return ``app``, or a page of it with one of its views, as it is after a first run without a browser."""
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True  # it is meant
    test = AppTest.from_file(app, default_timeout=60).run()
    if page is not None and page != app:
        test.switch_page(f"pages/{page.name}")
        if view is not None:
            test.query_params["view"] = view_name(view)
        test.run()
    if test.exception:
        raise RuntimeError(f"{page or app} failed: {test.exception[0].message}")
    return test


def reruns(page: Page, url: str, change: Change, taken_by: str = TAKEN) -> tuple[float, ...]:
    """Return the milliseconds of each counted ``change`` of the page at ``url``, as ``taken_by`` reckons them."""
    watched(page, url)
    taken = []
    for number in range(WARM_UP + RERUNS):
        for tries in reversed(range(TRIES)):
            page.evaluate(FORGET)
            change.make(page, number)
            try:
                page.wait_for_function(QUIET, timeout=PATIENCE_MS / 4)
                break
            except Error:
                if not tries:
                    raise
                watched(page, url)
        taken.append(float(page.evaluate(taken_by)))
    return tuple(taken[WARM_UP:])


def watched(page: Page, url: str) -> None:
    """Open ``url``, and watch what changes there."""
    page.goto(url)
    settled(page)
    page.evaluate(WATCH)


def again(page: Page, _number: int) -> None:
    """Run the page again as it is."""
    page.keyboard.press("r")


def another_epoch(page: Page, _number: int) -> None:
    """Choose another epoch; where several may stand side by side, one more or less."""
    pills = page.locator(EPOCHS)
    first = pills.first
    one_of_them, chosen = first.get_attribute("role") == "radio", first.get_attribute("aria-checked") == "true"
    pills.nth(0 if one_of_them and not chosen else 1).click()


def another_model(page: Page, _number: int) -> None:
    """Choose the second model of the list, and the first."""
    page.locator(MODELS).click()
    other = page.get_by_role("option", selected=False).first
    other.hover()
    page.evaluate(FORGET)
    other.click()


def several_models(page: Page) -> bool:
    """Return whether there is more than one model in the list."""
    page.locator(MODELS).click()
    options = page.get_by_role("option")
    options.first.wait_for()
    several = options.count() > 1
    page.keyboard.press("Escape")
    return several


def another_text(page: Page, number: int) -> None:
    """Type a text that nobody has typed before."""
    opener, box = page.locator(TEXTS), page.locator(".st-key-nlpviz_editor textarea")
    if not box.is_visible():
        opener.click()
    box.fill(f"I have seen {number + 2} films this year, and this one was not bad at all .")
    page.evaluate(FORGET)
    page.keyboard.press("Control+Enter")


class Change(NamedTuple):
    """What a person does in the bar.

    Attributes:
        name: what the table calls it.
        control: a selector of what it needs.
        make: does it, for the so manieth time.
        possible: whether that which is there can be changed.
    """

    name: str
    control: str
    make: Callable[[Page, int], None]
    possible: Callable[[Page], bool] = lambda _page: True

    def is_on(self, page: Page) -> bool:
        """Return whether ``page`` has it, and it can be changed."""
        return page.locator(self.control).count() > 0 and self.possible(page)


EPOCHS = ".st-key-nlpviz_bar .stButtonGroup button:not(.stTooltipIcon *)"
MODELS = ".st-key-nlpviz_bar .st-key-run input"
TEXTS = ".nlpviz-text-chip"
RERUN = Change("run again", "body", again)
CHANGES = (
    Change("another epoch", EPOCHS, another_epoch),
    Change("another model", MODELS, another_model, several_models),
    Change("another text", TEXTS, another_text),
)

BENCHMARK = Benchmark("rerun", "How long does a warm page take to respond to a changed control?", measure, "pages")
