"""Controls that every page shares; what they show is in the page's address."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from nlpviz.runs import Run, list_runs
from nlpviz.ui import address, cache
from nlpviz.ui.frame import explain_error


def best_run(kind: str = "classifier") -> Run:
    """Return the run to begin with, and say what is wrong with any; the page ends where there is none.

    It is the most accurate one on the largest test split: a toy's perfect answers prove little.
    """
    for problem in list_runs()[1]:
        explain_error(problem)
    runs = cache.runs(kind)
    if not runs:
        st.info("There is no trained run yet. `python -m nlpviz train imdb-cnn` makes one.")
        st.stop()
    return max(runs.values(), key=lambda run: (run.metrics["test"]["documents"], run.metrics["test"]["accuracy"]))


def pick_run(kind: str = "classifier") -> Run:
    """Return the run that the visitor chose, at first the best one."""
    first, runs = best_run(kind), cache.runs(kind)
    names = [first.name, *(name for name in runs if name != first.name)]
    return runs[pick("run", "Run", names, lambda name: runs[name].title)]


def pick(
    key: str,
    label: str,
    options: Sequence[str],
    name: Callable[[str], str] = str,
    on_change: Callable[[], None] | None = None,
) -> str:
    """Return one of ``options``; the first is the default.

    Args:
        key: of the control, and its parameter in the address.
        label: what people read over the control.
        options: what may stand in the address.
        name: what people read for an option.
        on_change: is called when the visitor chose another one.
    """
    address.read(key, key, options, options[:1])
    chosen = st.selectbox(label, options, format_func=name, key=key, on_change=on_change, persist_state="session")
    address.write(key, key, [chosen], options[:1])
    return chosen


def pick_epoch(run: Run) -> int:
    """Return one epoch, on a slider that starts at the chosen one."""
    options, default = [str(epoch) for epoch in run.epochs], [str(run.best_epoch)]
    address.read("one_epoch", "epoch", options, default)
    label = f"Epoch: 0 is before training, {run.best_epoch} was chosen"
    epoch = st.select_slider(label, options, key="one_epoch", persist_state="session")
    address.write("one_epoch", "epoch", [epoch], default)
    return int(epoch)


def pick_epochs(run: Run, default: Sequence[int], most: int = 4) -> tuple[int, ...]:
    """Return the epochs to show side by side, in ascending order: at least one, at most ``most``."""
    options = [str(epoch) for epoch in run.epochs]
    first = sorted({str(epoch) for epoch in default}, key=int)
    address.read("epochs", "epoch", options, first, many=True)
    chosen = st.pills(
        "Epochs, side by side",
        options,
        selection_mode="multi",
        key="epochs",
        persist_state="session",
        help=f"0 is before training; {run.best_epoch} was chosen on the validation texts. At most {most} at once.",
    )
    shown = sorted(chosen, key=int)[-most:] or [str(run.best_epoch)]
    address.write("epochs", "epoch", shown, first)
    if len(chosen) > most:
        st.info(f"{len(chosen)} epochs are chosen and {most} fit side by side: the last {most} are shown.")
    return tuple(int(epoch) for epoch in shown)


def set_to(key: str) -> Callable[[str], None]:
    """Return what gives the control called ``key`` a value: for a click on a figure."""

    def choose(value: str) -> None:
        st.session_state[key] = value

    return choose
