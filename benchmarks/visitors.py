"""How long do ten visitors at once wait on the saliency page, and how much memory does a further one take?

The visitors speak to a real server over its web socket, as a browser does, but draw nothing: ten browsers beside the
server would measure themselves. Each opens the page, then all ten type a text of their own at the same moment, again
and again, texts that nobody typed before; a sample is the time from one visitor's text to the end of their script. The
peer is one visitor alone with a bare page and one `st.plotly_chart`, as in the other rows.

Memory is the server's resident set after many visitors, less that after a few, for each visitor between.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, fresh_server, plain_app
from nlpviz.data.examples import examples

VISITORS, ROUNDS, WARM_UP = 10, 12, 2
FEW, MANY = 10, 40
WAIT_BAR, MEMORY_BAR = 1000.0, 10.0  # milliseconds, megabytes
PERCENTILE = 95


class Visitor:
    """One person's session on one page."""

    def __init__(self, connection: ClientConnection, page: str) -> None:
        """Visit ``page``, as its address names it; nothing is asked for yet."""
        self.connection = connection
        self.page = page
        self.text_area = ""

    async def run(self, text: str | None = None) -> float:
        """Run the page, with ``text`` in its box; return the seconds until its script has run.

        Raises:
            RuntimeError: if the script failed.
        """
        asked = BackMsg()
        asked.rerun_script.page_name = self.page
        if text is not None:
            typed = asked.rerun_script.widget_states.widgets.add()
            typed.id, typed.string_value = self.text_area, text
        started = perf_counter()
        await self.connection.send(asked.SerializeToString())
        while True:
            said = ForwardMsg.FromString(bytes(await self.connection.recv(decode=False)))
            kind = said.WhichOneof("type")
            element = said.delta.new_element
            if kind == "delta" and element.WhichOneof("type") == "text_area":
                self.text_area = element.text_area.id
            if kind == "delta" and element.WhichOneof("type") == "exception":
                raise RuntimeError(element.exception.message)
            if kind == "script_finished" and said.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return perf_counter() - started


def measure() -> Iterator[Row]:
    """Yield the wait of ten visitors at once, and the memory of a further one."""
    with plain_app() as plain, fresh_server(plain) as url:
        alone = asyncio.run(_alone(url))
        bare_memory = asyncio.run(_memory(url, ""))
    with fresh_server(ROOT) as url:
        waits = asyncio.run(_at_once(url, VISITORS))
        memory = asyncio.run(_memory(url, "Saliency"))
    what = f"`30_Saliency`, {VISITORS} visitors type at once, until the script has run"
    yield Row(what, "ms", waits, f"{PEER}, one visitor", alone, WAIT_BAR, PERCENTILE)
    yield Row("a further visitor's memory on the server", "MB", (memory,), PEER, (bare_memory,), MEMORY_BAR)


async def _alone(url: str) -> tuple[float, ...]:
    async with _visit(url) as connection:
        visitor = Visitor(connection, "")
        seconds = [await visitor.run() for _ in range(WARM_UP + ROUNDS)]
    return tuple(1000 * value for value in seconds[WARM_UP:])


async def _at_once(url: str, count: int) -> tuple[float, ...]:
    """Return the milliseconds that each of ``count`` visitors waited in each round."""
    connections = [await _visit(url) for _ in range(count)]
    visitors = [Visitor(connection, "Saliency") for connection in connections]
    for visitor in visitors:
        await visitor.run()
    samples = []
    for number in range(WARM_UP + ROUNDS):
        texts = [_text(position, number) for position in range(count)]
        waited = await asyncio.gather(*(visitor.run(text) for visitor, text in zip(visitors, texts, strict=True)))
        if number >= WARM_UP:
            samples += [1000 * seconds for seconds in waited]
    for connection in connections:
        await connection.close()
    return tuple(samples)


async def _memory(url: str, page: str) -> float:
    """Return the megabytes of each visitor from the one after ``FEW`` to ``MANY``; all of them stay."""
    server = _server()
    connections, sizes = [], {}
    for number in range(1, MANY + 1):
        connections.append(await _visit(url))
        visitor = Visitor(connections[-1], page)
        await visitor.run()
        if page:
            await visitor.run(_text(number, MANY))
        sizes[number] = _resident(server)
    for connection in connections:
        await connection.close()
    return (sizes[MANY] - sizes[FEW]) / (MANY - FEW)


def _visit(url: str) -> connect:
    parts = urlsplit(url)
    return connect(f"ws://{parts.netloc}/_stcore/stream", subprotocols=["streamlit"], origin=url, max_size=None)  # type: ignore[arg-type, list-item]


def _text(visitor: int, number: int) -> str:
    """Return a review of about 200 tokens that nobody else types."""
    known = examples()
    texts = [known[(visitor + 7 * number + position) % len(known)].text for position in range(3)]
    return f"Take {number} of {visitor}. {' '.join(texts)}"


def _server() -> int:
    """Return the process of the server, the one that this one has started."""
    own = os.getpid()
    started = [
        int(word) for task in Path(f"/proc/{own}/task").iterdir() for word in (task / "children").read_text().split()
    ]
    return max(started)


def _resident(process: int) -> float:
    """Return the memory that a process holds, in megabytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


BENCHMARK = Benchmark(
    "visitors", "How long do ten visitors at once wait, and what memory does a further one take?", measure
)
