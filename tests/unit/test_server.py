"""What the server does for its first visitor: imports that begin by themselves, and a word to the browser."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from threading import Event

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn import Config, Server
from websockets.asyncio.client import connect

import app
from nlpviz.server import PLOTLY, Early, HungUp, Renamed, importing
from nlpviz.ui.frame import page_file
from nlpviz.ui.views import views_of

MODULE = "pages_that_import_slowly"


def headers(content_type: str, path: str = "/", modules: dict[str, str] | None = None) -> dict[bytes, bytes]:
    """Return the headers with which a document or a file of that type is sent."""
    sent: list[Message] = []

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", content_type.encode())]}
        )
        await send({"type": "http.response.body", "body": b"whole"})

    async def receive() -> Message:
        raise AssertionError("the request has no body")

    async def send(message: Message) -> None:
        sent.append(message)

    path, _, query = path.partition("?")
    scope = {"type": "http", "path": path, "query_string": query.encode()}
    asyncio.run(Early(answer, modules or {})(scope, receive, send))
    assert sent[1] == {"type": "http.response.body", "body": b"whole"}
    return dict(sent[0]["headers"])


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/What_it_learnt?view=filters&run=imdb-cnn", "./Inside_the_model?view=filters&run=imdb-cnn"),
        ("/prefix/Codes", "./Autoencoders"),
        ("/Words", None),
    ],
)
def test_old_addresses_lead_to_the_renamed_page(asked: str, leads_to: str | None) -> None:
    client = TestClient(Renamed(PlainTextResponse("here"), app.RENAMED), follow_redirects=False)
    answer = client.get(asked)
    assert answer.headers.get("location") == leads_to
    assert answer.status_code == (308 if leads_to else 200)


def test_renamed_pages_exist() -> None:
    assert {page_file(name.replace("_", " ")) is not None for name in app.RENAMED.values()} == {True}
    assert {page_file(name.replace("_", " ")) for name in app.RENAMED} == {None}


def test_a_document_makes_the_browser_fetch_plotly() -> None:
    assert headers("text/html; charset=utf-8")[b"link"] == f"<{PLOTLY}>; rel=preload; as=script".encode()


@pytest.mark.parametrize("content_type", ["application/json", "text/javascript", "text/css"])
def test_nothing_else_does(content_type: str) -> None:
    assert b"link" not in headers(content_type)


@pytest.mark.parametrize(
    "path",
    [
        "/One_review",
        "/under/a/prefix/One_review?view=edit",
        "/Words?run=x&view=map",
        "/Words?view=map&view=%ff",
        "/Trees",
    ],
)
def test_what_a_page_computes_with_is_imported_with_its_document(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr("nlpviz.server._IMPORTS.submit", lambda _do, module: begun.append(module))
    modules = dict.fromkeys(("One_review", "Words?view=map", "Trees?view="), "a_network")
    for other in ("/Explore", "/Words", "/Words?view=axes", "/Trees?view=map", "/Trees?view=%00%ff&=&"):
        headers("text/html", other, modules)
    headers("text/javascript", path, modules)
    assert begun == []
    headers("text/html", path, modules)
    assert begun == ["a_network"]


def test_pages_that_compute_are_pages() -> None:
    files = {file.stem.partition("_")[2]: file for file in Path(app.__file__).parent.glob("pages/*.py")}
    for page, _, view in (name.partition("?view=") for name in app.COMPUTED):
        views = [one.slug for one in views_of(files[page])] if page else []  # the Overview is app.py itself
        assert view in (*views, "")
        assert "?" not in page
        if f"{page}?view=" in app.COMPUTED:
            assert f"{page}?view={views[0]}" in app.COMPUTED, "the empty view is the first"
    assert all(find_spec(module) for module in app.COMPUTED.values())


def test_the_server_answers_while_pages_are_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{MODULE}.py").write_text("import builtins\nbuiltins.begun.set()\nassert builtins.go_on.wait(60)\n")
    monkeypatch.syspath_prepend(tmp_path)
    begun, go_on = Event(), Event()
    monkeypatch.setattr("builtins.begun", begun, raising=False)
    monkeypatch.setattr("builtins.go_on", go_on, raising=False)

    async def serve() -> None:
        async with importing(MODULE)(None):
            assert begun.wait(60)  # under way, and the server is there
            go_on.set()

    asyncio.run(serve())


AHEAD = """
import gc, os, sys
sys.path.insert(0, sys.argv[1])
from nlpviz import server
server._IMPORTS.submit(server._import, "pages_of_many_objects").result()
import pages_of_many_objects as made
looked_through = {id(one) for one in gc.get_objects()}
print(made.looks, gc.isenabled(), any(id(one) in looked_through for one in made.held))
print(type(server._IMPORTS.submit(server._import, "pages_that_fail").exception()).__name__, gc.isenabled())
print(os.environ["OMP_NUM_THREADS"])
"""


def test_what_is_imported_ahead_is_never_looked_through_for_garbage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pages_of_many_objects.py").write_text("import gc\nlooks, held = gc.isenabled(), [[], []]\n")
    (tmp_path / "pages_that_fail.py").write_text("1 / 0\n")

    def said() -> list[str]:
        command = [sys.executable, "-c", AHEAD, str(tmp_path)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    monkeypatch.delenv("OMP_NUM_THREADS")
    assert said() == ["False True False", "ZeroDivisionError True", "1"]
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert said()[-1] == "3", "who says how many threads there are is heard"


def test_the_server_itself_imports_little() -> None:
    """What ``app.py`` imports before the server answers keeps the first visitor waiting."""
    heavy = {"numpy", "pandas", "plotly", "pyarrow", "torch"}
    code = f"import sys, nlpviz.server; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.ci
def test_a_file_that_is_sent_while_pages_are_imported_arrives_whole() -> None:
    """Starlette takes a piece of another size than it asks for at the time for the last one."""
    code = (
        "from starlette.responses import FileResponse; import nlpviz.server; size = FileResponse.chunk_size; "
        "import nlpviz.ui; print(FileResponse.chunk_size == size > 2**16)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "True"


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not made for Windows")
def test_what_is_sent_waits_for_no_receipt() -> None:
    """The loop that the server takes turns Nagle's algorithm off, also for a socket bound as Streamlit binds it."""
    nodelay: asyncio.Queue[int] = asyncio.Queue()

    async def connected(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nodelay.put_nowait(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def visit() -> int:
        with socket.socket(socket.AF_INET) as listening:
            listening.bind(("127.0.0.1", 0))
            async with await asyncio.start_server(connected, sock=listening):
                _reader, writer = await asyncio.open_connection(*listening.getsockname())
                writer.close()
                return await nodelay.get()

    with asyncio.Runner(loop_factory=Config(app.app).get_loop_factory()) as runner:
        assert runner.run(visit())


def test_what_is_sent_to_a_visitor_who_has_gone_ends_as_streamlit_expects() -> None:
    """After a broken message, say, on which the server hangs up: without a traceback in its log."""

    async def serve() -> None:
        parted = asyncio.Event()

        async def page(visitor: WebSocket) -> None:
            await visitor.accept()
            try:
                while True:
                    await visitor.send_bytes(b"more")
                    await asyncio.sleep(0)
            except WebSocketDisconnect:
                parted.set()

        with socket.create_server(("127.0.0.1", 0)) as listening:
            routed = HungUp(Starlette(routes=[WebSocketRoute("/", page)]))
            server = Server(Config(routed, lifespan="off", log_level="critical"))
            served = asyncio.create_task(server.serve([listening]))
            async with connect(f"ws://127.0.0.1:{listening.getsockname()[1]}") as visitor:
                assert await visitor.recv() == b"more"
                visitor.transport.write(b"no frame at all")
                await visitor.wait_closed()
            server.should_exit = True
            await served
        assert parted.is_set()

    asyncio.run(serve())
