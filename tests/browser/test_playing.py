"""Figures that play their epochs in the browser: order, stop, keyboard, no motion, and what the page hears of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import CLOCK_OF_FRAMES, FRAME, at_rest, settled

FIGURE = "document.querySelector('.js-plotly-plot')"
KINDS = [
    "scatter",
    pytest.param("scattergl", marks=pytest.mark.slow),
    pytest.param("scatter3d", marks=pytest.mark.slow),
]
STANDING = "pace=600000"
"""In the address: the epoch after the first one comes in ten minutes, or where somebody asks for it."""
# What the slider has said, in its order, how many places a point was seen at, and how many marks came or went.
RECORD = f"""() => {{
  window.labels = [];
  window.places = new Set();
  window.rebuilt = 0;
  const said = document.querySelector(".nlpviz-player output");
  new MutationObserver(() => {{
    if (window.labels.at(-1) !== said.textContent) window.labels.push(said.textContent);
  }}).observe(said, {{ childList: true, characterData: true, subtree: true }});
  new MutationObserver((all) => {{
    for (const {{ addedNodes, removedNodes }} of all) window.rebuilt += addedNodes.length + removedNodes.length;
  }}).observe({FIGURE}.querySelector(".scatterlayer") ?? {FIGURE}, {{ childList: true, subtree: true }});
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


def opened(page: Page, url: str, *, motion: bool = True) -> Locator:
    """Return the button that plays, of a page that is drawn."""
    page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
    page.goto(url)
    settled(page)
    page.evaluate(CLOCK_OF_FRAMES)
    return page.locator(".nlpviz-player button").first


def played(page: Page, play: Locator) -> None:
    """Play all epochs."""
    page.evaluate(RECORD)
    play.click()
    page.wait_for_function("() => window.labels.at(-1) === 'Epoch 3'")
    expect(play).to_have_text("Play training")
    settled(page)
    assert page.evaluate("window.labels") == [f"Epoch {epoch}" for epoch in range(4)]


@pytest.mark.parametrize("kind", KINDS)
def test_all_epochs_pass_in_their_order(components: str, page: Page, kind: str) -> None:
    play = opened(page, f"{components}/Playing?kind={kind}")
    played(page, play)
    assert page.evaluate("window.places.size") > 40  # four places, and between them
    assert page.evaluate(RIGHTMOST) == pytest.approx(4, abs=1e-3)
    expect(page.get_by_role("figure", name="A circle at epoch 3")).to_be_visible()
    if kind == "scatter":
        page.emulate_media(reduced_motion="reduce")
        played(page, play)
        assert page.evaluate("window.places.size") == 4


@pytest.mark.slow
def test_the_marks_of_two_thousand_points_are_moved_and_not_built_anew(components: str, page: Page) -> None:
    """To build them takes Plotly 0.4 s, in which the tab would hear nothing."""
    played(page, opened(page, f"{components}/Playing?points=2000", motion=False))
    assert page.evaluate("window.rebuilt") == 0


@pytest.mark.ci
@pytest.mark.parametrize("late", [0, 1])
def test_stop_leaves_the_map_where_it_is_and_the_page_follows(components: str, page: Page, late: int) -> None:
    play = opened(page, f"{components}/Playing?{STANDING}&late={late}")
    slider = page.get_by_role("slider", name="Epoch")
    play.click()
    expect(page.locator(".nlpviz-player output")).to_have_text("Epoch 0")
    page.get_by_role("combobox", name="Colour").click()
    page.get_by_role("option", name="orange", exact=True).click()
    page.wait_for_function(f"() => {FIGURE}._fullData[0].marker.color === '#D55E00'")
    settled(page)
    # another control ends it, for what it leads to starts from the frame that is seen now
    expect(page.get_by_text("epoch on the page: 0")).to_be_visible()
    expect(play).to_have_text("Play training")
    play.click()  # goes on from there
    expect(page.locator(".nlpviz-player output")).to_have_text("Epoch 1")
    expect(play).to_have_text("Stop")
    play.click()
    expect(page.get_by_text("epoch on the page: 1")).to_be_visible()
    settled(page)
    expect(play).to_have_text("Play training")
    expect(slider).to_have_value("1")
    expect(page.locator(".nlpviz-caption")).to_contain_text("toy-run · epoch 1")
    assert page.evaluate(RIGHTMOST) == pytest.approx(2, abs=1e-3)
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "Epoch 3")
    expect(page.get_by_text("epoch on the page: 3")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("epoch on the page: 0")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("epoch on the page: 1")).to_be_visible()
    settled(page)
    expect(page.locator(".annotation-text").first).to_have_text("Epoch 1")


@pytest.mark.ci
def test_a_camera_turned_meanwhile_stays_and_the_cloud_is_as_one_built_anew(components: str, page: Page) -> None:
    opened(page, f"{components}/Playing?kind=scatter3d")
    figure = page.locator(".js-plotly-plot")
    before, standing = page.evaluate(EYE), still(figure)
    box = figure.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.get_by_role("slider", name="Epoch").focus()
    for step in range(12):
        page.mouse.move(x + 9 * step, y + 3 * step)
        page.evaluate(FRAME)
        if step == 4:
            page.keyboard.press("ArrowLeft")  # the points move while the camera is turned
    page.mouse.up()
    expect(page.get_by_text("epoch on the page: 2")).to_be_visible()
    settled(page)
    after = at_rest(page, EYE)
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) > 0.1
    page.mouse.move(0, 0)
    moved = still(figure)
    page.evaluate(BUILD_ANEW)
    page.evaluate(FRAME)
    assert moved == still(figure) != standing


def still(figure: Locator) -> bytes:
    """Return a picture of the figure once nothing moves in it: buttons fade out where the mouse has left it."""
    pictures = [figure.screenshot(), figure.screenshot()]
    while pictures[-1] != pictures[-2]:
        pictures.append(figure.screenshot())
    return pictures[-1]
