"""What the server does besides Streamlit, mostly so that its first visitor waits less; ``app.py`` hands it over.

A browser takes about a second to load Streamlit's own scripts. Meanwhile the server imports what the page needs, and
the browser preloads plotly.js, which the first page would request only after it has run. A visitor who leaves
while something is sent is not an error of the server's.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from urllib.parse import parse_qs

from starlette.middleware import Middleware
from starlette.responses import FileResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PLOTLY = "./app/static/plotly.min.js"
"""Where the browser finds plotly.js: relative, like Streamlit's own files, for it may be served under a prefix."""
# A file is read piece by piece, and each piece waits while something is imported: plotly.js took twice as long in the
# default pieces of 64 KiB. Set before the server answers: a file that is being sent would end there.
FileResponse.chunk_size = 1 << 20
# Visitors are threads of one process: with more threads of the libraries' own for each, they would wait for each other.
# Said before a library is loaded that asks, for a thread of Python's keeps the number with which it began.
os.environ.setdefault("OMP_NUM_THREADS", "1")
_IMPORTS = ThreadPoolExecutor(1, "nlpviz-imports")  # one after the other: two at once would only take turns


def importing(module: str) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """Return what begins to import ``module`` when the server starts, in a thread of its own, while the server answers.

    What is wrong with the module is said to the first visitor, whose page imports it too.
    """

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        _IMPORTS.submit(_import, module)
        yield

    return lifespan


def _import(module: str) -> None:
    """Import ``module`` without looking for garbage: what is imported stays, and is never looked through again.

    While torch and pandas are imported, that took a fifth of the time.
    """
    if module in sys.modules:
        return
    gc.disable()
    try:
        import_module(module)
    finally:
        gc.freeze()
        gc.enable()


class Early:
    """Begins at every HTML document what its page will ask for a second later.

    The browser fetches plotly.js together with Streamlit's scripts, and the server imports what that page needs.

    Args:
        app: what answers.
        modules: which module a page needs besides what all do, by its name in the address, or one of its views, as in
            ``"Words?view=map"``.
    """

    def __init__(self, app: ASGIApp, modules: Mapping[str, str]) -> None:
        self._app = app
        self._modules = modules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request as the app does, with a header more if it is a document."""

        async def send_hinted(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                if dict(headers).get(b"content-type", b"").startswith(b"text/html"):
                    page, asked = scope["path"].rpartition("/")[2], parse_qs(scope["query_string"].decode("latin-1"))
                    view = f"{page}?view={asked.get('view', [''])[0]}"
                    if module := self._modules.get(page) or self._modules.get(view):
                        _IMPORTS.submit(_import, module)
                    headers.append((b"link", f"<{PLOTLY}>; rel=preload; as=script".encode("ascii")))
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, send_hinted)


class HungUp:
    """Says of a visitor who has gone what ASGI says: whatever is still sent there ends in an ``OSError``.

    Once it has hung up itself, uvicorn raises a ``RuntimeError``, which Streamlit logs with a traceback.

    Args:
        app: what answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does."""

        async def send_or_part(message: Message) -> None:
            try:
                await send(message)
            except RuntimeError as error:
                if message["type"] == "websocket.send":
                    raise ConnectionError(str(error)) from error
                raise

        await self._app(scope, receive, send_or_part)


class Renamed:
    """Redirects old addresses of pages, with everything that they ask for.

    Args:
        app: what answers all other requests.
        names: the new name of each page in addresses, by the old one.
    """

    def __init__(self, app: ASGIApp, names: Mapping[str, str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, or with a redirect."""
        name = self._names.get(scope["path"].rpartition("/")[2]) if scope["type"] == "http" else None
        if name is None:
            await self._app(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        # relative, as the server may be under a prefix
        await RedirectResponse(f"./{name}{'?' if query else ''}{query}", status_code=308)(scope, receive, send)


def middleware(modules: Mapping[str, str], renamed: Mapping[str, str]) -> list[Middleware]:
    """Return the layers around Streamlit's answers; for the arguments see :class:`Early` and :class:`Renamed`."""
    return [Middleware(Renamed, names=renamed), Middleware(Early, modules=modules), Middleware(HungUp)]
