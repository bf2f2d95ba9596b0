"""Controls that every page shares; what they show is in the page's address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from nlpviz.kinds import kind_of
from nlpviz.kinds.listing import worth
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import address, cache, report
from nlpviz.ui.frame import escape_markdown, explain_error

_PILLS_AT_MOST = 12  # epochs: more would fill a row of the bar
_BEST = "best epoch of the run that the epochs were chosen of"  # in the session


@dataclass(frozen=True)
class Wanted:
    """Which runs a page is about.

    Attributes:
        page: its name in the menu: kinds say which pages ask their runs. Empty for all runs.
        able: whether such a run has what the page shows.
        named: what people call such a run.
        recipe: one that makes such a run.
        mixed: whether runs of several kinds may stand side by side.
    """

    page: str
    able: Callable[[Run], bool] = lambda _: True
    named: str = "trained run"
    recipe: str = "imdb-cnn"
    mixed: bool = False

    def runs(self) -> dict[str, Run]:
        """Return these runs by name."""
        return {name: run for name, run in cache.runs().items() if self.asks(run)}

    def asks(self, run: Run) -> bool:
        """Return whether the page is about a run."""
        return (not self.page or self.page in kind_of(run).pages) and self.able(run)


ANY_CLASSIFIER = Wanted("One review")
ANY_RUN = Wanted("")
WITH_HISTORY = Wanted("", able=lambda run: bool(run.epochs) and kind_of(run).record is not None)


def some_runs(wanted: Wanted | None = None) -> dict[str, Run]:
    """Return the runs that a page is about, by default all, and say what is wrong with any; it ends without one."""
    for problem in cache.problems():
        explain_error(problem)
    runs = cache.runs() if wanted is None else wanted.runs()
    if not runs:
        missing = wanted or ANY_RUN
        st.info(f"There is no {missing.named} yet: `python -m nlpviz train {missing.recipe}` makes one.")
        st.stop()
    return runs


def best_run(wanted: Wanted = ANY_CLASSIFIER) -> Run:
    """Return the run to begin with, and say what is wrong with any; the page ends where there is none."""
    return best_of(some_runs(wanted))


def tell_unmeasured(run: Run, what: str) -> None:
    """Say that a survey of ``run`` would tell ``what``, which begins a sentence; there was none."""
    st.info(
        f"{what} has not been measured for {escape_markdown(run.title)}: `python -m nlpviz survey {run.name}` does it, "
        "if its corpus is on this machine."
    )


def any_classifier() -> Run | None:
    """Return the classifier to begin with; None where there is none."""
    runs = ANY_CLASSIFIER.runs()
    return best_of(runs) if runs else None


def best_of(runs: Mapping[str, Run]) -> Run:
    """Return the one of these runs to begin with: of the first kind there is, the one that this thinks most of."""
    return _best_of(_by_kind(runs))


def _by_kind(runs: Mapping[str, Run]) -> list[Run]:
    """Return runs in the order of their kinds."""
    one_of_each = {run.kind: run for run in runs.values()}  # the others need not be asked: there may be hundreds
    kinds = sorted(one_of_each, key=lambda kind: kind_of(one_of_each[kind]).order)
    return [run for kind in kinds for run in runs.values() if run.kind == kind]


def _best_of(ordered: Sequence[Run]) -> Run:
    first = ordered[0].kind
    return max([run for run in ordered if run.kind == first], key=worth)


def pick_run(wanted: Wanted = ANY_CLASSIFIER) -> Run:
    """Return the run that the visitor chose, at first the best one."""
    runs = some_runs(wanted)
    ordered = _by_kind(runs)
    first = _best_of(ordered)
    names = [first.name, *(run.name for run in ordered if run is not first)]
    titles = {run.name: run.title for run in ordered}
    return runs[pick("run", "Model", names, titles.__getitem__)]


def pick(
    key: str,
    label: str,
    options: Sequence[str],
    name: Callable[[str], str] = str,
    on_change: Callable[[], None] | None = None,
    *,
    of_text: bool = False,
) -> str:
    """Return one of ``options``; the first is the default.

    Args:
        key: of the control, and its parameter in the address.
        label: what people read over the control.
        options: what may stand in the address.
        name: what people read for an option.
        on_change: is called when the visitor chose another one.
        of_text: whether an option is named by its position in the text, so that another text forgets it.
    """
    if of_text:
        address.forget_with_text(key)
    address.read(key, key, options, options[:1])
    chosen = st.selectbox(label, options, format_func=name, key=key, on_change=on_change, persist_state="session")
    address.write(key, key, [chosen], options[:1])
    return chosen


def number(key: str, label: str, default: float, limits: tuple[float, float], step: float, explained: str) -> float:
    """Return the number that the visitor chose.

    Args:
        key: of the field, and its parameter in the address.
        label: what people read over it.
        default: the number at first; with an ``int`` the limits and the step are, too, and so is what is returned.
        limits: the least and the largest number.
        step: of the buttons beside it.
        explained: what the number does.
    """
    low, high = limits
    address.read_number(key, key, default, low, high)
    chosen = st.number_input(label, low, high, step=step, key=key, persist_state="session", help=explained)
    address.write_number(key, key, chosen, default)
    return chosen


def select(
    key: str, label: str, options: Sequence[str], name: Callable[[str], str], on_change: Callable[[], None]
) -> None:
    """Draw a select box for what stands in the session under ``key``, which other controls set as well.

    A box in a closed popover is not told of a new value, and goes on sending its old one. So it has a key of its own,
    another one whenever something else has set the value: what is sent for the old one is heard no more.

    Args:
        key: in the session, and set.
        label: what people read over the control.
        options: what may be chosen.
        name: what people read for an option.
        on_change: is called when the visitor chose another one, which then stands under ``key``.
    """
    count = f"times that {key} was set elsewhere"
    own = f"{key} {st.session_state.setdefault(count, 0)}"
    if st.session_state.get(own, st.session_state[key]) != st.session_state[key]:
        st.session_state[count] += 1
        own = f"{key} {st.session_state[count]}"
    st.session_state[own] = st.session_state[key]

    def chosen() -> None:
        st.session_state[key] = st.session_state[own]
        on_change()

    st.selectbox(label, options, format_func=name, key=own, on_change=chosen)


def pick_epoch(run: Run) -> int:
    """Return the one epoch that the visitor chose, at first the best one."""
    options, default = [str(epoch) for epoch in run.epochs], [str(run.best_epoch)]
    address.read("one_epoch", "epoch", options, default)
    explained = f"0 is before training; {run.best_epoch} is the best epoch (validation)."
    if len(options) > _PILLS_AT_MOST:
        epoch: str | None = st.selectbox("Epoch", options, key="one_epoch", persist_state="session", help=explained)
    else:
        epoch = st.pills("Epoch", options, key="one_epoch", required=True, persist_state="session", help=explained)
    address.write("one_epoch", "epoch", [str(epoch)], default)
    return int(str(epoch))


def pick_epochs(run: Run, default: Sequence[int], most: int = 4, *, surveyed: bool = False) -> tuple[int, ...]:
    """Return the epochs to show side by side, in ascending order: at least one, at most ``most``."""
    options = [str(epoch) for epoch in (run.surveyed if surveyed else run.epochs)]
    first = sorted({str(epoch) for epoch in default}, key=int)
    best = str(run.best_epoch)
    address.renamed("epochs", st.session_state.get(_BEST, best), best)
    st.session_state[_BEST] = best
    address.read("epochs", "epoch", options, first, many=True)
    chosen = st.pills(
        "Epochs",
        options,
        selection_mode="multi",
        key="epochs",
        persist_state="session",
        help=f"Side by side, at most {most}. 0 is before training; {run.best_epoch} is the best epoch (validation).",
    )
    shown = sorted(chosen, key=int)[-most:] or [str(run.best_epoch)]
    address.write("epochs", "epoch", shown, first)
    if len(chosen) > most:
        st.info(f"{len(chosen)} epochs are chosen, but only {most} fit side by side: the last {most} are shown.")
    return tuple(int(epoch) for epoch in shown)


def pick_checkpoints(
    run: Run, default: Sequence[int], most: int = 4, wanted: Wanted = ANY_CLASSIFIER, *, surveyed: bool = False
) -> tuple[Checkpoint, ...]:
    """Return what to show side by side: epochs of ``run``, and of another run on the same corpus if one is chosen.

    The other run shows the epochs that were chosen of the first, as far as it keeps them, and its own chosen epoch
    in place of the first run's. Where ``surveyed`` is asked for, epochs are offered whose documents were surveyed.
    """
    epochs = pick_epochs(run, default, most, surveyed=surveyed)
    shown = [Checkpoint(run, epoch) for epoch in epochs]
    other = pick_other(run, wanted)
    if other is not None:
        same = {other.best_epoch if epoch == run.best_epoch else epoch for epoch in epochs}
        kept = sorted(same & set(other.surveyed if surveyed else other.epochs)) or [other.best_epoch]
        shown += [Checkpoint(other, epoch) for epoch in kept]
    return tuple(shown)


def pick_other(run: Run, wanted: Wanted = ANY_CLASSIFIER) -> Run | None:
    """Return another run on the same corpus to compare with; None where the visitor chose none, or none is there."""
    others = {
        name: other
        for name, other in wanted.runs().items()
        if name != run.name and other.corpus["name"] == run.corpus["name"] and (wanted.mixed or other.kind == run.kind)
    }
    if not others:
        address.leave_out("beside", "beside", [])
        return None
    names = {"none": "none"} | {name: other.title for name, other in others.items()}
    return others.get(pick("beside", "Compare with", list(names), names.__getitem__))


def only_epoch(run: Run) -> int:
    """Return the chosen epoch where it is the only one that is shown; a link that asks for another is told."""
    address.leave_out("one_epoch", "epoch", [str(run.best_epoch)])
    return run.best_epoch


@contextmanager
def folded(name: str, label: str) -> Iterator[bool]:
    """Hold a part of a view that is computed only while it is open, and yield whether it is.

    Args:
        name: in the address: ``?trust=open`` opens the part called ``"trust"``.
        label: what people read; they click on it.
    """
    closed, opened = "closed", "open"
    chosen, key = f"{name} folded", f"{name} is open"  # a figure within may have the part's own name
    address.read(chosen, name, [closed, opened], [closed])
    shown = st.session_state[chosen]
    address.write(chosen, name, [shown], [closed])
    report.leave_out(name)
    st.session_state[key] = shown == opened

    def turn() -> None:
        st.session_state[chosen] = opened if st.session_state[key] else closed

    with st.expander(label, key=key, on_change=turn):
        yield shown == opened


def set_to(key: str) -> Callable[[str], None]:
    """Return what gives the control called ``key`` a value: for a click on a figure."""

    def choose(value: str) -> None:
        st.session_state[key] = value

    return choose
