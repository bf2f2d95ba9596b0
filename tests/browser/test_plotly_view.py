"""The figure component in a real browser: its view outlives every change, and it keeps to itself."""

from __future__ import annotations

import base64
import csv
import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.conftest import at_rest, launch, serving, settled

KINDS = ("scatter", "scattergl", "scatter3d")
CAPTION = r"toy-run · epoch 0 · <b> · of the toy run · nlpviz [\d.]+, torch [\d.]+"
FIGURE = "document.querySelector('.js-plotly-plot')"
# Axis ranges in two dimensions, the camera in three.
VIEW = f"""() => {{
  const layout = {FIGURE}._fullLayout;
  const eye = layout.scene?._scene?.getCamera().eye ?? {{}};
  return [...(layout.xaxis?.range ?? []), ...(layout.yaxis?.range ?? []), ...Object.values(eye)];
}}"""


@pytest.fixture(scope="module")
def app(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that runs the component's own page, with the app's configuration and package."""
    root, here = tmp_path_factory.mktemp("plotly_view"), Path(__file__).parent
    (root / "pages").mkdir()
    for page in ("app.py", "pages/10_Figure.py"):
        shutil.copy(here / "apps" / "plotly_view_app.py", root / page)
    shutil.copytree(pytestconfig.rootpath / ".streamlit", root / ".streamlit")
    (root / "nlpviz").symlink_to(pytestconfig.rootpath / "nlpviz", target_is_directory=True)
    with serving(root, root / "log.txt") as url:
        yield url


def drawn(page: Page, times: int = 1) -> int:
    """Wait until the figure was drawn so many times more, and return how often it was."""
    page.wait_for_function(
        "least => Number(document.querySelector('.nlpviz-figure')?.dataset.drawn ?? 0) >= least",
        arg=times,
        timeout=60_000,
    )
    settled(page)
    return int(page.locator(".nlpviz-figure").get_attribute("data-drawn") or 0)


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def middle(page: Page) -> tuple[float, float]:
    """Return where on the screen the point p2 lies in the views that nobody has changed."""
    box = page.locator(".js-plotly-plot").bounding_box()
    assert box is not None
    size = page.evaluate(f"{FIGURE}._fullLayout._size")
    return box["x"] + size["l"] + size["w"] / 2, box["y"] + size["t"] + size["h"] / 2


def drag(page: Page) -> None:
    x, y = middle(page)
    page.mouse.move(x - 120, y - 60)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=6)
    page.mouse.up()
    page.wait_for_timeout(300)


@pytest.mark.parametrize("kind", KINDS)
def test_view_survives_a_change_of_colour_and_of_epoch(app: str, page: Page, kind: str) -> None:
    page.goto(f"{app}/?kind={kind}")
    times = drawn(page)
    at_first = page.evaluate(VIEW)
    drag(page)
    moved = at_rest(page, VIEW)
    assert moved != pytest.approx(at_first, abs=0.01)
    for label, option in (("Colour", "orange"), ("Epoch", "1")):
        choose(page, label, option)
        times = drawn(page, times + 1)
        assert page.evaluate(VIEW) == pytest.approx(moved, abs=0.02)  # lost, the camera jumps by 0.2
    assert page.evaluate(f"{FIGURE}._fullData[0].marker.color").lower() in ("#d55e00", "rgba(213,94,0,1)")
    assert page.evaluate(f"{FIGURE}._fullData[0].x[0]") == -2.5


@pytest.mark.parametrize("kind", KINDS)
def test_click_on_a_point_gives_its_id(app: str, page: Page, kind: str) -> None:
    page.goto(f"{app}/?kind={kind}")
    drawn(page)
    x, y = middle(page)
    if kind == "scatter3d":  # the camera looks past the middle: find the point under the pointer
        y -= 60
    for step in range(0, 61, 4):
        page.mouse.move(x - 6, y + step)
        page.mouse.move(x, y + step, steps=2)
        page.wait_for_timeout(120)
        if page.locator(".js-plotly-plot .hovertext").count():
            break
    page.wait_for_timeout(250)
    page.mouse.down()
    page.wait_for_timeout(120)
    page.mouse.up()
    expect(page.get_by_text("picked: p2")).to_be_visible()


def test_point_is_reached_by_keyboard(app: str, page: Page) -> None:
    page.goto(app)
    drawn(page)
    page.locator(".nlpviz-plot").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".js-plotly-plot .hovertext")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("picked: p1")).to_be_visible()


@pytest.mark.parametrize("kind", ["scatter", "scattergl", "panels"])
def test_points_move_to_their_new_places(app: str, page: Page, kind: str) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{app}/?kind={kind}")
    times = drawn(page)
    page.evaluate(f"""() => {{
      window.seen = new Set();
      const watch = () => {{
        const mark = {FIGURE}.querySelector("path.point");
        window.seen.add(mark ? mark.getAttribute("transform") : {FIGURE}._fullData[0].x[0]);
        requestAnimationFrame(watch);
      }};
      watch();
    }}""")
    for epoch in ("1", "0", "1", "0", "1"):  # a busy machine may draw no frame while the points move
        choose(page, "Epoch", epoch)
        times = drawn(page, times + 1)
        if epoch == "1" and page.evaluate("window.seen.size") > 2:
            break
    assert page.evaluate("window.seen.size") > 2  # where it was, where it is, and between
    assert page.evaluate(f"{FIGURE}._fullData[0].x[0]") == -2.5


def test_points_jump_for_whoever_wants_no_motion(app: str, page: Page) -> None:
    page.goto(app)
    times = drawn(page)
    page.evaluate(f"""() => {{
      window.seen = new Set();
      new MutationObserver(() => window.seen.add({FIGURE}.querySelector("path.point")?.getAttribute("transform")))
        .observe({FIGURE}, {{subtree: true, attributes: true, attributeFilter: ["transform"]}});
    }}""")
    choose(page, "Epoch", "1")
    drawn(page, times + 1)
    assert page.evaluate("window.seen.size") == 1


def test_identical_figure_is_not_sent_again(app: str, page: Page) -> None:
    figures: list[bool] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: figures.append(b"Five points" in bytes(frame))),
    )
    page.goto(app)
    times = drawn(page)
    assert any(figures)
    figures.clear()
    choose(page, "Nothing", "b")
    page.wait_for_timeout(500)
    settled(page)
    assert figures
    assert not any(figures)
    assert drawn(page) == times


@pytest.mark.parametrize("kind", KINDS)
def test_figure_follows_the_theme_at_once(app: str, page: Page, kind: str) -> None:
    page.goto(f"{app}/?kind={kind}")
    times = drawn(page)
    drag(page)
    moved = at_rest(page, VIEW)
    page.emulate_media(color_scheme="dark")
    drawn(page, times + 1)
    color, ink = page.evaluate(f"[{FIGURE}._fullData[0].marker.color, {FIGURE}._fullLayout.font.color]")
    assert color == "rgba(88,166,221,1)"
    assert ink == "rgba(250,250,250,1)"
    assert page.evaluate(VIEW) == pytest.approx(moved, abs=0.02)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_what_is_taken_away_says_where_it_comes_from(app: str, page: Page, color_scheme: str, tmp_path: Path) -> None:
    page.goto(app)
    drawn(page)
    fitted_map = {"light": [255, 255, 255], "dark": [14, 17, 23]}[color_scheme]
    assert corner(page, taken(page, "png", tmp_path)) == [*fitted_map, 255]
    picture = taken(page, "svg", tmp_path).read_text(encoding="utf-8")
    assert f"rgb({fitted_map[0]}, {fitted_map[1]}, {fitted_map[2]})" in picture
    assert "<b>" not in picture
    for text in (picture, *(taken(page, ending, tmp_path).read_text(encoding="utf-8") for ending in ("html", "csv"))):
        assert re.search(CAPTION, unescape(text))


def taken(page: Page, ending: str, folder: Path) -> Path:
    """Press the button of a download, and return the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=f"{ending.upper()}:").click()
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


