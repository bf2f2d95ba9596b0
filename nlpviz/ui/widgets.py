"""Controls that every page shares; what they show is in the page's address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

import streamlit as st

from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.listing import worth
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import address, cache, report
from nlpviz.ui.frame import end_under_bar, escape_markdown, explain_error, messages

Number = TypeVar("Number", int, float)


class Titled(Protocol):
    """What people call by its title."""

    @property
    def title(self) -> str:
        """The title."""


Options: TypeAlias = Sequence[str] | Mapping[str, str] | Mapping[str, Titled]
"""What may stand in the address; as a mapping, with what people read, or what has it as its title."""

_OTHER_EPOCHS = "beside_epoch"  # in the session, and in the address
_FAMILIES = {"One review", "Inside the model", "Explore", "Your texts"}
"""Pages on classifiers: what is chosen on one of them stays chosen on the others."""
_PILLS_AT_MOST = 12  # epochs: more would fill a row of the bar
_PILLS = partial(st.pills, selection_mode="multi")


@dataclass(frozen=True)
class Wanted:
    """Which runs a page is about.

    Attributes:
        page: its name in the menu: kinds say which pages ask their runs. Empty for all runs.
        able: whether such a run has what the page shows.
        lacks: why a run is not able, in Markdown: such runs are listed with the reason; None where they are not.
        named: what people call such a run.
        recipe: one that makes such a run.
        mixed: whether runs of several kinds may stand side by side.
    """

    page: str
    able: Callable[[Run], bool] = lambda _: True
    lacks: Callable[[Run], str] | None = None
    named: str = "trained run"
    recipe: str = "imdb-cnn"
    mixed: bool = False

    @property
    def family(self) -> str:
        """The pages that share what is chosen: a model that was chosen on others is no choice here."""
        return "classifiers" if self.page in _FAMILIES else self.page or "all runs"

    def unable(self) -> dict[str, str]:
        """Return the runs that are listed although they lack what the page shows: what each lacks, by name."""
        if self.lacks is None:
            return {}
        listed = cache.runs().items()
        return {
            name: self.lacks(run)
            for name, run in listed
            if self.page in kind_of(run).pages and run.epochs and not self.able(run)
        }

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
    if not runs and not (wanted and wanted.unable()):
        if cache.runs() or cache.problems():  # else the page has said that there are none at all
            messages().info(_none_yet(wanted or ANY_RUN))
        st.stop()
    return runs


def _none_yet(wanted: Wanted) -> str:
    return f"There is no {wanted.named} yet. Run `python -m nlpviz train {wanted.recipe}` first."


def best_run(wanted: Wanted = ANY_CLASSIFIER) -> Run:
    """Return the run to begin with, and say what is wrong with any; the page ends where there is none."""
    return best_of(some_runs(wanted))


def tell_unmeasured(run: Run, what: str) -> None:
    """Say that a survey of ``run`` would tell ``what``, which begins a sentence; there was none."""
    st.info(
        f"{what} has not been measured for {escape_markdown(run.title)}. If its corpus is on this "
        f"computer, run `python -m nlpviz survey {run.name}`."
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
    """Return the run that the visitor chose, at first the best one.

    What was chosen elsewhere is shown where the page can show it, else what was chosen before. Runs that lack what the
    page shows stand at the end of the list, with the reason; the page ends under its bar where one is chosen here.
    """
    ordered, unable = _by_kind(some_runs(wanted)), wanted.unable()
    first = _best_of(ordered or _by_kind({name: cache.runs()[name] for name in unable}))
    able = [run.name for run in ordered if run is not first]
    options = list(dict.fromkeys([first.name, *able, *unable]))
    able = [name for name in options if name not in unable]
    titles = {name: run.title for name, run in cache.runs().items() if name in options}
    memory = f"run of {wanted.family}"

    def named(name: str) -> str:
        return f"{titles[name]} ({unable[name].replace('`', '')})" if name in unable else titles[name]

    address.read("run", "run", options, options[:1], memory=memory, recall=True, elsewhere=able)
    name = st.selectbox("Model", options, format_func=named, key="run", persist_state="session")
    address.write("run", "run", [name], options[:1])
    chosen = address.choice_of(memory)
    if name in unable:
        way_out = "Choose another model." if ordered else _none_yet(wanted)
        end_under_bar(f"{escape_markdown(titles[name])} cannot be shown here ({unable[name]}). {way_out}")
    elif isinstance(chosen, str) and chosen != name and chosen in cache.runs():
        why = f" ({unable[chosen]})" if chosen in unable else ""
        title = escape_markdown(cache.runs()[chosen].title)
        messages().caption(f"{title} cannot be shown here{why}. {escape_markdown(titles[name])} is shown instead.")
    return cache.runs()[name]


def pick(
    key: str,
    label: str,
    options: Options,
    name: Callable[[str], str] = str,
    *,
    default: Sequence[str] | None = None,
    parameter: str = "",
    draw: Callable[..., object] = st.selectbox,
    of_text: bool = False,
    memory: str = "",
    **drawn: object,
) -> str:
    """Return one of ``options``; empty where none is chosen.

    Args:
        key: of the control, and its parameter in the address.
        label: what people read over the control.
        options: what may be chosen.
        name: what people read for an option of a sequence.
        default: the option at first, by default the first one; none where this is empty.
        parameter: in the address, if not the key.
        draw: the function of Streamlit that draws it.
        of_text: whether an option is named by its position in the text, so that another text forgets it.
        memory: the name under which the choice is remembered; by default the key.
        drawn: further arguments of ``draw``.
    """
    if of_text:
        address.forget_with_text(key)
    listed, name = _listed(options, name)
    first = listed[:1] if default is None else default
    address.read(key, parameter or key, listed, first, memory=memory)
    value = st.session_state[key]
    label_key, named = f"label of {key}", "" if value is None else name(value)
    if st.session_state.get(label_key, named) != named:  # the browser keeps what an option was called until it is set
        st.session_state[key] = value
    st.session_state[label_key] = named
    chosen = draw(label, listed, format_func=name, key=key, persist_state="session", **drawn)
    address.write(key, parameter or key, [] if chosen is None else [str(chosen)], first)
    return "" if chosen is None else str(chosen)


def pick_some(
    key: str,
    label: str,
    options: Options,
    default: Sequence[str],
    *,
    parameter: str,
    shown: Callable[[list[str]], Sequence[str]] = list,
    draw: Callable[..., list[str]] = _PILLS,
    memory: str = "",
    **drawn: object,
) -> list[str]:
    """Return any number of ``options``, those of them that are shown.

    Args:
        key: of the control.
        label: what people read over it.
        options: what may be chosen.
        default: the options at first.
        parameter: in the address.
        shown: makes of the chosen options those that are shown and stand in the address.
        draw: the function of Streamlit that draws it.
        memory: the name under which the choice is remembered; by default the key.
        drawn: further arguments of ``draw``.
    """
    listed, name = _listed(options, str)
    address.read(key, parameter, listed, default, many=True, memory=memory)
    chosen = list(shown(draw(label, listed, format_func=name, key=key, persist_state="session", **drawn)))
    address.write(key, parameter, chosen, default)
    return chosen


def _listed(options: Options, name: Callable[[str], str]) -> tuple[list[str], Callable[[str], str]]:
    """Return the options, and what gives what people read for each."""
    if not isinstance(options, Mapping):
        return list(options), name
    titles = {key: one if isinstance(one, str) else one.title for key, one in options.items()}
    return list(titles), titles.__getitem__


def follow(key: str, options: Sequence[str], default: str, *, parameter: str, memory: str = "") -> str:
    """Return which of ``options`` stands under ``key`` in the session, where figures set it: there is no control.

    Args:
        key: in the session.
        options: what may stand in the address.
        default: the option at first.
        parameter: in the address.
        memory: the name under which the choice is remembered; by default the key.
    """
    address.read(key, parameter, options, [default], memory=memory)
    chosen = str(st.session_state[key])
    address.write(key, parameter, [chosen], [default])
    return chosen


def text(
    key: str,
    label: str,
    default: str,
    most: int,
    *,
    parameter: str = "",
    draw: Callable[..., str | None] = st.text_input,
    **drawn: object,
) -> str:
    """Return the few words that the visitor typed.

    Args:
        key: of the field, and its parameter in the address.
        label: what people read over it.
        default: the text at first.
        most: characters that the address may hold.
        parameter: in the address, if not the key.
        draw: the function of Streamlit that draws it.
        drawn: further arguments of ``draw``; without ``max_chars`` as much may be typed as the address may hold.
    """
    address.read_text(key, parameter or key, default, most)
    typed = draw(label, key=key, persist_state="session", **{"max_chars": most} | drawn) or ""
    address.write_text(key, parameter or key, typed, default, most)
    return typed


def number(
    key: str, label: str, default: Number, limits: tuple[Number, Number], step: Number, explained: str
) -> Number:
    """Return the number that the visitor chose.

    Args:
        key: of the field, and its parameter in the address.
        label: what people read over it.
        default: the number at first.
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
    count = f"external updates of {key}"
    own = f"{key} {st.session_state.setdefault(count, 0)}"
    if st.session_state.get(own, st.session_state[key]) != st.session_state[key]:
        st.session_state[count] += 1
        own = f"{key} {st.session_state[count]}"
    st.session_state[own] = st.session_state[key]

    def chosen() -> None:
        st.session_state[key] = st.session_state[own]
        on_change()

    st.selectbox(label, options, format_func=name, key=own, on_change=chosen)


