"""A real Streamlit server and a real Chromium, and what every page that a test opens must never do.

A test asks for ``server``, the app's address, and for ``page``, a tab. ``color_scheme``
and ``viewport`` are fixtures with a default, which ``@pytest.mark.parametrize`` overrides by name.
``new_page`` opens more tabs, each a visitor of its own. When the test ends, no tab may have reported an error
or asked another host for anything.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.browser.chromium import ChromiumMissing, find

NewPage = Callable[[], Page]

# How long a busy machine may take before what is awaited is said to be missing; nothing waits longer than it must.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)

# Chromium's own calls home.
ARGUMENTS = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

# Nothing runs, nothing is awaited, and it has been so for a quarter of a second: Streamlit puts elements on
# the page one by one, and a component may ask for another run once it is drawn.
PRUNED = """() => {
  const app = document.querySelector(".stApp");
  const quiet = app?.dataset.testScriptState === "notRunning"
    && app.dataset.testConnectionState === "CONNECTED"
    && !document.querySelector(":is([data-testid*=Skeleton], [data-testid=stSpinner], .nlpviz-waiting)");
  if (!quiet) window.quietSince = undefined;
  else window.quietSince ??= performance.now();
  return quiet && performance.now() - window.quietSince > 250;
}"""


# Plotly looks for the nearest point while the mouse rests.
FORGET = "() => document.querySelectorAll('.js-plotly-plot').forEach((plot) => { plot._hoverdata = undefined; })"
HOVERED = "() => [...document.querySelectorAll('.js-plotly-plot')].some((plot) => plot._hoverdata?.length)"

# Two frames later, whatever was asked for is painted.
FRAME = "() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
AT_REST = """async () => {
  let before, same = 0;
  while (same < 10) {
    const seen = (VIEW)();
    same = String(seen) === String(before) ? same + 1 : 0;
    before = seen;
    await new Promise(requestAnimationFrame);
  }
  return before;
}"""
# From now on time goes by frames, 16 ms each: what moves is drawn as often on a slow machine as on a quick one.
CLOCK_OF_FRAMES = """() => {
  const frame = requestAnimationFrame.bind(window);
  let now = performance.now();
  const tick = () => frame(tick, now += 16);
  tick();
  performance.now = () => now;
  window.requestAnimationFrame = (act) => frame(() => act(now));
}"""


def settled(page: Page) -> Page:
    """Return ``page`` when its script has run, and all that it draws is there."""
    page.evaluate("window.quietSince = undefined")
    page.wait_for_function(PRUNED, timeout=PATIENCE_MS, polling=50)  # not each frame: to draw one costs more
    return page


def at_rest(page: Page, view: str) -> list[float]:
    """Return what ``view`` evaluates to once it has been the same for ten frames: a turned camera glides on."""
    return list(page.evaluate(AT_REST.replace("VIEW", view)))


def drag(page: Page, *places: tuple[float, float]) -> None:
    """Drag the mouse from the first place to the last one, a frame after the other."""
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place)
        page.evaluate(FRAME)
    page.mouse.up()


def click_at(page: Page, x: float, y: float) -> None:
    """Click what a figure draws at a point of the window, once Plotly has found it under the resting mouse."""
    page.mouse.move(x - 12, y - 12)
    page.mouse.move(x, y, steps=8)
    page.evaluate(FORGET)  # what was found on the way there
    page.mouse.move(x + 1, y)
    page.wait_for_function(HOVERED)
    page.mouse.click(x + 1, y)


def address(page_file: Path, view: Path | None = None) -> str:
    """Return where a page or one of its views is: ``/Words?view=axes`` for ``50_Words/50_Axes.py``."""
    page = "/" if page_file.name == "app.py" else "/" + re.sub(r"^\d+[_ -]*", "", page_file.stem)
    return page if view is None else f"{page}?view={view_name(view)}"


def view_name(view: Path) -> str:
    """Return what the address calls a view: ``top-n-grams`` for ``10_Top_n-grams.py``."""
    return title(view).lower().replace(" ", "-")


def title(file: Path) -> str:
    """Return what people read of a page or a view: ``Top n-grams`` for ``10_Top_n-grams.py``."""
    return "Overview" if file.name == "app.py" else re.sub(r"^\d+[_ -]*", "", file.stem).replace("_", " ")


def type_review(page: Page, text: str) -> None:
    """Write ``text`` where it is shown, and wait for the answer."""
    chip = page.locator(".nlpviz-text-chip")
    chip.click()
    box = page.locator(".st-key-nlpviz_editor textarea")
    expect(box).to_be_focused()
    box.fill(text)
    page.keyboard.press("Control+Enter")
    expect(chip).to_contain_text(text.split(maxsplit=1)[0])
    settled(page)
    expect(box).to_be_hidden()


def export(place: Page | Locator, item: str) -> None:
    """Open the first menu "⋯" of a page or a part of it, and choose what begins with ``item``."""
    menu = place.locator(".nlpviz-corner").first
    menu.locator(".nlpviz-corner-open").click()
    menu.get_by_role("button", name=f"{item}:").click()


# ------------------------------------------------------------------------------------------------- the server


class Server(NamedTuple):
    """A server that was started: where it is, its process, and the file of what it logs."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path


