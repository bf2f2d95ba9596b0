"""How long do ten visitors at once wait on the saliency page, or 20, or 50, and what memory do they take on the server?

The visitors speak to a real server over its web socket, as a browser does, but draw nothing: ten browsers beside the
server would measure themselves. Each opens the page, then all type a text of their own at the same moment, again
and again, texts that nobody typed before; a sample is the time from one visitor's text to the end of their script. The
peer is one visitor alone with a bare page and one `st.plotly_chart`, as in the other rows.

Memory is the resident set of a server of its own while 10, 20 and 50 visitors are there who have each typed a text;
from that, a further visitor's. Then all of them close their tabs. Streamlit keeps a closed tab's session for two
minutes, in case it comes back, and drops it when another tab is closed thereafter. So ten tabs are opened, used and
closed before the fifty come, and ten when their sessions are too old, and the memory after the last of each is
compared: both times Streamlit keeps ten sessions, and has collected its garbage after the last one's script. What is
left is what the page remembers for all visitors, which has its bounds, what the allocator kept, and whatever leaks.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, fresh_server, plain_app
from nlpviz.data.examples import examples

CROWDS = (10, 20, 50)  # visitors at once
SAMPLES, WARM_UP = 120, 2  # of each crowd, at least; rounds before them
ROUNDS_ALONE = 12
TABS = 10  # opened and closed before memory is compared
DROPPED_AFTER = 121.0  # seconds: the sessions of closed tabs are too old after 120
WAIT_BAR, MEMORY_BAR = 1000.0, 10.0  # milliseconds, megabytes
PERCENTILE = 95
PAGE = "One_review"


class Visitor:
    """One person's session on one page."""

    def __init__(self, connection: ClientConnection, page: str) -> None:
        """Visit ``page``, as its address names it, with a view or not; nothing is asked for yet."""
        self.connection = connection
        self.page = page
        self.text_area = ""

    async def run(self, text: str | None = None) -> float:
        """Run the page, with ``text`` in its box; return the seconds until its script has run.

        Raises:
            RuntimeError: if the script failed.
        """
        asked = BackMsg()
        asked.rerun_script.page_name, _, asked.rerun_script.query_string = self.page.partition("?")
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


@dataclass(frozen=True)
class Opened:
    """The server's memory in megabytes, as tabs were opened.

    Attributes:
        before: a few tabs were opened, used and closed.
        there: by the number of visitors who are there.
    """

    before: float
    there: Mapping[int, float]

    @property
    def each(self) -> float:
        """What a further visitor takes, between the smallest crowd and the largest."""
        return (self.there[CROWDS[-1]] - self.there[CROWDS[0]]) / (CROWDS[-1] - CROWDS[0])


def measure() -> Iterator[Row]:
    """Yield the wait of each crowd, its memory and that of a further visitor, and what is left when all are gone."""
    with plain_app() as plain, fresh_server(plain) as bare:
        bare_server = _server()
        alone = asyncio.run(_alone(bare))
        bare_opened = asyncio.run(_opened(bare, bare_server, ""))
        with fresh_server(ROOT) as ours:
            server = _server()
            opened = asyncio.run(_opened(ours, server, PAGE))
            closed = perf_counter()
            with fresh_server(ROOT) as url:  # while sessions grow old on the two others
                for count in CROWDS:
                    what = f"`20_One_review`, {count} visitors type at once, until the script has run"
                    waits = asyncio.run(_at_once(url, count))
                    bar = WAIT_BAR if count == CROWDS[0] else None
                    yield Row(what, "ms", waits, f"{PEER}, one visitor", alone, bar, PERCENTILE)
            sleep(max(0.0, DROPPED_AFTER - (perf_counter() - closed)))
            left = asyncio.run(_after_tabs(ours, server, PAGE)) - opened.before
            bare_left = asyncio.run(_after_tabs(bare, bare_server, "")) - bare_opened.before
    for count in CROWDS:
        what = f"the server's memory while {count} visitors are on `20_One_review`"
        yield Row(what, "MB", (opened.there[count],), f"{PEER}, as many", (bare_opened.there[count],))
    yield Row("a further visitor's memory on the server", "MB", (opened.each,), PEER, (bare_opened.each,), MEMORY_BAR)
    what = f"memory left on the server by {CROWDS[-1]} tabs that were opened, used and closed"
    yield Row(what, "MB", (left,), f"{PEER}, as many", (bare_left,))


async def _alone(url: str) -> tuple[float, ...]:
    async with visit(url) as connection:
        visitor = Visitor(connection, "")
        seconds = [await visitor.run() for _ in range(WARM_UP + ROUNDS_ALONE)]
    return tuple(1000 * value for value in seconds[WARM_UP:])


async def _at_once(url: str, count: int) -> tuple[float, ...]:
    """Return the milliseconds that each of ``count`` visitors waited in each round."""
    connections = [await visit(url) for _ in range(count)]
    visitors = [Visitor(connection, PAGE) for connection in connections]
    for visitor in visitors:
        await visitor.run()
    samples = []
    for number in range(WARM_UP + ceil(SAMPLES / count)):
        texts = [_text(position, f"{number} of {count}") for position in range(count)]
        waited = await asyncio.gather(*(visitor.run(text) for visitor, text in zip(visitors, texts, strict=True)))
        if number >= WARM_UP:
            samples += [1000 * seconds for seconds in waited]
    for connection in connections:
        await connection.close()
    return tuple(samples)


async def _opened(url: str, server: int, page: str) -> Opened:
    """Return the memory before the largest crowd comes and while it does; all stay, then all go."""
    before = await _after_tabs(url, server, page)
    connections, there = [], {}
    for number in range(1, CROWDS[-1] + 1):
        connections.append(await visit(url))
        await _use(connections[-1], page, number)
        if number in CROWDS:
            there[number] = _resident(server)
    for connection in connections:
        await connection.close()
    return Opened(before, there)


async def _after_tabs(url: str, server: int, page: str) -> float:
    """Return the megabytes when some tabs were opened, used and closed, one after the other."""
    for number in range(TABS):
        async with visit(url) as connection:
            await _use(connection, page, -number)
    return _resident(server)


async def _use(connection: ClientConnection, page: str, number: int) -> None:
    """Open a page, and type a text where it has a box for one."""
    visitor = Visitor(connection, page)
    await visitor.run()
    if page:
        await visitor.run(_text(number, "a tab"))


def visit(url: str) -> connect:
    """Return a connection to the server at ``url``, to be awaited or entered: the web socket of one tab."""
    parts = urlsplit(url)
    return connect(f"ws://{parts.netloc}/_stcore/stream", subprotocols=["streamlit"], origin=url, max_size=None)  # type: ignore[arg-type, list-item]


def _text(visitor: int, take: str) -> str:
    """Return a review of about 200 tokens that nobody else types."""
    known = examples()
    texts = [known[(visitor + position) % len(known)].text for position in range(3)]
    return f"Take {take} by {visitor}. {' '.join(texts)}"


def _server() -> int:
    """Return the process of the server that this one has started last."""
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
    "visitors", "How long do ten visitors at once wait, and 20, and 50, and what memory do they take?", measure, "pages"
)
