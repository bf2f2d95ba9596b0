"""The call that draws a figure, with the calls whose results it draws: made once, and written down as its code.

A view describes its figure as a :class:`Call` of a function of ``nlpviz.figures`` whose arguments are literals, runs,
records of these, and other calls. :func:`nlpviz.ui.plotly_view.show` makes the call and offers it as code
(:mod:`nlpviz.ui.code`), so that the figure and its code cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class Result(Generic[T]):
    """What has a result that can be computed and written down."""

    def __call__(self) -> T:
        """Return the result."""
        raise NotImplementedError

    def get(self, name: str) -> Part[Any]:
        """Return the attribute ``name`` of the result, to be computed and written down."""
        return Part(self, name, item=False)

    def at(self, key: object) -> Part[Any]:
        """Return the item ``key`` of the result, to be computed and written down; a slice is a key."""
        return Part(self, key, item=True)


class Call(Result[T]):
    """A call of a public function or method that can be made and written down.

    Attributes:
        function: what is called: a function, a class, a class method, or a method of the first argument's class.
        arguments: literals, runs, enums, records of such values, functions, other calls, and lists, tuples and
            mappings of all these.
        options: likewise, by name.
    """

    def __init__(self, function: Callable[..., T], *arguments: object, **options: object) -> None:
        self.function = function
        self.arguments = arguments
        self.options = options
        self._known: list[T] = []

    @property
    def is_made(self) -> bool:
        """Whether the result is known."""
        return bool(self._known)

    def giving(self, value: T) -> Call[T]:
        """Return this call with its result and none of those of its arguments: what a cache may hold."""
        arguments = [_forgotten(argument) for argument in self.arguments]
        call = Call(self.function, *arguments, **{name: _forgotten(item) for name, item in self.options.items()})
        call._known = [value]
        return call

    def __call__(self) -> T:
        """Return the result, computed at the first call together with the calls among the arguments."""
        if not self._known:
            arguments = [_made(argument) for argument in self.arguments]
            self._known = [self.function(*arguments, **{name: _made(value) for name, value in self.options.items()})]
        return self._known[0]


class Part(Result[T]):
    """An attribute or an item of a result."""

    def __init__(self, whole: Result[Any], key: object, *, item: bool) -> None:
        self.whole = whole
        self.key = key
        self.item = item

    def __call__(self) -> T:
        """Return the part."""
        whole = self.whole()
        return cast("T", whole[self.key] if self.item else getattr(whole, str(self.key)))


def _made(value: object) -> object:
    """Return ``value`` with the result of each call in it."""
    return _each(value, lambda result: result())


def _forgotten(value: object) -> object:
    """Return ``value`` with calls in it that have no results."""

    def bare(result: Result[Any]) -> object:
        if isinstance(result, Part):
            return Part(cast("Result[Any]", bare(result.whole)), result.key, item=result.item)
        call = cast("Call[Any]", result)
        options = {name: _forgotten(item) for name, item in call.options.items()}
        return Call(call.function, *map(_forgotten, call.arguments), **options)

    return _each(value, bare)


def _each(value: object, change: Callable[[Result[Any]], object]) -> object:
    """Return ``value`` with each call in it changed, in lists, tuples and dictionaries, too."""
    if isinstance(value, Result):
        return change(value)
    if type(value) is list:
        return [_each(item, change) for item in value]
    if type(value) is tuple:
        return tuple(_each(item, change) for item in value)
    if type(value) is dict:
        return {key: _each(item, change) for key, item in value.items()}
    return value
