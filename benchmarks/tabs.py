"""What memory do visitors take on the server, at most and each, and does it come back when they have gone?

As in ``visitors.py``, visitors speak to a real server over its web socket: each opens the page and types a text that
nobody typed before. Memory is the server's resident set while 10, 20 and 50 of them are there; from that, a further
visitor's; and when all 50 have just typed at the same moment. Then all close their tabs. What is free goes back to the
system at once (`TIGHT`): with malloc's defaults the set is up to 120 MB larger and varies by 30, which would hide a
leak.

A session that is closed is kept for a while, in case its tab comes back, and dropped when another tab is closed
thereafter: here for two seconds instead of Streamlit's two minutes. So ten tabs are opened, used and closed one after
the other whenever memory is read before or after a crowd: each time the same ten sessions are left, and Python has
collected its garbage after the last one's script. The first crowd types until the caches are full: it leaves what the
page remembers for all visitors, up to its bounds. What is more when two others have come and gone was kept by the
allocator, or leaks, and for that there is a bar.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from websockets.asyncio.client import ClientConnection

from benchmarks import ROOT, Benchmark, Row
from benchmarks.browser import PEER, fresh_server, plain_app
from benchmarks.visitors import CROWDS, PAGE, Visitor, typed_by, visit

TIGHT = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""Settings of glibc's malloc; the second costs a seventh more time and is not the image's."""
KEPT = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "2"}  # seconds
TABS, DROPPED_AFTER = 10, 4.0  # opened and closed before memory is read; seconds before that
TEXTS, LATER = 3, 2  # that each of the first crowd types; crowds after it
EACH_BAR, PEAK_BAR, LEFT_BAR = 10.0, 700.0, 10.0  # megabytes


@dataclass(frozen=True)
class Memory:
    """The server's memory in megabytes as visitors come and go.

    Attributes:
        there: by the number of visitors who are there.
        peak: when all of the largest crowd have typed at once.
        before, first, last: without visitors: before a crowd came, when it had gone, when the others had.
    """

    there: Mapping[int, float]
    peak: float
    before: float
    first: float
    last: float

    @property
    def each(self) -> float:
        """What a further visitor takes, between the smallest crowd and the largest."""
        return (self.there[CROWDS[-1]] - self.there[CROWDS[0]]) / (CROWDS[-1] - CROWDS[0])


def measure() -> Iterator[Row]:
    """Yield the memory of crowds, of a further visitor, and what is left when all are gone."""
    with patch.dict(os.environ, TIGHT | KEPT), plain_app() as plain:
        with fresh_server(plain) as url:
            bare = asyncio.run(_visited(url, _server(), ""))
        with fresh_server(ROOT) as url:
            ours = asyncio.run(_visited(url, _server(), PAGE))
    peer, most = f"{PEER}, same number of visitors", CROWDS[-1]
    for count in CROWDS:
        what = f"server memory with {count} visitors on `20_One_review`"
        yield Row(what, "MB", (ours.there[count],), peer, (bare.there[count],))
    what = f"the same when all {most} type at once"
    yield Row(what, "MB", (ours.peak,), peer, (bare.peak,), PEAK_BAR)
    yield Row("server memory per additional visitor", "MB", (ours.each,), PEER, (bare.each,), EACH_BAR)
    what = f"server memory left after {most} tabs were opened, used and closed"
    yield Row(what, "MB", (ours.first - ours.before,), peer, (bare.first - bare.before,))
    what = f"memory left after {LATER * most} more tabs, with caches already full"
    yield Row(what, "MB", (ours.last - ours.first,), peer, (bare.last - bare.first,), LEFT_BAR)


async def _visited(url: str, server: int, page: str) -> Memory:
    before = await _after_tabs(url, server, page)
    there: dict[int, float] = {}
    async with AsyncExitStack() as tabs:
        visitors = []
        for number in range(1, CROWDS[-1] + 1):
            visitors.append(await _opened(await tabs.enter_async_context(visit(url)), page, number))
            if number in CROWDS:
                there[number] = _resident(server)
        peak = max([await _typed_at_once(visitors, server, f"text {number}") for number in range(1, TEXTS)])
    first = last = await _after_tabs(url, server, page)
    for crowd in range(LATER):
        async with AsyncExitStack() as tabs:
            connections = [await tabs.enter_async_context(visit(url)) for _ in range(CROWDS[-1])]
            start = 100 * (crowd + 1)
            later = [await _opened(tab, page, start + number) for number, tab in enumerate(connections)]
            peak = max(peak, await _typed_at_once(later, server, f"crowd {crowd}"))
        last = await _after_tabs(url, server, page)
    return Memory(there, peak, before, first, last)


async def _opened(connection: ClientConnection, page: str, number: int) -> Visitor:
    """Return a visitor who has opened a page, and typed a text where it has a box for one."""
    visitor = Visitor(connection, page)
    await visitor.run()
    if page:
        await visitor.run(typed_by(number, "a tab"))
    return visitor


async def _typed_at_once(visitors: list[Visitor], server: int, what: str) -> float:
    """Return the megabytes when all have typed a text at the same moment."""
    texts = [typed_by(number, what) if visitor.page else None for number, visitor in enumerate(visitors)]
    await asyncio.gather(*(visitor.run(text) for visitor, text in zip(visitors, texts, strict=True)))
    return _resident(server)


async def _after_tabs(url: str, server: int, page: str) -> float:
    """Return the megabytes when some tabs were opened, used and closed, one after the other."""
    await asyncio.sleep(DROPPED_AFTER)
    for number in range(TABS):
        async with visit(url) as connection:
            await _opened(connection, page, -number)
    return _resident(server)


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


BENCHMARK = Benchmark("tabs", "How much server memory do visitors take, and is it freed?", measure, "pages")