@contextmanager
def serving(root: Path, log: Path, runs: Path | None = None) -> Iterator[str]:
    """Start the app, on a folder of runs of its own or the committed ones, and yield its URL.

    Stop it thereafter, and fail if it has logged a traceback.
    """
    with started(root, log, {"NLPVIZ_TRAINED": str(runs)} if runs else {}) as server:
        yield server.url


@contextmanager
def started(root: Path, log: Path, variables: Mapping[str, str]) -> Iterator[Server]:
    """Start the app with more variables in its environment; else as :func:`serving` does."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with log.open("wb") as written:
        # a session, and so a process group, of its own: what the server starts ends with it
        process = subprocess.Popen(
            command, cwd=root, env=os.environ | variables, stdout=written, stderr=written, start_new_session=True
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_healthy(url, process, log)
        yield Server(url, process, log)
    finally:
        end(process)
    logged = log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback" not in logged, f"the server logged:\n{logged}"


def free_port() -> int:
    """Return a port of this machine that nobody listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
            if answer.read() == b"ok":
                return
        time.sleep(0.05)
    pytest.fail(f"the server did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started."""
    for strength in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, strength)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
            return


@pytest.fixture(scope="session")
def main_server(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that all tests of one process share."""
    with started(pytestconfig.rootpath, tmp_path_factory.mktemp("server") / "log.txt", {}) as server:
        yield server


@pytest.fixture(scope="session")
def server(main_server: Server) -> str:
    """The URL of the server that all tests of one process share."""
    return main_server.url


@pytest.fixture
def fresh_server(pytestconfig: pytest.Config, tmp_path: Path) -> Iterator[str]:
    """The URL of a server that nobody has visited."""
    with serving(pytestconfig.rootpath, tmp_path / "log.txt") as url:
        yield url


@pytest.fixture(scope="session")
def components(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that runs the figure component's own pages, with the app's configuration and package."""
    root, apps = tmp_path_factory.mktemp("components"), Path(__file__).parent / "apps"
    (root / "pages").mkdir()
    pages = {"app.py": "plotly_view", "pages/10_Figure.py": "plotly_view", "pages/20_Playing.py": "playing"}
    for page, app in pages.items():
        shutil.copy(apps / f"{app}_app.py", root / page)
    for folder in (".streamlit", "static"):
        shutil.copytree(pytestconfig.rootpath / folder, root / folder)
    (root / "nlpviz").symlink_to(pytestconfig.rootpath / "nlpviz", target_is_directory=True)
    with serving(root, root / "log.txt") as url:
        yield url


# ------------------------------------------------------------------------------------------------ the browser


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers: one a process."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A headless Chromium that keeps nothing, for the tests that open a context of their own."""
    browser = playwright.chromium.launch(**launch())
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def profile(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A headless Chromium with a profile on the disk, where the second visit finds Streamlit's scripts compiled."""
    context = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"), reduced_motion="reduce", **launch()
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def launch(*arguments: str) -> dict[str, Any]:
    """Return how Chromium is started; without one the tests fail, for a skipped browser test proves nothing."""
    try:
        executable = find()
    except ChromiumMissing as missing:
        pytest.fail(str(missing))
    sandbox = [] if getattr(os, "geteuid", lambda: 1)() else ["--no-sandbox"]  # root has none
    return {"executable_path": executable, "args": [*ARGUMENTS, *arguments, *sandbox]}


@pytest.fixture
def color_scheme() -> str:
    """What the visitor's system prefers: ``light`` or ``dark``."""
    return "light"


@pytest.fixture
def viewport() -> tuple[int, int]:
    """The window, width and height in pixels."""
    return (1280, 800)


@pytest.fixture
def new_page(profile: BrowserContext, color_scheme: str, viewport: tuple[int, int]) -> Iterator[NewPage]:
    """Open a tab, as often as the test calls it; the next test finds no cookie and nothing stored."""
    tabs: list[Page] = []
    troubles: list[str] = []

    def opened() -> Page:
        page = watched(profile.new_page(), troubles)
        page.emulate_media(color_scheme=color_scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
        tabs.append(page)
        return page

    yield opened
    for page in tabs:
        if page.url.startswith("http"):
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.close()
    profile.clear_cookies()
    assert not troubles, "\n".join(troubles)


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A tab."""
    return new_page()


def watched(page: Page, troubles: list[str]) -> Page:
    """Return ``page``, whose errors and requests to other hosts are added to ``troubles`` from now on."""
    page.on("console", lambda message: troubles.extend(_console_error(message)))
    page.on("pageerror", lambda error: troubles.append(f"page error: {error}"))
    page.on("request", lambda request: troubles.extend(_foreign(request.url)))
    page.on("websocket", lambda socket: troubles.extend(_foreign(socket.url)))
    return page


def _console_error(message: ConsoleMessage) -> list[str]:
    where = message.location.get("url", "")
    # Streamlit looks for its endpoints beside a deep link first, and finds them at the root.
    expected = "/_stcore/" in where and "404" in message.text
    return [] if message.type != "error" or expected else [f"console error: {message.text} ({where})"]


def _foreign(url: str) -> list[str]:
    parts = urlsplit(url)
    own = parts.scheme in ("data", "blob", "about", "file") or parts.hostname == "127.0.0.1"
    return [] if own else [f"request to another host: {url}"]
