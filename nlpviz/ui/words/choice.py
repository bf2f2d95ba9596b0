"""Which word vectors a page shows: runs and their epochs, or the visitor's uploaded vectors, which stay in the session.

A source stands in the address by name: ``?run=enwiki-skipgram&run=imdb-skipgram&epoch=2``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpviz.figures.view import FigureView
from nlpviz.results.vectors import WordVectors
from nlpviz.runs import Run, list_runs
from nlpviz.runs.vectors import INPUT, KIND, OUTPUT
from nlpviz.ui import address, cache, tab, widgets
from nlpviz.ui.calls import Call, Result
from nlpviz.ui.frame import escape_markdown, explain_error
from nlpviz.ui.words import cache as word_cache

ACROSS = "input-output"  # a word's input vector among the output vectors: what the network expects near it
_TABLES = {INPUT: "input", OUTPUT: "output", ACROSS: "input vs. output"}
_IN_VAIN = "missing sources"  # in the session
_OWN = "own vectors"  # of what the tab keeps
_IN_A_ROW = 2


class VectorSource(NamedTuple):
    """Word vectors that a page can show.

    Attributes:
        name: in the address: the name of the run, or of the uploaded vectors.
        title: what people call them.
        run: None for uploaded vectors.
        epoch: of the run.
        table: ``"input"``, ``"output"``, or :data:`ACROSS`.
    """

    name: str
    title: str
    run: Run | None = None
    epoch: int | None = None
    table: str = INPUT


def own() -> dict[str, WordVectors]:
    """Return this visitor's uploaded vectors by name; each entry is a source on every page of words."""
    return cast("dict[str, WordVectors]", tab.kept(_OWN))


def read(source: VectorSource) -> Result[WordVectors]:
    """Return the vectors of a source, those that are searched, with the call that reads them.

    Raises:
        RunError: if its run keeps no such epoch or table, or is damaged.
    """
    if source.run is None or source.epoch is None:
        return Call(own).at(source.name)
    return word_cache.vectors(source.run, source.epoch, INPUT if source.table == INPUT else OUTPUT)


def vectors(source: VectorSource) -> WordVectors:
    """Return the vectors of a source, as :func:`read` does."""
    return read(source)()


def coded(drawn: Call[FigureView], sources: Sequence[VectorSource]) -> FigureView | Call[FigureView]:
    """Return a figure of ``sources`` as a call; drawn, without code, where one of them was uploaded."""
    return drawn if all(source.run for source in sources) else drawn()


def asked(source: VectorSource) -> VectorSource:
    """Return the source that a word is looked up in before ``source`` is searched: the same but for ACROSS."""
    return source._replace(table=INPUT) if source.table == ACROSS else source


def asking(source: VectorSource) -> WordVectors:
    """Return the vectors of :func:`asked`."""
    return vectors(asked(source))


def word_runs() -> dict[str, Run]:
    """Return the runs of word vectors, the most accurate first, no two of one title.

    The page ends where there is none, and no uploaded vectors either.
    """
    runs = cache.runs(KIND)
    if not runs and not own():
        _tell_problems()
        st.info("There are no word vectors yet. Run `python -m nlpviz train enwiki-skipgram` first.")
        st.stop()
    ranked = sorted(runs.values(), key=lambda run: -run.metrics.get("analogies", {}).get("accuracy", 0.0))
    titles = Counter(run.title for run in ranked)
    return {
        run.name: replace(run, title=f"{run.title} ({run.name})") if titles[run.title] > 1 else run for run in ranked
    }


def pick_sources(default: Sequence[str] = (), most: int = 4, *, tables: bool = False) -> tuple[VectorSource, ...]:
    """Return the sources that the visitor chose to see side by side: at least one, at most ``most``.

    What is wrong with any run is said here, and so once a page.

    Args:
        default: the names of the runs to begin with, as far as they are there; otherwise the most accurate.
        most: how many fit.
        tables: whether output vectors may be chosen too.
    """
    runs = word_runs()
    _tell_problems()
    titles = {name: run.title for name, run in runs.items()} | {name: name for name in own()}
    first = [name for name in default if name in runs] or [next(iter(titles))]
    _choose_when_there(list(titles))
    names = widgets.pick_some(
        "word_runs", "Word vectors", titles, first, parameter="run", shown=lambda chosen: chosen or first,
        draw=st.multiselect, placeholder=titles[first[0]], wrap=True,
    )  # fmt: skip
    chosen = [runs[name] for name in names if name in runs]
    epochs = _pick_epochs(chosen)
    kinds = _pick_tables(chosen) if tables else [INPUT]
    shown = [*_kept(chosen, epochs, kinds), *(_own_source(name) for name in names if name not in runs)]
    if len(shown) > most:
        st.info(f"{len(shown)} sources are selected, but only {most} fit side by side. The first {most} are shown.")
    return tuple(shown[:most])