def epochs_of(run: Run) -> str:
    """Return the name under which the epochs of a run are remembered that the visitor chose on any view."""
    return f"epochs of {run.name}"


def pick_epoch(run: Run) -> int:
    """Return the one epoch that the visitor chose, at first the best one."""
    chosen = pick(
        "one_epoch", "Epoch", [str(epoch) for epoch in run.epochs], default=[str(run.best_epoch)], parameter="epoch",
        memory=epochs_of(run),
        draw=st.selectbox if len(run.epochs) > _PILLS_AT_MOST else partial(st.pills, required=True),
        help=f"Epoch 0 is before training; epoch {run.best_epoch} is the best on the validation set.",
    )  # fmt: skip
    return int(chosen)


def pick_epochs(run: Run, default: Sequence[int], most: int = 4, *, surveyed: bool = False) -> tuple[int, ...]:
    """Return the epochs to show side by side, in ascending order: at least one, at most ``most``."""
    options = [str(epoch) for epoch in (run.surveyed if surveyed else run.epochs)]
    first = sorted({str(epoch) for epoch in default}, key=int)
    return tuple(map(int, _pick_epochs(run, "Epochs", options, first, most)))


def _pick_epochs(
    run: Run, label: str, options: Sequence[str], first: Sequence[str], most: int, *, other: bool = False
) -> list[str]:
    """Return the chosen epochs in ascending order, at most ``most``; the best one where none is chosen."""

    def fitting(chosen: list[str]) -> list[str]:
        if len(chosen) > most:
            messages().info(
                f"{len(chosen)} epochs are selected, but only {most} fit side by side. The last {most} are shown."
            )
        return sorted(chosen, key=int)[-most:] or [str(run.best_epoch)]

    return pick_some(
        _OTHER_EPOCHS if other else "epochs", label, options, first, shown=fitting,
        parameter=_OTHER_EPOCHS if other else "epoch",
        memory=epochs_of(run) + " for comparison" * other,
        help=f"At most {most} epochs side by side. Epoch 0 is before training; epoch {run.best_epoch} is the "
        "best on the validation set.",
    )  # fmt: skip


