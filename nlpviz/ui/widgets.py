"""Controls that every page shares; what they show is in the page's address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from nlpviz.kinds import kind_of
from nlpviz.kinds.listing import known_runs, worth
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import address, cache
from nlpviz.ui.frame import explain_error

_PASSING, _DRAWN = "epochs pass", "page is drawn"  # in the session
_PACE = 1.2  # seconds for each epoch, of which the points move for 0.4


@dataclass(frozen=True)
class Wanted:
    """Which runs a page is about.

    Attributes:
        page: its name: kinds say which pages ask their runs. Empty for all runs that have a history.
        able: whether such a run has what the page shows.
        named: what people call such a run.
        recipe: one that makes such a run.
    """

    page: str
    able: Callable[[Run], bool] = lambda _: True
    named: str = "trained run"
    recipe: str = "imdb-cnn"

    def runs(self) -> dict[str, Run]:
        """Return these runs by name."""
        return {name: run for name, run in cache.runs().items() if self._asks(run) and self.able(run)}

    def _asks(self, run: Run) -> bool:
        kind = kind_of(run)
        return self.page in kind.pages if self.page else kind.record is not None


ANY_CLASSIFIER = Wanted("Saliency")
ANY_RUN = Wanted("")


def some_runs(wanted: Wanted | None = None) -> dict[str, Run]:
    """Return the runs that a page is about, by default all, and say what is wrong with any; it ends without one."""
    for problem in known_runs()[1]:
        explain_error(problem)
    runs = cache.runs() if wanted is None else wanted.runs()
    if not runs:
        missing = wanted or ANY_RUN
        st.info(f"There is no {missing.named} yet. `python -m nlpviz train {missing.recipe}` makes one.")
        st.stop()
    return runs


def best_run(wanted: Wanted = ANY_CLASSIFIER) -> Run:
    """Return the run to begin with, and say what is wrong with any; the page ends where there is none."""
    return best_of(some_runs(wanted))


def best_of(runs: Mapping[str, Run]) -> Run:
    """Return the one of these runs to begin with: of the first kind there is, the one that this thinks most of."""
    first = min(runs.values(), key=_order).kind
    return max((run for run in runs.values() if run.kind == first), key=worth)


def _order(run: Run) -> int:
    return kind_of(run).order


def pick_run(wanted: Wanted = ANY_CLASSIFIER) -> Run:
    """Return the run that the visitor chose, at first the best one."""
    first, runs = best_run(wanted), wanted.runs()
    names = [first.name, *(run.name for run in sorted(runs.values(), key=_order) if run.name != first.name)]
    return runs[pick("run", "Run", names, lambda name: runs[name].title)]


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


def pick_epoch(run: Run) -> int:
    """Return one epoch, on a slider that starts at the chosen one; a button lets the epochs pass."""
    options, default = [str(epoch) for epoch in run.epochs], [str(run.best_epoch)]
    address.read("one_epoch", "epoch", options, default)
    label = f"Epoch: 0 is before training, {run.best_epoch} was chosen"
    passing = st.session_state.get(_PASSING, False)
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_epoch"):
        epoch = st.select_slider(label, options, key="one_epoch", persist_state="session")
        name, icon = ("Stop", ":material/stop:") if passing else ("Let the epochs pass", ":material/play_arrow:")
        st.button(name, icon=icon, key="pass_epochs", on_click=_pass_or_stop, args=(options[0],))
    address.write("one_epoch", "epoch", [epoch], default)
    if passing:
        st.session_state[_DRAWN] = True
        _pass_on(options)
    return int(epoch)


def _pass_or_stop(first: str) -> None:
    """Begin at the first epoch, or stop where it is."""
    st.session_state[_PASSING] = not st.session_state.get(_PASSING, False)
    if st.session_state[_PASSING]:
        st.session_state["one_epoch"] = first


@st.fragment(run_every=_PACE)
def _pass_on(epochs: Sequence[str]) -> None:
    """Go on to the next epoch whenever this runs by itself and not with its page; end at the last one."""
    if st.session_state.pop(_DRAWN, False):
        return
    position = epochs.index(st.session_state["one_epoch"]) + 1
    if position < len(epochs):
        st.session_state["one_epoch"] = epochs[position]
    else:
        st.session_state[_PASSING] = False
    st.rerun()


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


def pick_checkpoints(
    run: Run, default: Sequence[int], most: int = 4, wanted: Wanted = ANY_CLASSIFIER
) -> tuple[Checkpoint, ...]:
    """Return what to show side by side: epochs of ``run``, and of another run on the same corpus if one is chosen.

    The other run shows the epochs that were chosen of the first, as far as it keeps them, and its own chosen epoch
    in place of the first run's.
    """
    epochs = pick_epochs(run, default, most)
    shown = [Checkpoint(run, epoch) for epoch in epochs]
    others = {
        name: other
        for name, other in wanted.runs().items()
        if name != run.name and other.corpus["name"] == run.corpus["name"]
    }
    if not others:
        address.leave_out("beside", "beside", [])
        return tuple(shown)
    names = {"none": "no other run"} | {name: other.title for name, other in others.items()}
    beside = pick("beside", "Beside another run", list(names), names.__getitem__)
    if beside != "none":
        other = others[beside]
        same = {other.best_epoch if epoch == run.best_epoch else epoch for epoch in epochs}
        kept = sorted(same & set(other.epochs)) or [other.best_epoch]
        shown += [Checkpoint(other, epoch) for epoch in kept]
    return tuple(shown)


def only_epoch(run: Run) -> int:
    """Return the chosen epoch where it is the only one that is shown; a link that asks for another is told."""
    address.leave_out("one_epoch", "epoch", [str(run.best_epoch)])
    return run.best_epoch


def set_to(key: str) -> Callable[[str], None]:
    """Return what gives the control called ``key`` a value: for a click on a figure."""

    def choose(value: str) -> None:
        st.session_state[key] = value

    return choose
