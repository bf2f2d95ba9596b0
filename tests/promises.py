"""What is promised of each of many things, asked of a thing in one test: what it computes is computed once.

Each promise that is not kept is a failure of its own, which names it beside the thing; the others are asked as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, TypeVar

import pytest

Asked = TypeVar("Asked", bound=Callable[..., None])


class Promises:
    """Functions that fail where a promise is not kept; as a decorator it takes one more."""

    def __init__(self) -> None:
        self._asked: list[Callable[..., None]] = []

    def __call__(self, promise: Asked) -> Asked:
        """Ask ``promise`` as well, after those before it."""
        self._asked.append(promise)
        return promise

    def ask(self, subtests: pytest.Subtests, **about: Any) -> None:
        """Ask all of them, each about what it takes of ``about`` by name."""
        for promise in self._asked:
            with subtests.test(promise.__name__.replace("_", " ")):
                promise(**{name: about[name] for name in signature(promise).parameters})


def for_each(things: Iterable[Any]) -> Callable[[Callable[[Any], None]], Callable[[pytest.Subtests], None]]:
    """Return a decorator: what is asked of one thing is asked of all in one test, which names each that fails."""
    asked = list(things)

    def decorate(promise: Callable[[Any], None]) -> Callable[[pytest.Subtests], None]:
        def test(subtests: pytest.Subtests) -> None:
            if not asked:
                pytest.skip("there is none yet")
            for thing in asked:
                with subtests.test(thing.name):
                    promise(thing)

        test.__name__, test.__doc__, test.__module__ = promise.__name__, promise.__doc__, promise.__module__
        return test

    return decorate
