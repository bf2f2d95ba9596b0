"""How long do ten visitors at once wait on the saliency page, or 20, or 50?

The visitors speak to a real server over its web socket, as a browser does, but draw nothing: ten browsers beside the
server would measure themselves. Each opens the page, then all type a text of their own at the same moment, again
and again, texts that nobody typed before; a sample is the time from one visitor's text to the end of their script. The
peer is one visitor alone with a bare page and one `st.plotly_chart`, as in the other rows. What memory they take is
measured in ``tabs.py``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from math import ceil
from time import perf_counter
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
WAIT_BAR = 500.0  # milliseconds
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


def measure() -> Iterator[Row]:
    """Yield the wait of each crowd."""
    with plain_app() as plain, fresh_server(plain) as bare:
        alone = asyncio.run(_alone(bare))
    with fresh_server(ROOT) as url:
        for count in CROWDS:
            what = f"`20_One_review`, {count} visitors type at once, until the script has finished"
            bar = WAIT_BAR if count == CROWDS[0] else None
            yield Row(what, "ms", asyncio.run(_at_once(url, count)), f"{PEER}, one visitor", alone, bar, PERCENTILE)


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
        texts = [typed_by(position, f"{number} of {count}") for position in range(count)]
        waited = await asyncio.gather(*(visitor.run(text) for visitor, text in zip(visitors, texts, strict=True)))
        if number >= WARM_UP:
            samples += [1000 * seconds for seconds in waited]
    for connection in connections:
        await connection.close()
    return tuple(samples)


def visit(url: str) -> connect:
    """Return a connection to the server at ``url``, to be awaited or entered: the web socket of one tab."""
    parts = urlsplit(url)
    return connect(f"ws://{parts.netloc}/_stcore/stream", subprotocols=["streamlit"], origin=url, max_size=None)  # type: ignore[arg-type, list-item]


def typed_by(visitor: int, take: str) -> str:
    """Return a review of about 200 tokens that nobody else types."""
    known = examples()
    texts = [known[(visitor + position) % len(known)].text for position in range(3)]
    return f"Take {take} by {visitor}. {' '.join(texts)}"


BENCHMARK = Benchmark("visitors", "How long do 10, 20 and 50 simultaneous visitors wait?", measure, "pages")