def test_numbers_taken_away_are_exact(app: str, page: Page, tmp_path: Path) -> None:
    page.goto(app)
    drawn(page)
    lines = taken(page, "csv", tmp_path).read_text(encoding="utf-8").splitlines()
    assert [line.startswith("# ") for line in lines] == [True, True, *[False] * 6]
    rows = list(csv.reader(lines[2:]))
    assert rows[0] == ["point, its name", "x", "count", "note"]
    assert rows[1] == ["p0", "-0.2", "0", '<i>"quoted"</i>, with comma']
    assert [row[3] for row in rows[2:]] == ["", "", "", "#"]


def test_page_taken_away_draws_by_itself(app: str, page: Page, chromium: Browser, tmp_path: Path) -> None:
    page.goto(app)
    drawn(page)
    file = taken(page, "html", tmp_path)
    context = chromium.new_context(offline=True)  # not `page`: a file is no request to this server
    alone, asked = context.new_page(), []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expect(alone.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(alone.get_by_role("figure", name="Five points <b>round</b> the middle")).to_be_visible()
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    context.close()


def test_table_and_link(app: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{app}/?kind=scattergl")
    drawn(page)
    button = page.get_by_role("button", name="Table:")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    table = page.get_by_role("region", name="The figure as a table")
    expect(table.locator("caption")).to_have_text("5 rows.")
    expect(table.locator("tbody tr").first.locator("td")).to_have_text(
        ["p0", "-0.2", "0", '<i>"quoted"</i>, with comma']
    )
    button.click()
    expect(table).to_be_hidden()
    page.get_by_role("button", name="Link:").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{app}/?kind=scattergl"


def test_pictures_carry_their_title_and_the_pages_font(app: str, page: Page, tmp_path: Path) -> None:
    page.goto(app)
    drawn(page)
    question = page.locator("h1").inner_text()
    picture = taken(page, "svg", tmp_path).read_text(encoding="utf-8")
    assert question in unescape(re.sub(r"</text><text[^>]*>", " ", picture))
    assert '@font-face{font-family:"Source Sans"' in picture
    assert "data:font/woff2;base64,d09GMg" in picture  # wOF2
    assert "http" not in re.sub(r"http://www\.w3\.org/[\w/]+", "", picture)
    alone = taken(page, "html", tmp_path).read_text(encoding="utf-8")
    assert f"<h1>{question}</h1>" in alone
    assert "data:font/woff2;base64,d09GMg" in alone


def test_words_of_the_caption_lead_to_the_glossary(app: str, page: Page) -> None:
    page.goto(app)
    drawn(page)
    terms = page.locator(".nlpviz-caption a")
    expect(terms).to_have_text(["epoch", "toy run"])  # not "toy-run", which is a name; the longest term that fits
    assert [term.get_attribute("href") for term in terms.all()] == ["Glossary?term=epoch", "Glossary?term=toy-run"]
    page.evaluate("""() => addEventListener("nlpviz:go", ({ detail }) => {
      window.went = { page: detail.page, query: detail.query };
      detail.handled = true;
    })""")
    terms.first.click()
    assert page.evaluate("window.went") == {"page": "Glossary", "query": {"term": "epoch"}}
    assert page.url.rstrip("/") == app  # who listened leads there


def test_a_link_says_that_a_typed_text_is_not_in_it_and_can_include_it(app: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    typed = "naïve 🙂 <b>?>"
    page.goto(f"{app}/?private={quote(typed)}")
    drawn(page)
    page.get_by_role("button", name="Link:").click()
    expect(page.get_by_text("Your typed text is not in this link.")).to_be_visible()
    assert "#" not in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="Include it").click()
    expect(page.get_by_text("Link with your text copied")).to_be_visible()
    fragment = page.evaluate("navigator.clipboard.readText()").partition("#text=")[2]
    assert base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)).decode() == typed