def pick_checkpoints(
    run: Run, default: Sequence[int], most: int = 4, wanted: Wanted = ANY_CLASSIFIER, *, surveyed: bool = False
) -> tuple[Checkpoint, ...]:
    """Return what to show side by side: epochs of ``run``, and of another run on the same corpus if one is chosen.

    The other run shows at first the epochs that were chosen of the first, as far as it keeps them, and its own best
    epoch in place of the first run's. Where ``surveyed`` is asked for, epochs are offered whose documents were
    surveyed.
    """
    epochs = pick_epochs(run, default, most, surveyed=surveyed)
    shown = [Checkpoint(run, epoch) for epoch in epochs]
    other = pick_other(run, wanted)
    if other is None:
        address.leave_out(_OTHER_EPOCHS)
        return tuple(shown)
    kept = (other.surveyed if surveyed else other.epochs) or (other.best_epoch,)
    same = {other.best_epoch if epoch == run.best_epoch else epoch for epoch in epochs}
    first = [str(epoch) for epoch in sorted(same & set(kept)) or [other.best_epoch]]
    options = [str(epoch) for epoch in kept]
    chosen = _pick_epochs(other, f"Epochs of {escape_markdown(other.title)}", options, first, most, other=True)
    return (*shown, *(Checkpoint(other, int(epoch)) for epoch in chosen))


def pick_other(run: Run, wanted: Wanted = ANY_CLASSIFIER) -> Run | None:
    """Return another run on the same corpus to compare with; None where the visitor chose none, or none is there."""
    others = {
        name: other
        for name, other in wanted.runs().items()
        if name != run.name and other.corpus["name"] == run.corpus["name"] and (wanted.mixed or other.kind == run.kind)
    }
    return pick_beside(others, wanted)


def pick_beside(others: Mapping[str, Run], wanted: Wanted) -> Run | None:
    """Return the one of these runs, by name, that the visitor compares with; None where there is none."""
    if not others:
        address.leave_out("beside")
        return None
    titles = {"none": "none"} | {name: other.title for name, other in others.items()}
    return others.get(pick("beside", "Compare with", titles, memory=f"comparison for {wanted.family}"))


def only_epoch(run: Run) -> int:
    """Return the chosen epoch where it is the only one that is shown; a link to another epoch gets a message."""
    address.leave_out("one_epoch", parameter="epoch", options=[str(run.best_epoch)])
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
    shown = follow(chosen, [closed, opened], closed, parameter=name)
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
