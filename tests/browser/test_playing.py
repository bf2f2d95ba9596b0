"""Figures that play their epochs in the browser: order, stop, keyboard, no motion, and what the page hears of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import serving, settled
from tests.browser.test_completion import LONGEST, LONGEST_MS, TRIES, WATCH

FIGURE = "document.querySelector('.js-plotly-plot')"
KINDS = ("scatter", "scattergl", "scatter3d")
# What the slider has said, in its order, and whether a point was seen between two epochs.
RECORD = f"""() => {{
  window.labels = [];
  window.places = new Set();
  const said = document.querySelector(".nlpviz-player output");
  new MutationObserver(() => {{
    if (window.labels.at(-1) !== said.textContent) window.labels.push(said.textContent);
  }}).observe(said, {{ childList: true, characterData: true, subtree: true }});
  const watch = () => {{
    const mark = {FIGURE}.querySelector("path.point");
    window.places.add(mark ? mark.getAttribute("transform") : {FIGURE}._fullData?.[0]?.x?.[0]);
    requestAnimationFrame(watch);
  }};
  watch();
}}"""
BUILD_ANEW = f"""() => {{
  const {{ _fullLayout: layout, _fullData: traces }} = {FIGURE};
  const scene = layout.scene._scene;
  for (const trace of traces) scene.traces[trace.uid].update(trace);
  scene.glplot.redraw();
}}"""
RIGHTMOST = f"() => Math.max(...{FIGURE}._fullData[0].x)"
EYE = f"() => Object.values({FIGURE}._fullLayout.scene._scene.getCamera().eye)"


@pytest.fixture(scope="module")
def app(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that runs a page of figures that play, with the app's configuration and package."""
    root, here = tmp_path_factory.mktemp("playing"), Path(__file__).parent
    shutil.copy(here / "apps" / "playing_app.py", root / "app.py")
    shutil.copytree(pytestconfig.rootpath / ".streamlit", root / ".streamlit")
    (root / "nlpviz").symlink_to(pytestconfig.rootpath / "nlpviz", target_is_directory=True)
    with serving(root, root / "log.txt") as url:
        yield url


def opened(page: Page, url: str, *, motion: bool = True) -> Locator:
    """Return the button that plays, of a page that is drawn."""
    page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
    page.goto(url)
    settled(page)
    return page.locator(".nlpviz-player button").first


@pytest.mark.parametrize("kind", KINDS)
def test_all_epochs_pass_in_their_order(app: str, page: Page, kind: str) -> None:
    play = opened(page, f"{app}/?kind={kind}")
    page.evaluate(RECORD)
    play.click()
    expect(play).to_have_text("Stop")
    expect(play).to_have_text("Play training")
    settled(page)
    assert page.evaluate("window.labels") == [f"Epoch {epoch}" for epoch in range(4)]
    assert page.evaluate("window.places.size") > 8  # four places, and between them
    assert page.evaluate(RIGHTMOST) == pytest.approx(4, abs=1e-3)
    expect(page.get_by_role("figure", name="A circle at epoch 3")).to_be_visible()


def test_stop_leaves_the_map_where_it_is_and_the_page_follows(app: str, page: Page) -> None:
    play = opened(page, app)
    play.click()
    expect(page.locator(".nlpviz-player output")).to_have_text("Epoch 1")
    play.click()
    expect(page.get_by_text("epoch on the page: 1")).to_be_visible()
    settled(page)
    expect(play).to_have_text("Play training")
    expect(page.get_by_role("slider", name="Epoch")).to_have_value("1")
    expect(page.locator(".nlpviz-caption")).to_contain_text("toy-run · epoch 1")
    assert page.evaluate(RIGHTMOST) == pytest.approx(2, abs=1e-3)


def test_the_scrubber_is_moved_by_keyboard(app: str, page: Page) -> None:
    opened(page, app)
    slider = page.get_by_role("slider", name="Epoch")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "Epoch 0")
    expect(page.get_by_text("epoch on the page: 0")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("epoch on the page: 1")).to_be_visible()
    settled(page)
    expect(page.locator(".annotation-text").first).to_have_text("Epoch 1")


def test_points_jump_for_whoever_wants_no_motion(app: str, page: Page) -> None:
    play = opened(page, app, motion=False)
    page.evaluate(RECORD)
    play.click()
    expect(play).to_have_text("Stop")
    expect(play).to_have_text("Play training")
    settled(page)
    assert page.evaluate("window.labels") == [f"Epoch {epoch}" for epoch in range(4)]
    assert page.evaluate("window.places.size") == 4


def test_another_colour_while_it_plays_does_not_stop_it(app: str, page: Page) -> None:
    play = opened(page, app)
    page.evaluate(RECORD)
    play.click()
    page.get_by_role("combobox", name="Colour").click()
    page.get_by_role("option", name="orange", exact=True).click()
    expect(play).to_have_text("Play training")
    settled(page)
    assert page.evaluate("window.labels") == [f"Epoch {epoch}" for epoch in range(4)]
    assert page.evaluate(f"{FIGURE}._fullData[0].marker.color") == "#D55E00"


def test_camera_turned_while_it_plays_stays(app: str, page: Page) -> None:
    play = opened(page, f"{app}/?kind=scatter3d")
    before = page.evaluate(EYE)
    play.click()
    expect(page.locator(".nlpviz-player output")).to_have_text("Epoch 1")
    box = page.locator(".js-plotly-plot").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(10):  # as slowly as a hand
        page.mouse.move(x + 9 * step, y + 3 * step)
        page.wait_for_timeout(50)
    page.mouse.up()
    expect(play).to_have_text("Play training")
    settled(page)
    after = page.evaluate(EYE)
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) > 0.1


@pytest.mark.parametrize(
    "kind", ["scatter", "scattergl"]
)  # in space a frame takes longer to draw without a graphics card
def test_two_thousand_points_play_without_blocking_the_tab(app: str, page: Page, kind: str) -> None:
    play = opened(page, f"{app}/?points=2000&kind={kind}")
    times: list[float] = []
    while len(times) < TRIES and min(times, default=LONGEST_MS) >= LONGEST_MS:
        page.evaluate(WATCH)
        play.click()
        expect(play).to_have_text("Stop")
        expect(play).to_have_text("Play training")
        times.append(page.evaluate(LONGEST))
    assert min(times) < LONGEST_MS, times


def test_a_cloud_that_was_moved_is_as_one_that_is_built_anew(app: str, page: Page) -> None:
    play = opened(page, f"{app}/?kind=scatter3d")
    figure = page.locator(".js-plotly-plot")
    before = figure.screenshot()
    play.click()
    expect(page.locator(".nlpviz-player output")).to_have_text("Epoch 2")
    page.locator(".nlpviz-player button").first.click()
    settled(page)
    page.mouse.move(0, 0)
    moved = figure.screenshot()
    page.evaluate(BUILD_ANEW)
    page.wait_for_timeout(300)
    assert moved == figure.screenshot() != before
