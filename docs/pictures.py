"""Take the README's screenshots from the running app, into ``docs/pictures``: ``python docs/pictures.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # for the tests' and the benchmarks' browser

from benchmarks.browser import chromium, fresh_server  # noqa: E402
from tests.browser.conftest import settled  # noqa: E402


class Picture(NamedTuple):
    """One screenshot: its file, the address, the visitor's theme and window."""

    name: str
    address: str
    theme: Literal["light", "dark"] = "light"
    width: int = 1280
    height: int = 800


PICTURES = (
    Picture("home-light.png", "/"),
    Picture("documents-light.png", "/Explore"),
    Picture("regions-light.png", "/One_review?view=n-grams", height=1000),
    Picture("saliency-dark.png", "/One_review?method=gradient-input", "dark"),
    Picture("attention-light.png", "/One_review?view=attention&run=imdb-han", height=1100),
    Picture("translation-dark.png", "/Translate", "dark", height=1100),
    Picture("beam-light.png", "/Translate?view=beam&beam=4", height=1100),
    Picture("surprisal-light.png", "/Language_models?view=surprisal", height=1100),
    Picture("analogies-light.png", "/Words?view=analogies", height=900),
    Picture("word-map-dark.png", "/Words?view=map", "dark", height=900),
    Picture("training-light.png", "/Models?view=training"),
    Picture("network-light.png", "/One_review?view=network", height=900),
    Picture("phone.png", "/One_review?text=submarine", width=420, height=860),
)


def take(folder: Path) -> None:
    """Write all pictures into ``folder``."""
    folder.mkdir(exist_ok=True)
    with chromium() as browser, fresh_server(ROOT) as url:
        for picture in PICTURES:
            window = {"width": picture.width, "height": picture.height}
            context = browser.new_context(color_scheme=picture.theme, viewport=window, reduced_motion="reduce")
            page = context.new_page()
            page.goto(url + picture.address)
            settled(page).screenshot(path=folder / picture.name)
            context.close()


if __name__ == "__main__":
    take(ROOT / "docs" / "pictures")
