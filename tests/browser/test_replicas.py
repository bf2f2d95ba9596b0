"""Two servers behind a real proxy, as ``deploy/Caddyfile`` has it: who stays where, and what if one of them dies."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from nlpviz.word_vectors.formats import write_text
from tests.browser.conftest import PATIENCE_MS, Server, click_at, end, free_port, settled, started, type_review
from tests.browser.test_visitors import A_POINT
from tests.words import toy_vectors

pytestmark = pytest.mark.slow  # four servers and a proxy

NAME = "nlpviz.example.org"  # under which the server is public; nobody looks it up
COOKIE = "nlpviz_replica"


class Site(NamedTuple):
    """A proxy and the servers behind it."""

    url: str
    replicas: tuple[Server, Server]

    @property
    def port(self) -> int:
        """The proxy's port."""
        return urlsplit(self.url).port or 80


def caddy() -> str:
    """Return the executable of Caddy; without one a test skips."""
    found = os.environ.get("NLPVIZ_CADDY") or shutil.which("caddy")
    if not found:
        pytest.skip("no Caddy on this machine: install it (Debian and Ubuntu: apt-get install caddy)")
    return found


@pytest.fixture(scope="module")
def site(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two servers behind a proxy, which all tests share."""
    with site_in(tmp_path_factory.mktemp("site"), pytestconfig.rootpath) as site:
        yield site


@pytest.fixture
def own_site(pytestconfig: pytest.Config, tmp_path: Path) -> Iterator[Site]:
    """Two servers behind a proxy, of which a test may end one."""
    with site_in(tmp_path, pytestconfig.rootpath) as site:
        yield site


@contextmanager
def site_in(folder: Path, root: Path) -> Iterator[Site]:
    """Start two servers behind Caddy, on ports of this machine, under its address and under a name."""
    executable, port = caddy(), free_port()
    public = {"STREAMLIT_SERVER_ALLOWED_HOSTS": f"127.0.0.1 {NAME}", "STREAMLIT_SERVER_MAX_UPLOAD_SIZE": "1"}
    url = f"http://127.0.0.1:{port}"
    with started(root, folder / "1.txt", public) as first, started(root, folder / "2.txt", public) as second:
        variables = {
            "NLPVIZ_HOST": f"{url}, http://{NAME}:{port}",
            "NLPVIZ_REPLICAS": " ".join(urlsplit(one.url).netloc for one in (first, second)),
            "NLPVIZ_UPLOAD_MB": "1",
            "NLPVIZ_DOCS": str(folder / "docs"),
            "XDG_CONFIG_HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
        }
        (folder / "docs").mkdir()
        (folder / "docs" / "index.html").write_text("The documentation", encoding="utf-8")
        with (folder / "caddy.txt").open("wb") as log:
            process = subprocess.Popen(
                [executable, "run", "--config", "deploy/Caddyfile"],
                cwd=root, env=os.environ | variables, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        try:
            _wait_for(f"{url}/_stcore/health", folder / "caddy.txt", process)
            yield Site(url, (first, second))
        finally:
            end(process)


def _wait_for(url: str, log: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), ask(url) as answer:
            assert answer.status == 200
            return
        time.sleep(0.05)
    pytest.fail(f"the proxy did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")


def ask(url: str, cookie: str = "", encoding: str = "") -> HTTPResponse:
    """Return what is answered to a visitor who brings that cookie along, if any."""
    headers = {"Cookie": cookie} if cookie else {}
    if encoding:
        headers["Accept-Encoding"] = encoding
    answer: HTTPResponse = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30)
    return answer


def given(answer: HTTPResponse) -> str:
    """Return the proxy's cookie in an answer; empty where it gave none."""
    found = re.search(rf"{COOKIE}=\w+", str(answer.headers.get_all("Set-Cookie")))
    return found[0] if found else ""


def visitors(server: Server) -> int:
    """Return how many sessions a server has."""
    text = ask(f"{server.url}/_stcore/metrics").read().decode()
    (count,) = re.findall(r"^active_sessions(?:\{.*\})? (\d+)", text, re.MULTILINE)
    return int(count)


def test_the_proxy_keeps_visitors_apart_and_each_where_they_are(site: Site) -> None:
    health = f"{site.url}/_stcore/health"
    cookies = {given(ask(health)) for _ in range(24)}
    assert len(cookies) == 2, "new visitors go to both"
    for cookie in cookies:
        assert {given(ask(health, cookie)) for _ in range(12)} == {""}, "once there, to no other one"
    with pytest.raises(HTTPError, match="404"):
        ask(f"{site.url}/_stcore/metrics")
    assert ask(f"{site.url}/docs").read() == b"The documentation"
    page = ask(site.url, encoding="gzip")
    assert page.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "/_stcore" not in str(page.headers.get_all("Link"))


@pytest.mark.parametrize("name", [NAME, "127.0.0.1"])
def test_a_page_speaks_to_a_server_through_the_proxy(site: Site, name: str) -> None:
    with websocket(site.url, name):
        assert sum(map(visitors, site.replicas)) >= 1


def test_a_foreign_name_is_refused(site: Site) -> None:
    """A page of another host whose name is made to point here: the name that visitors type opens nothing else."""
    with pytest.raises(InvalidStatus, match="403"), websocket(site.replicas[0].url, "evil.example.org"):
        pass


def websocket(url: str, name: str) -> ClientConnection:
    """Return the connection of a tab that knows the server at ``url`` by another name."""
    port = urlsplit(url).port
    return connect(
        f"ws://{name}:{port}/_stcore/stream",
        sock=socket.create_connection(("127.0.0.1", port), timeout=30),
        origin=f"http://{name}:{port}",  # type: ignore[arg-type]
        subprotocols=["streamlit"],  # type: ignore[list-item]
    )


def test_a_link_made_on_one_server_opens_on_the_other(site: Site, page: Page) -> None:
    first, second = (one.url for one in site.replicas)
    page.goto(f"{first}/Explore?map=tsne")
    settled(page)
    click_at(page, *page.evaluate(A_POINT))
    expect(page).to_have_url(re.compile("text=test"))
    link = page.url
    described = page.locator('[class*="st-key-nlpviz_answer"]')
    settled(page)
    told = described.all_inner_texts()
    page.goto(link.replace(first, second))
    settled(page)
    assert described.all_inner_texts() == told


def test_visitors_of_a_server_that_dies_go_on_at_the_other(own_site: Site, chromium: Browser, tmp_path: Path) -> None:
    """Their open tab, without a reload; its address and new uploads work there, too."""
    context = chromium.new_context()  # of its own: the browser reports the connection that breaks as an error
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{own_site.url}/One_review?view=saliency")
    settled(page)
    type_review(page, "a wonderful, moving film")
    dies, stays = sorted(own_site.replicas, key=visitors, reverse=True)
    assert (visitors(dies), visitors(stays)) == (1, 0)
    dies.process.send_signal(signal.SIGKILL)
    dies.process.wait()
    page.wait_for_function("() => document.querySelector('.stApp')?.dataset.testConnectionState !== 'CONNECTED'")
    settled(page)
    expect(page.locator(".nlpviz-text")).to_have_text("a wonderful, moving film")
    type_review(page, "an awful waste of time")
    expect(page.locator(".nlpviz-text")).to_have_text("an awful waste of time")
    assert visitors(stays) == 1

    write_text(tmp_path / "mine.txt", toy_vectors())
    page.goto(f"{own_site.url}/Your_texts?view=word-vectors")
    settled(page)
    page.locator("input[type=file]").set_input_files(tmp_path / "mine.txt")
    expect(page.get_by_text("Read as word2vec text")).to_be_visible()
    expect(page.get_by_text("this server accepts connections from other computers")).to_be_visible()
    context.close()
