"""Many visitors at the same moment, the first that a server has: what they import meets in its threads."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from random import Random

import pytest

from benchmarks.visitors import Visitor, visit
from tests.browser.conftest import address
from tests.conftest import views_of_pages

VISITORS = 30


async def all_at_once(url: str, pages: list[str]) -> None:
    """Open ``pages``, each for a visitor of its own, and ask for all of them at the same moment."""
    async with AsyncExitStack() as tabs:
        visitors = [Visitor(await tabs.enter_async_context(visit(url)), page) for page in pages]
        await asyncio.gather(*(visitor.run() for visitor in visitors))


# Each trial has a server of its own, and other views in another order; what meets in threads is a matter of luck.
@pytest.mark.slow
@pytest.mark.parametrize("trial", [0, 1])
def test_the_first_visitors_of_a_server_may_come_all_at_once(
    fresh_server: str, pytestconfig: pytest.Config, trial: int
) -> None:
    """No page fails, and the server logs no traceback."""
    pages = [address(file, view).removeprefix("/") for file, view in views_of_pages(pytestconfig.rootpath)]
    pages = Random(trial).sample(pages, VISITORS)
    with ThreadPoolExecutor(1) as thread:  # in this one Playwright's loop may be running
        thread.submit(lambda: asyncio.run(all_at_once(fresh_server, pages))).result()
