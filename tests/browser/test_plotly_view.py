"""The figure component in a real browser: its view outlives every change, and it keeps to itself."""

from __future__ import annotations

import base64
import csv
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.conftest import CLOCK_OF_FRAMES, PATIENCE_MS, at_rest, drag, export, launch, settled
from tests.browser.looks import PHONE, turn

SCATTERGL = pytest.param("scattergl", marks=pytest.mark.slow)
CAPTION = r"toy-run · epoch 0 · <b> · of the toy run · nlpviz [\d.]+, torch [\d.]+"
FIGURE = "document.querySelector('.js-plotly-plot')"
# Axis ranges in two dimensions, the camera in three.
VIEW = f"""() => {{
  const layout = {FIGURE}._fullLayout;
  const eye = layout.scene?._scene?.getCamera().eye ?? {{}};
  return [...(layout.xaxis?.range ?? []), ...(layout.yaxis?.range ?? []), ...Object.values(eye)];
}}"""
# Where on the screen the point p2 lies, which is in the very middle of the data.
MIDDLE = f"""() => {{
  const plot = {FIGURE};
  const {{ xaxis, yaxis, scene }} = plot._fullLayout;
  const {{ left, top }} = plot.getBoundingClientRect();
  if (!scene) return [left + xaxis._offset + xaxis.d2p(0), top + yaxis._offset + yaxis.d2p(0)];
  const {{ model, view, projection }} = scene._scene.glplot.cameraParams;
  const times = (matrix, [x, y, z, w]) => [0, 1, 2, 3].map((row) =>
    matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row] * w);
  const [x, y, , w] = [model, view, projection].reduce((point, matrix) => times(matrix, point), [0, 0, 0, 1]);
  const box = plot.querySelector(".gl-container canvas, #scene canvas, canvas").getBoundingClientRect();
  return [box.left + box.width * (1 + x / w) / 2, box.top + box.height * (1 - y / w) / 2];
}}"""
HEAR = f"() => {FIGURE}.on('plotly_hover', ({{ points }}) => {{ window.hovered = points[0].customdata; }})"
# Where the first point was seen from now on: its mark's place, or what Plotly says of it.
WATCH = f"""() => {{
  const first = () => {FIGURE}.querySelector("path.point")?.getAttribute("transform") ?? {FIGURE}._fullData[0].x[0];
  const watched = window.seen === undefined;
  window.seen = new Set([first()]);
  const watch = () => requestAnimationFrame(watch, window.seen.add(first()));
  if (watched) watch();
}}"""


def drawn(page: Page, times: int = 1) -> int:
    """Wait until the figure was drawn so many times more, and return how often it was."""
    page.wait_for_function(
        "least => Number(document.querySelector('.nlpviz-figure')?.dataset.drawn ?? 0) >= least", arg=times
    )
    settled(page)
    return int(page.locator(".nlpviz-figure").get_attribute("data-drawn") or 0)


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


@pytest.mark.parametrize("kind", ["scatter", SCATTERGL, pytest.param("scatter3d", marks=pytest.mark.slow)])
def test_view_survives_a_change_of_colour_of_epoch_and_of_theme(components: str, page: Page, kind: str) -> None:
    page.goto(f"{components}/?kind={kind}")
    times = drawn(page)
    at_first = page.evaluate(VIEW)
    x, y = page.evaluate(MIDDLE)
    drag(page, *((x - 120 + 10 * step, y - 60 + 4 * step) for step in range(7)))
    moved = at_rest(page, VIEW)
    assert moved != pytest.approx(at_first, abs=0.01)
    for label, option in (("Colour", "orange"), ("Epoch", "1"), ("Colour", "blue")):
        choose(page, label, option)
        times = drawn(page, times + 1)
        assert page.evaluate(VIEW) == pytest.approx(moved, abs=0.02)  # lost, the camera jumps by 0.2
        if option == "orange":
            assert page.evaluate(f"{FIGURE}._fullData[0].marker.color").lower() in ("#d55e00", "rgba(213,94,0,1)")
    assert page.evaluate(f"{FIGURE}._fullData[0].x[0]") == -2.5
    page.emulate_media(color_scheme="dark")
    drawn(page, times + 1)
    color, ink = page.evaluate(f"[{FIGURE}._fullData[0].marker.color, {FIGURE}._fullLayout.font.color]")
    assert color == "rgba(88,166,221,1)"
    assert ink == "rgba(250,250,250,1)"
    assert page.evaluate(VIEW) == pytest.approx(moved, abs=0.02)


@pytest.mark.parametrize("kind", ["scatter", SCATTERGL, pytest.param("scatter3d", marks=pytest.mark.ci)])
def test_click_on_a_point_gives_its_id(components: str, page: Page, kind: str) -> None:
    page.goto(f"{components}/?kind={kind}")
    drawn(page)
    page.evaluate(HEAR)
    x, y = page.evaluate(MIDDLE)
    page.mouse.move(x - 6, y)
    page.mouse.move(x, y, steps=2)
    page.wait_for_function("window.hovered === 'p2'")
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_text("picked: p2")).to_be_visible()
    if kind == "scatter":  # and by keyboard
        page.mouse.move(0, 0)
        settled(page).locator(".nlpviz-plot").focus()
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        expect(page.locator(".js-plotly-plot .hovertext")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_text("picked: p1")).to_be_visible()