def test_figure_offers_no_way_to_send_it_elsewhere(app: str, page: Page) -> None:
    page.goto(app)
    drawn(page)
    page.hover(".js-plotly-plot")
    titles = page.locator(".modebar-btn").evaluate_all("buttons => buttons.map(button => button.dataset.title)")
    assert titles == ["Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"]


def test_words_of_the_figure_are_no_markup(app: str, page: Page) -> None:
    page.goto(app)
    drawn(page)
    expect(page.get_by_role("figure", name="Five points <b>round</b> the middle")).to_be_visible()
    expect(page.locator(".nlpviz-caption")).to_have_text(re.compile(CAPTION))


@pytest.mark.parametrize("viewport", [(420, 860), (1280, 800)])
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.usefixtures("color_scheme")
def test_figure_fits_and_is_accessible(app: str, page: Page, viewport: tuple[int, int]) -> None:
    page.goto(app)
    drawn(page)
    page.get_by_role("button", name="Table:").click()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("part => part.scrollWidth - part.clientWidth") <= 0
    box = page.locator(".js-plotly-plot").bounding_box()
    assert box is not None
    assert box["width"] <= viewport[0]
    assert box["height"] == 420
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


def test_figure_is_drawn_again_after_a_visit_to_another_page(app: str, page: Page) -> None:
    page.goto(app)
    drawn(page)
    page.get_by_role("link", name="Figure").click()
    page.wait_for_url("**/Figure")
    drawn(page)
    page.get_by_role("link", name="Overview").click()
    page.wait_for_url(app + "/")
    drawn(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)


def test_missing_library_is_said_in_a_sentence(app: str, chromium: Browser) -> None:
    context = chromium.new_context()  # not `page`: the request that fails here is an error in the console
    page = context.new_page()
    page.route("**/plotly.min.js", lambda route: route.abort())
    page.goto(app)
    expect(page.get_by_role("alert").filter(has_text="did not arrive")).to_be_visible(timeout=30_000)
    context.close()


def test_without_webgl_a_flat_figure_is_drawn_all_the_same(app: str, playwright: Playwright) -> None:
    browser = playwright.chromium.launch(**launch("--disable-3d-apis"))
    page = browser.new_page()
    page.goto(f"{app}/?kind=scattergl")
    drawn(page)
    assert not page.evaluate("Boolean(document.createElement('canvas').getContext('webgl'))")
    expect(page.locator(".js-plotly-plot .point")).not_to_have_count(0)
    browser.close()
