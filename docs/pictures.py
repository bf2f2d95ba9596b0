"""Take the documentation's pictures from the running app, into ``docs/pictures``: ``python docs/pictures.py``.

One picture for each view, such as ``views/one-review-saliency.webp``, and the Overview’s replay in light and dark.
``python docs/pictures.py saliency`` takes those whose names contain the word.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from time import monotonic
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "site")]  # for the tests' and the benchmarks' browser, and the views

from view_pages import documented_views  # noqa: E402

from benchmarks.browser import chromium, fresh_server  # noqa: E402
from tests.browser.conftest import settled  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
REVIEW = "The cast is charming and the music is lovely. But the plot is dull, and the last hour is a waste of time."
MOST_FRAMES = 60
QUALITY = 80
HEIGHT = 640  # of the replay, in pixels of a window 1280 wide


def opened(browser: Browser, address: str, theme: Literal["light", "dark"] = "light", *, motion: bool = False) -> Page:
    """Open a page in a window of its own, and wait until nothing moves."""
    context = browser.new_context(
        color_scheme=theme,
        viewport={"width": 1280, "height": 800},
        reduced_motion="no-preference" if motion else "reduce",
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    return settled(page)


def shot(page: Page) -> Image.Image:
    """Return what the window shows."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def take_views(browser: Browser, url: str, word: str) -> None:
    """Write a picture of each view whose name contains ``word``."""
    folder = PICTURES / "views"
    folder.mkdir(parents=True, exist_ok=True)
    for view in documented_views():
        if word not in view.document:
            continue
        address = "/" if view.page_file.stem == "app" else f"/{view.page.replace(' ', '_')}"
        page = opened(browser, url + address + (f"?view={view.slug}" if view.slug else ""))
        shot(page).save(folder / f"{view.document}.webp", quality=QUALITY, method=6)
        page.context.close()


def take_replay(browser: Browser, url: str, theme: Literal["light", "dark"]) -> None:
    """Write the replay of a training on the Overview, as one moving picture."""
    page = opened(browser, url, theme, motion=True)
    box = page.get_by_role("textbox", name="Type or paste a film review")
    box.fill(REVIEW)
    box.press("Control+Enter")
    page.wait_for_timeout(3_000)
    settled(page)
    page.locator(".nlpviz-player input").first.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(1_500)
    frames, shown = [shot(page)], [1_200.0]
    page.get_by_role("button", name="Play training").click()
    while len(frames) < MOST_FRAMES and page.get_by_role("button", name="Stop").count():
        begun = monotonic()
        frames.append(shot(page))
        page.wait_for_timeout(120)
        shown.append((monotonic() - begun) * 1_000)
    page.wait_for_timeout(1_500)
    frames.append(shot(page))
    shown.append(2_500.0)
    small = [
        frame.crop((0, 0, 1280, HEIGHT)).resize((960, HEIGHT * 3 // 4), Image.Resampling.LANCZOS) for frame in frames
    ]
    small[0].save(
        PICTURES / f"playing-{theme}.webp",
        save_all=True, append_images=small[1:], duration=[round(ms) for ms in shown],
        loop=0, quality=70, method=4,
    )  # fmt: skip
    page.context.close()


def main(word: str = "") -> None:
    """Take all pictures whose names contain ``word``."""
    with chromium() as browser, fresh_server(ROOT) as url:
        take_views(browser, url, word)
        for theme in ("light", "dark"):
            if word in f"playing-{theme}":
                take_replay(browser, url, theme)


if __name__ == "__main__":
    main(*sys.argv[1:2])