@pytest.mark.parametrize("kind", ["scatter", SCATTERGL, pytest.param("panels", marks=pytest.mark.slow)])
def test_points_move_to_their_new_places_or_jump_for_whoever_wants_no_motion(
    components: str, page: Page, kind: str
) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{components}/?kind={kind}")
    times = drawn(page)
    page.evaluate(CLOCK_OF_FRAMES)
    page.evaluate(WATCH)
    choose(page, "Epoch", "1")
    times = drawn(page, times + 1)
    assert page.evaluate("window.seen.size") > 10  # where it was, where it is, and between
    assert page.evaluate(f"{FIGURE}._fullData[0].x[0]") == -2.5
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(WATCH)
    choose(page, "Epoch", "0")
    drawn(page, times + 1)
    assert page.evaluate("window.seen.size") == 2


@pytest.mark.ci
def test_identical_figure_is_not_sent_again_but_drawn_after_a_visit_elsewhere(components: str, page: Page) -> None:
    figures: list[bool] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: figures.append(b"Five points" in bytes(frame))),
    )
    page.goto(components)
    times = drawn(page)
    assert any(figures)
    figures.clear()
    choose(page, "Nothing", "b")
    expect(page.get_by_text("nothing: b")).to_be_visible()
    settled(page)
    assert figures
    assert not any(figures)
    assert drawn(page) == times
    page.get_by_role("link", name="Figure").click()
    page.wait_for_url("**/Figure")
    drawn(page)
    page.get_by_role("link", name="Overview").click()
    page.wait_for_url(components + "/")
    drawn(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)


@pytest.mark.ci
def test_what_is_taken_away_says_where_it_comes_from(
    components: str, page: Page, chromium: Browser, tmp_path: Path
) -> None:
    page.goto(components)
    drawn(page)
    for scheme, ground in (("dark", [14, 17, 23]), ("light", [255, 255, 255])):
        turn(page, scheme)
        assert corner(page, taken(page, "png", tmp_path)) == [*ground, 255]
        picture = taken(page, "svg", tmp_path).read_text(encoding="utf-8")
        assert f"rgb({', '.join(map(str, ground))})" in picture
    assert "<b>" not in picture
    numbers, alone = (taken(page, ending, tmp_path) for ending in ("csv", "html"))
    for text in (picture, *(file.read_text(encoding="utf-8") for file in (numbers, alone))):
        assert re.search(CAPTION, unescape(text))
    question = page.locator("h1").inner_text()
    assert_exact(numbers)
    assert_alone(picture, alone.read_text(encoding="utf-8"), question)
    assert_draws_by_itself(chromium, alone)


def assert_exact(numbers: Path) -> None:
    """Fail unless the file has all numbers in full, and texts as they were."""
    lines = numbers.read_text(encoding="utf-8").splitlines()
    assert [line.startswith("# ") for line in lines] == [True, True, *[False] * 6]
    rows = list(csv.reader(lines[2:]))
    assert rows[0] == ["point, its name", "x", "count", "note"]
    assert rows[1] == ["p0", "-0.2", "0", '<i>"quoted"</i>, with comma']
    assert [row[3] for row in rows[2:]] == ["", "", "", "#"]


def assert_alone(picture: str, alone: str, question: str) -> None:
    """Fail unless picture and page carry their title and the page's font, and ask nobody for it."""
    assert question in unescape(re.sub(r"</text><text[^>]*>", " ", picture))
    assert '@font-face{font-family:"Source Sans"' in picture
    assert "data:font/woff2;base64,d09GMg" in picture  # wOF2
    assert "http" not in re.sub(r"http://www\.w3\.org/[\w/]+", "", picture)
    assert f"<h1>{question}</h1>" in alone
    assert "data:font/woff2;base64,d09GMg" in alone