def _choose_when_there(names: Sequence[str]) -> None:
    """Choose what the address asked for in vain as soon as it is there: own vectors come back after a reload."""
    requested = st.query_params.get_all("run")
    if any(name not in names for name in requested):
        st.session_state[_IN_VAIN] = requested
    asked = st.session_state.get(_IN_VAIN, [])
    if asked and all(name in names for name in asked):
        st.session_state["word_runs"] = st.session_state.pop(_IN_VAIN)


def of_run(run: Run, epoch: int, table: str = INPUT) -> VectorSource:
    """Return the source that an epoch of a run is."""
    end = "" if table == INPUT else f", {_TABLES[table]} vectors"
    return VectorSource(run.name, f"{run.title}, epoch {epoch}{end}", run, epoch, table)


def epochs_of(source: VectorSource) -> tuple[VectorSource, ...]:
    """Return the source at every epoch that its run keeps of the same table; uploaded vectors only by themselves."""
    if source.run is None:
        return (source,)
    wanted = INPUT if source.table == INPUT else OUTPUT
    kept = [epoch for epoch in source.run.epochs if wanted in word_cache.tables(source.run, epoch)]
    return tuple(of_run(source.run, epoch, source.table) for epoch in kept)


def cells(sources: Sequence[VectorSource]) -> list[DeltaGenerator]:
    """Return the part of the page where each source's answer goes, two in a row, titled where there are several."""
    made = [
        column
        for start in range(0, len(sources), _IN_A_ROW)
        for column in st.columns(min(len(sources), _IN_A_ROW), gap="medium")[: len(sources) - start]
    ]
    if len(sources) > 1:
        for source, cell in zip(sources, made, strict=True):
            cell.markdown(f"**{escape_markdown(source.title)}**")
    return made


def _own_source(name: str) -> VectorSource:
    return VectorSource(name, own()[name].source)


def _tell_problems() -> None:
    """Say what is wrong with any run."""
    for problem in list_runs()[1]:
        explain_error(problem)


def _pick_epochs(runs: Sequence[Run]) -> list[int | None]:
    """Return the chosen epochs of the run that keeps most; None stands for the chosen epoch of each run."""
    leading = max(runs, key=lambda run: len(run.epochs), default=None)
    options = [str(epoch) for epoch in leading.epochs] if leading else []
    if leading is None or len(options) == 1:
        address.leave_out("word_epochs", parameter="epoch", options=options)
        return [None]
    best = str(leading.best_epoch)
    shown = widgets.pick_some(
        "word_epochs", "Epochs", options, [best], parameter="epoch",
        shown=lambda chosen: sorted(chosen, key=int) or [best],
        help="Epochs are shown side by side. Epoch 0 is before training. Models without the selected epoch "
        "show their last epoch.",
    )  # fmt: skip
    return [None if epoch == best else int(epoch) for epoch in shown]


def _pick_tables(runs: Sequence[Run]) -> list[str]:
    """Return which vectors are asked for; where no chosen run keeps output vectors, nothing is to choose."""
    if not any(OUTPUT in word_cache.tables(run, run.best_epoch) for run in runs):
        address.leave_out("word_tables", parameter="vectors", options=[INPUT])
        return [INPUT]
    return widgets.pick_some(
        "word_tables", "Vectors", _TABLES, [INPUT], parameter="vectors",
        shown=lambda chosen: [table for table in _TABLES if table in chosen] or [INPUT],
        help="Each word has an input vector, used when the word is given, and an output vector, used when it is "
             "predicted.",
    )  # fmt: skip


def _kept(runs: Sequence[Run], epochs: Sequence[int | None], kinds: Sequence[str]) -> list[VectorSource]:
    """Return a source for each table of each epoch of each run, as far as it is kept; at least one."""
    result: list[VectorSource] = []
    missing: list[VectorSource] = []
    for run in runs:
        own_epochs = {run.best_epoch if epoch not in run.epochs else epoch for epoch in epochs}
        for epoch in sorted(own_epochs):
            for table in kinds:
                kept = table == INPUT or OUTPUT in word_cache.tables(run, epoch)
                (result if kept else missing).append(of_run(run, epoch, table))
    if missing:
        names = dict.fromkeys(f"{one.run.title}, epoch {one.epoch}" for one in missing if one.run)
        st.info(f"No output vectors are stored for {escape_markdown('; '.join(names))}.")
    return result or [of_run(run, run.best_epoch) for run in runs]
