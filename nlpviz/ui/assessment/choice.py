"""Which classifiers are tested, and on which minimal pairs: the battery, or those of the visitor's file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, cast

import streamlit as st

from nlpviz.data.battery import battery
from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts.minimal_pairs import read_minimal_pairs
from nlpviz.data.own_texts.rows import UsableRows
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.run_kinds.behaviours import tells_sentiment
from nlpviz.runs import Run
from nlpviz.ui import address, cache, widgets
from nlpviz.ui.frame import escape_markdown, explain_error, messages

SENTIMENT = widgets.Wanted(
    "", able=tells_sentiment, named="trained sentiment classifier (negative or positive)", recipe="imdb-cnn"
)
"""Runs that give any text a probability of *positive*."""
BATTERY = "battery"
FORM = """
A CSV file with one pair per row and the columns `first`, `second` and `expected`. The column `expected` contains two
labels, such as `positive/negative`, or the expected change in the probability of *positive* from the first to the
second text: `higher`, `lower` or `same`. An optional column `capability` groups the pairs. TSV, JSON Lines and Parquet
files work too.
"""
"""The format of a file of minimal pairs, in Markdown."""
_BESIDE, _MOST = "runs beside", 3
_READ = "own minimal pairs"  # in the session: the file's token, and its pairs


class AskedPairs(NamedTuple):
    """The pairs that are asked.

    Attributes:
        pairs: of the battery, or of a file.
        source: what they are called.
        token: names these very pairs in caches.
        is_own: whether they come from the visitor's file.
    """

    pairs: tuple[MinimalPair, ...]
    source: str
    token: str
    is_own: bool


def pick_runs() -> list[Run]:
    """Return the run that the page is about, and those that the visitor compares it with."""
    first = widgets.pick_run(SENTIMENT)
    others = {name: run for name, run in SENTIMENT.runs().items() if name != first.name}
    if not others:
        address.leave_out(_BESIDE, parameter="beside")
        return [first]
    default = _beside_at_first(first, others)
    shown = widgets.pick_some(
        _BESIDE, "Compare with", others, default, parameter="beside", shown=_first, draw=st.multiselect,
        placeholder="none",
    )  # fmt: skip
    return [first, *(others[name] for name in shown)]


def _first(chosen: list[str]) -> list[str]:
    """Return as many as fit, and say on the page where these are not all."""
    if len(chosen) > _MOST:
        messages().info(f"You chose {len(chosen)} models for comparison; only the first {_MOST} are shown.")
    return chosen[:_MOST]


def _beside_at_first(first: Run, others: Mapping[str, Run]) -> list[str]:
    """Return the bag of n-grams on the same corpus, and the best network of another architecture."""
    unlike = {name: run for name, run in others.items() if run.epochs and run.architecture != first.architecture}
    wanted = [widgets.best_of(unlike) if unlike else None, cache.baseline(first)]
    return [run.name for run in wanted if run is not None and run.name in others]


def battery_asked() -> AskedPairs:
    """Return the pairs that come with the project."""
    return AskedPairs(battery(), "nlpviz’s built-in pairs", BATTERY, is_own=False)


def own_asked(path: Path, name: str, token: str) -> AskedPairs | None:
    """Return the pairs of a visitor's file, and say what became of its rows; None, with the reason, without any.

    Args:
        path: where the file lies.
        name: what the visitor calls it.
        token: names this very file.
    """
    known = cast("tuple[str, UsableRows[MinimalPair]] | None", st.session_state.get(_READ))
    if known is None or known[0] != token:
        try:
            read = replace(read_minimal_pairs(Source(str(path))), file=name)
        except OwnTextsError as problem:
            explain_error(str(problem).replace(str(path), name).replace(path.name, name))
            return None
        known = (token, read)
        st.session_state[_READ] = known
    own = known[1]
    (st.warning if own.bad_count or own.cut else st.info)(escape_markdown(own.said))
    return AskedPairs(own.rows, name, f"own {token}", is_own=True)