def assert_draws_by_itself(chromium: Browser, file: Path) -> None:
    """Fail unless the file is a figure where there is no network."""
    context = chromium.new_context(offline=True)  # not `page`: a file is no request to this server
    alone, asked = context.new_page(), list[str]()
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expect(alone.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(alone.get_by_role("figure", name="Five points <b>round</b> the middle")).to_be_visible()
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    context.close()


def taken(page: Page, ending: str, folder: Path) -> Path:
    """Press the button of a download, and return the file."""
    with page.expect_download() as download:
        export(page, ending.upper())
    assert download.value.suggested_filename == f"toy-run-epoch.{ending}"
    file = folder / f"taken.{ending}"
    download.value.save_as(file)
    return file


def corner(page: Page, picture: Path) -> list[int]:
    """Return red, green, blue and opacity of the pixel in the corner of a PNG."""
    address = "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode()
    return page.evaluate(  # type: ignore[no-any-return]
        """async address => {
          const picture = new Image();
          picture.src = address;
          await picture.decode();
          const canvas = document.createElement("canvas");
          Object.assign(canvas, {width: picture.width, height: picture.height});
          const pencil = canvas.getContext("2d");
          pencil.drawImage(picture, 0, 0);
          return [...pencil.getImageData(2, 2, 1, 1).data];
        }""",
        address,
    )


@pytest.mark.ci
def test_menu_of_the_figure(components: str, page: Page) -> None:
    """Its words are no markup; it has a table and a link, and offers no way to send it elsewhere."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{components}/?kind=scattergl")
    drawn(page)
    expect(page.get_by_role("figure", name="Five points <b>round</b> the middle")).to_be_visible()
    expect(page.locator(".nlpviz-caption")).to_have_text(re.compile(CAPTION))
    page.hover(".js-plotly-plot")
    titles = page.locator(".modebar-btn").evaluate_all("buttons => buttons.map(button => button.dataset.title)")
    assert titles == ["Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"]
    export(page, "Table")
    table = page.get_by_role("region", name="The figure as a table")
    expect(table.locator("caption")).to_have_text("5 rows.")
    cells = ["p0", "-0.2", "0", '<i>"quoted"</i>, with comma']
    expect(table.locator("tbody tr").first.locator("td")).to_have_text(cells)
    for width, scheme in ((1280, "light"), (1280, "dark"), (PHONE[0], "dark"), (PHONE[0], "light")):
        page.set_viewport_size({"width": width, "height": 860})
        turn(page, scheme)
        assert_fits_with_its_table(page)
    export(page, "Table")
    expect(table).to_be_hidden()
    export(page, "Link")
    expect(page.get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{components}/?kind=scattergl"
    assert_terms_lead_to_the_glossary(page)
    assert page.url == f"{components}/?kind=scattergl"  # who listened leads there


def assert_fits_with_its_table(page: Page) -> None:
    """Fail unless the figure is as wide as its place, and axe finds no fault with it."""
    main = page.get_by_test_id("stMain")
    page.wait_for_function(
        "width => document.querySelector('.js-plotly-plot').getBoundingClientRect().width <= width",
        arg=page.viewport_size["width"],
    )
    assert main.evaluate("part => part.scrollWidth - part.clientWidth") <= 0
    box = page.locator(".js-plotly-plot").bounding_box()
    assert box is not None
    assert box["height"] == 420
    result = Axe().run(page, options={"resultTypes": ["violations"]})
    assert result.violations_count == 0, result.generate_report()


def assert_terms_lead_to_the_glossary(page: Page) -> None:
    """Fail unless the words of the caption that the glossary knows lead there."""
    terms = page.locator(".nlpviz-caption a")
    expect(terms).to_have_text(["epoch", "toy run"])  # not "toy-run", which is a name; the longest term that fits
    assert [term.get_attribute("href") for term in terms.all()] == ["Glossary?term=epoch", "Glossary?term=toy-run"]
    page.evaluate("""() => addEventListener("nlpviz:go", ({ detail }) => {
      window.went = { page: detail.page, query: detail.query };
      detail.handled = true;
    })""")
    page.locator(".nlpviz-corner-open").click()
    terms.first.click()
    assert page.evaluate("window.went") == {"page": "Glossary", "query": {"term": "epoch"}}


@pytest.mark.ci
def test_a_link_says_that_a_typed_text_is_not_in_it_and_can_include_it(components: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    typed = "naïve 🙂 <b>?>"
    page.goto(f"{components}/?private={quote(typed)}")
    drawn(page)
    export(page, "Link")
    expect(page.get_by_text("Your typed text is not in this link.")).to_be_visible()
    assert "#" not in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="Include your text").click()
    expect(page.get_by_text("Link with your text copied")).to_be_visible()
    fragment = page.evaluate("navigator.clipboard.readText()").partition("#text=")[2]
    assert base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)).decode() == typed


@pytest.mark.ci
def test_missing_library_is_said_in_a_sentence(components: str, chromium: Browser) -> None:
    context = chromium.new_context()  # not `page`: the request that fails here is an error in the console
    page = context.new_page()
    page.route("**/plotly.min.js", lambda route: route.abort())
    page.goto(components)
    expect(page.get_by_role("alert").filter(has_text="could not be loaded")).to_be_visible()
    context.close()


@pytest.mark.ci
def test_without_webgl_a_flat_figure_is_drawn_all_the_same(components: str, playwright: Playwright) -> None:
    browser = playwright.chromium.launch(**launch("--disable-3d-apis"))
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{components}/?kind=scattergl")
    drawn(page)
    assert not page.evaluate("Boolean(document.createElement('canvas').getContext('webgl'))")
    expect(page.locator(".js-plotly-plot .point")).not_to_have_count(0)
    browser.close()
