"""The visitor's race on a toy task: its settings, and the race that trains it in the server's one thread."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nlpviz.experiments.toys import ToyTask, toy_tasks
from nlpviz.experiments.toys.networks import entrants
from nlpviz.experiments.toys.race import Race
from nlpviz.experiments.toys.training import ToySettings
from nlpviz.ui import races, widgets

_RACE = "toy race"  # in the session
_FIRST = ("elman", "gru", "lstm")
_RATES = ("own", "0.0005", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05")
_SEEDS, _EXAMPLES = 10, 50
_PARAMETERS = ("task", "length", "cell", "rate", "seed", "look", "example")
_EXAMPLE, _LENGTH, _CELLS = "toy_example", "toy_length", "toy_cells"


@dataclass(frozen=True)
class ToyChoice:
    """What a visitor chose.

    Attributes:
        task: by name.
        length: of its sequences.
        cells: the networks that race.
        rate: of Adam at first; None for each network's own.
        seed: of weights and sequences.
    """

    task: str
    length: int
    cells: tuple[str, ...]
    rate: float | None
    seed: int

    @property
    def of(self) -> ToyTask:
        """The task."""
        return toy_tasks()[self.task]

    def race(self) -> Race:
        """Return a race of the networks, not begun."""
        settings = ToySettings(self.length, self.of.schedule.steps, self.rate, self.seed)
        return Race(self.of, self.cells, settings)


def asked_for() -> dict[str, list[str]]:
    """Return what the address asks for, before any control is drawn."""
    return {name: st.query_params.get_all(name) for name in _PARAMETERS}


def in_vain(asked: dict[str, list[str]]) -> bool:
    """Return whether some of it was not there, which the page says under the bar until it runs again."""
    return any(set(values) - set(_drawn(name)) for name, values in asked.items())


def _drawn(name: str) -> list[str]:
    """Return what the control of a parameter shows."""
    held = st.session_state.get({"length": _LENGTH, "cell": _CELLS, "example": _EXAMPLE}.get(name, name))
    return list(held) if isinstance(held, list) else [str(held)]


def pick_length(task: ToyTask) -> int:
    """Return how long the sequences are to be."""
    options, label = [str(length) for length in task.offered], task.facts.unit.capitalize()
    return int(widgets.pick(_LENGTH, label, options, default=[str(task.length)], parameter="length"))


def pick_cells() -> tuple[str, ...]:
    """Return the networks that are to race; the page ends where none is chosen."""
    known = entrants()
    chosen = widgets.pick_some(_CELLS, "Networks", known, _FIRST, parameter="cell", draw=st.multiselect)
    if not chosen:
        st.info("Choose at least one network.")
        st.stop()
    return tuple(name for name in known if name in chosen)


def pick_rate() -> float | None:
    """Return the learning rate that the visitor chose; None for each network's own."""
    chosen = widgets.pick(
        "rate", "Learning rate", _RATES, lambda rate: "each network’s default" if rate == "own" else rate
    )
    return None if chosen == "own" else float(chosen)


def pick_seed() -> int:
    """Return the seed of weights and sequences."""
    return int(widgets.pick("seed", "Seed", [str(seed) for seed in range(_SEEDS)]))


def pick_look(cells: tuple[str, ...]) -> str:
    """Return the network whose states are shown: at first the last one, which has gates where one has."""
    known = entrants()
    return widgets.pick("look", "Network shown", tuple(reversed(cells)), lambda name: known[name].title)


def pick_example() -> int:
    """Return the number of the example that is read, from 1."""
    options = [str(number) for number in range(1, _EXAMPLES + 1)]
    chosen = widgets.pick(_EXAMPLE, "Example", options, parameter="example")
    st.button("Another example", on_click=_next_example, icon=":material/casino:")
    return int(chosen)


def own_race(choice: ToyChoice) -> Race:
    """Return this visitor's race for what was chosen; another one of this visitor is given up."""
    return races.own(_RACE, choice, choice.race)


def start_again(choice: ToyChoice) -> None:
    """Put a new race in the place of the visitor's."""
    races.fresh(_RACE, choice, choice.race)


def _next_example() -> None:
    held = st.session_state.get(_EXAMPLE)
    st.session_state[_EXAMPLE] = str(int(held) % _EXAMPLES + 1) if held else "2"
