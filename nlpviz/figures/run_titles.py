"""What people call runs, “CNN on IMDB”: results hold the names of their folders alone, ``imdb-cnn``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_TITLES: ContextVar[Mapping[str, str]] = ContextVar("titles", default=MappingProxyType({}))
_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*")


@contextmanager
def known(titles: Mapping[str, str]) -> Iterator[None]:
    """Let the figures that are drawn meanwhile call runs by these titles, by name."""
    token = _TITLES.set(titles)
    try:
        yield
    finally:
        _TITLES.reset(token)


def title_of(run: str) -> str:
    """Return the title of a run; its name where no title is known."""
    return _TITLES.get().get(run, run)


def in_words(text: str) -> str:
    """Return ``text`` with the titles of the runs whose names stand in it."""
    titles = _TITLES.get()
    return _NAME.sub(lambda name: titles.get(name[0], name[0]), text) if titles else text
