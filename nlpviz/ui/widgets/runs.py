"""Which runs a page is about, and the controls that choose one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.listing import worth
from nlpviz.runs import Run
from nlpviz.ui import address, cache
from nlpviz.ui.frame import end_under_bar, escape_markdown, explain_error, messages
from nlpviz.ui.widgets.controls import pick

_FAMILIES = {"One review", "Inside the model", "Explore", "Your texts"}
"""Pages on classifiers: what is chosen on one of them stays chosen on the others."""


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


def pick_other(run: Run, wanted: Wanted = ANY_CLASSIFIER) -> Run | None:
    """Return another run on the same corpus to compare with; None where the visitor chose none, or none is there."""
    others = {
        name: other
        for name, other in wanted.runs().items()
        if name != run.name and other.corpus["name"] == run.corpus["name"] and (wanted.mixed or other.kind == run.kind)
    }
    if not others:
        address.leave_out("beside")
        return None
    titles = {"none": "none"} | {name: other.title for name, other in others.items()}
    return others.get(pick("beside", "Compare with", titles, memory=f"comparison for {wanted.family}"))
