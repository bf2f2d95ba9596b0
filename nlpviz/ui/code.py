"""The Python code under a figure: the call that draws it, written as a program."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NamedTuple, cast

import numpy as np

from nlpviz.runs import Run, open_run
from nlpviz.ui.calls import Call, Part

_HEAD = "# Save this as a file in any folder and run it with the Python of nlpviz: PATH-TO-NLPVIZ/.venv/bin/python FILE"
_WIDTH = 100
_LONGEST_ARRAY, _LONGEST_STRING = 64, 40
_VARIABLES = {"open_run": "run", "ask": "run", "load": "model"}
"""The variable that holds what a function returns, by its name; ``result`` for all others."""


class Program(NamedTuple):
    """A program, and the runs that it opens."""

    code: str
    runs: tuple[Run, ...]


def python(figure: Call[Any]) -> Program:
    """Return a program that makes the call of a figure, prints the figure's table and saves the figure.

    Raises:
        TypeError: if an argument cannot be written as Python.
    """
    program = _Writer()
    view, save = program.called(figure), program.imported("nlpviz.figures.page", "save_figure")
    body = [
        *program.lines,
        *_assigned("view", view),
        "table = pd.DataFrame(view.table)",
        "print(table)",
        f'print("The figure:", {save}(view))',
    ]
    numpy = ["import numpy as np"] if any("np.array(" in line for line in body) else []
    imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(program.imports.items())]
    return Program("\n".join([_HEAD, *numpy, "import pandas as pd", "", *imports, "", *body, ""]), tuple(program.runs))


class _Writer:
    """Imports and assignments, collected while a call is written.

    Attributes:
        imports: imported names by module.
        lines: assignments, in order.
        runs: that are opened.
    """

    def __init__(self) -> None:
        self.imports: dict[str, set[str]] = {}
        self.lines: list[str] = []
        self.runs: list[Run] = []
        self._variables: dict[str, str] = {}

    def imported(self, module: str, name: str) -> str:
        """Import a name and return it."""
        if any(name in names for other, names in self.imports.items() if other != module):
            raise TypeError(f"two modules define {name}")
        self.imports.setdefault(module, set()).add(name)
        return name

    def called(self, call: Call[Any]) -> tuple[str, list[str]]:
        """Return what is called and its arguments, as code."""
        function, arguments = call.function, list(call.arguments)
        owner, _, name = function.__qualname__.rpartition(".")
        if name.startswith("_") or "<" in function.__qualname__:
            raise TypeError(f"{function.__qualname__} is not public")
        bound = getattr(function, "__self__", None)
        if isinstance(bound, type):
            what = f"{self.imported(bound.__module__, bound.__name__)}.{name}"
        elif owner:
            what = f"{self._written(arguments.pop(0))}.{name}"
        else:
            what = self.imported(function.__module__, name)
        written = [self._written(argument) for argument in arguments]
        return what, written + [f"{name}={self._written(value)}" for name, value in call.options.items()]

    def _variable(self, call: Call[Any]) -> str:
        """Return the variable with the result of a call; equal calls share one."""
        name = _VARIABLES.get(call.function.__name__, "result")
        return self._named(name, *self.called(call))

    def _named(self, name: str, what: str, written: list[str] | None = None) -> str:
        """Return the variable with a value, or with the result of a call, its arguments ``written``."""
        whole = what if written is None else f"{what}({', '.join(written)})"
        if whole not in self._variables:
            number = sum(known.split("_")[0] == name for known in self._variables.values()) + 1
            self._variables[whole] = variable = name if number == 1 else f"{name}_{number}"
            self.lines += [f"{variable} = {what}"] if written is None else _assigned(variable, (what, written))
        return self._variables[whole]

    def _written(self, value: object) -> str:
        """Return an argument as code."""
        if isinstance(value, Call):
            return self._variable(value)
        if isinstance(value, Part):
            whole = self._written(value.whole)
            return f"{whole}[{self._key(value.key)}]" if value.item else f"{whole}.{value.key}"
        if isinstance(value, Run):
            self.runs.append(value)
            return self._variable(_opened(value))
        if isinstance(value, enum.Enum):
            return f"{self.imported(type(value).__module__, type(value).__name__)}.{value.name}"
        if isinstance(value, np.ndarray | np.generic):
            return self._numbers(value)
        if (is_dataclass(value) and not isinstance(value, type)) or hasattr(value, "_fields"):
            name = self.imported(type(value).__module__, type(value).__name__)
            return f"{name}({', '.join(self._fields(value))})"
        return self._literal(value)

    def _key(self, key: object) -> str:
        if isinstance(key, slice):
            return f"{'' if key.start is None else key.start}:{'' if key.stop is None else key.stop}"
        return self._written(key)

    def _numbers(self, values: np.ndarray | np.generic) -> str:
        if values.size > _LONGEST_ARRAY:
            raise TypeError(f"an array of {values.size} numbers is too long for code")
        written = self._literal(values.tolist())
        return f"np.array({written})" if isinstance(values, np.ndarray) else written

    def _fields(self, record: object) -> Iterator[str]:
        """Yield the fields of a record that differ from their defaults, as arguments."""
        if is_dataclass(record):
            defaults = {each.name: each.default for each in fields(record)}
        else:
            known = cast("Any", record)
            defaults = {name: known._field_defaults.get(name, MISSING) for name in known._fields}
        for name, default in defaults.items():
            value = getattr(record, name)
            if default is MISSING or (value is not default and value != default):
                yield f"{name}={self._written(value)}"

    def _literal(self, value: object) -> str:
        if type(value) is float and not np.isfinite(value):
            return f'float("{value}")'
        if type(value) is str and len(value) > _LONGEST_STRING:
            return self._named("text", repr(value))
        if type(value) in (str, int, float, bool, range, type(None)):
            return repr(value)
        if type(value) is tuple:
            inside = ", ".join(map(self._written, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if type(value) is list and len(value) > 2 and all(type(item) is Run for item in value):
            self.runs += value
            return f"[{self.imported('nlpviz.runs', 'open_run')}(name) for name in {[run.name for run in value]}]"
        if type(value) is list:
            return f"[{', '.join(map(self._written, value))}]"
        if isinstance(value, Mapping):
            return f"{{{', '.join(f'{self._written(key)}: {self._written(item)}' for key, item in value.items())}}}"
        name = getattr(value, "__qualname__", "_")
        if callable(value) and name.isidentifier() and not name.startswith("_"):
            return self.imported(value.__module__, name)
        raise TypeError(f"{type(value).__name__} cannot be written as code")


def _opened(run: Run) -> Call[Run]:
    """Return the call that opens a run; that of a language model is then asked for the same two words."""
    opened = Call(open_run, run.name)
    if type(run) is Run:
        return opened
    from nlpviz.language.logit_difference import AskedRun, ask  # with torch, which such a run has loaded

    assert isinstance(run, AskedRun)
    return Call(ask, opened, run.words)


def _assigned(name: str, call: tuple[str, list[str]]) -> list[str]:
    """Return an assignment, with a line for each argument if it is too long for one line."""
    what, written = call
    line = f"{name} = {what}({', '.join(written)})"
    if len(line) <= _WIDTH or not written:
        return [line]
    return [f"{name} = {what}(", *(f"    {argument}," for argument in written), ")"]
