"""Collect one typed constant from every module of a package.

A new model, method, corpus, recipe or projector is one new file: nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TypeVar

T = TypeVar("T")


class DiscoveryError(Exception):
    """A module exports a constant of the wrong type, or two modules use one name."""


@cache
def discover(package: str, constant: str, kind: type[T]) -> dict[str, T]:
    """Return ``{value.name: value}`` for every module of ``package`` that defines ``constant``.

    Modules are visited in alphabetical order, and so are the keys of what comes back.

    Args:
        package: dotted name of a package, for example ``"nlpviz.analysis.attribution"``.
        constant: the name to look for, for example ``"METHOD"``.
        kind: the type that the constant must have; it needs an attribute ``name``.

    Raises:
        DiscoveryError: if a constant is of another type or a name is used twice.
    """
    result: dict[str, T] = {}
    folder = importlib.import_module(package).__path__
    for module_info in sorted(pkgutil.iter_modules(folder), key=lambda info: info.name):
        module = importlib.import_module(f"{package}.{module_info.name}")
        value = getattr(module, constant, None)
        if value is None:
            continue
        if not isinstance(value, kind):
            raise DiscoveryError(f"{module.__name__}.{constant} is a {type(value).__name__}, not a {kind.__name__}")
        name = str(value.name)  # type: ignore[attr-defined]
        if name in result:
            raise DiscoveryError(f"{module.__name__} uses the name {name!r}, which another module of {package} has")
        result[name] = value
    return dict(sorted(result.items()))
