"""A coloured text that is taken away: its words, colours, title and caption, as a picture and for the clipboard."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import export, settled, type_review

pytestmark = pytest.mark.ci

SVG = "{http://www.w3.org/2000/svg}"
PAGES = [
    ("One_review?method=gradient-input", "Gradient × input", "The text, coloured by"),
    pytest.param("One_review?view=attention", "attention", "Sentence 1", marks=pytest.mark.slow),
    pytest.param("One_review?view=n-grams", "predictive regions", "The text", marks=pytest.mark.slow),
]


def taken(page: Page, ending: str, folder: Path) -> Path:
    """Press the button of a download under the first coloured text, and return the file."""
    with page.expect_download() as download:
        export(page.locator(".nlpviz-text-row").first, ending.upper())
    assert download.value.suggested_filename.endswith(f"-text.{ending}")
    file = folder / f"taken.{ending}"
    download.value.save_as(file)
    return file


@pytest.mark.parametrize(("address", "method", "label"), PAGES)
def test_picture_has_the_words_their_colours_a_title_and_a_caption(
    server: str, page: Page, tmp_path: Path, address: str, method: str, label: str
) -> None:
    page.goto(f"{server}/{address}")
    settled(page)
    picture = ET.parse(taken(page, "svg", tmp_path)).getroot()
    written = [node.text or "" for node in picture.iter(f"{SVG}text")]
    heading, caption = (picture.findtext(f"{SVG}{name}") or "" for name in ("title", "desc"))
    assert heading in page.locator("h1, h2, h3").all_inner_texts()
    assert re.search(rf"epoch \d+ · .*{method}.* · nlpviz [\d.]+, torch", caption, re.IGNORECASE)
    assert " ".join(written).startswith(heading)
    assert " ".join(written).endswith(caption)
    block = page.locator("[data-testid=stHtml]").filter(has=page.get_by_role("group", name=label)).first
    words = block.get_by_role("group", name=label).first.inner_text().split()
    assert "".join(words) in "".join(written).replace(" ", "")
    grounds = [node.get("fill") for node in picture.iter(f"{SVG}rect") if node.get("fill-opacity") not in (None, "1")]
    assert len(set(grounds)) >= 1
    assert len(grounds) > 5
    assert "@font-face" in (picture.findtext(f"{SVG}style") or "")
    against = page.locator(".nlpviz-against").count()  # underlined in the picture, too
    assert len(list(picture.iter(f"{SVG}line"))) >= against
    assert against or "gradient-input" not in address
    assert taken(page, "png", tmp_path).read_bytes().startswith(b"\x89PNG")


def test_a_typed_text_is_no_markup_in_what_is_taken_away(server: str, page: Page, tmp_path: Path) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{server}/One_review")
    settled(page)
    type_review(page, "good <script>alert(1)</script> <b>film</b> & bad")
    expect(page.locator(".nlpviz-text").first).to_contain_text("<script>")
    settled(page)
    picture = ET.parse(taken(page, "svg", tmp_path)).getroot()
    assert not [node.tag for node in picture.iter() if node.tag in (f"{SVG}script", f"{SVG}foreignObject")]
    export(page.locator(".nlpviz-text-row").first, "Copy")
    expect(page.get_by_text("Copied with colours")).to_be_visible()
    copied = page.evaluate("""async () => {
      const [item] = await navigator.clipboard.read();
      return Promise.all(["text/html", "text/plain"].map(async (type) => (await item.getType(type)).text()));
    }""")
    assert "<script" not in copied[0]
    assert "<script>alert(1)</script>" in unescape(re.sub(r"</?span[^>]*>", "", copied[0]))
    assert "background-color" in copied[0]
    assert "good <script>alert(1)</script> <b>film</b> & bad" in copied[1]
