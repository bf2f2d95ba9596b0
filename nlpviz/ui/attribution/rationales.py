"""Methods against what people marked, on a page: a visitor's file, the comparison, a sentence that it allows."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from typing import cast

import streamlit as st

from nlpviz.analysis.attribution import methods_for
from nlpviz.analysis.attribution.baselines import titles
from nlpviz.analysis.attribution.rationales import compare
from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts.rationales import read_rationales
from nlpviz.data.own_texts.rows import UsableRows
from nlpviz.figures.attribution.rationales import mean_said, rationale_dots
from nlpviz.results.rationales import AgainstPeople, Marked
from nlpviz.runs import Run, RunError
from nlpviz.ui import cache, limits, plotly_view
from nlpviz.ui.frame import answer, escape_markdown, explain_error

FORM = """
A CSV, TSV, JSON Lines or Parquet file with the columns `text`, `label` and `spans` (`[[start, end], …]` in characters).
ERASER’s JSON Lines files with `annotation_id`, `classification` and `evidences` also work. For these, the documents
must be in a column `document` or, if you enter the file’s path, in a folder `docs` next to the file.
"""
"""What a file of rationales looks like, in Markdown."""
_MOST = 100  # texts: a recurrent network takes a second for each
_READ, _FOUND = "own rationales", "methods against own rationales"  # in the session


def read(path: Path, name: str, token: str) -> UsableRows[Marked] | None:
    """Return the marked texts of a visitor's file, and say what became of its rows; None, with the reason, without any.

    Args:
        path: where the file lies.
        name: what the visitor calls it.
        token: names this very file.
    """
    known = cast("tuple[str, UsableRows[Marked]] | None", st.session_state.get(_READ))
    if known is None or known[0] != token:
        try:
            known = (token, replace(read_rationales(Source(str(path)), min(_MOST, limits.most_rows())), file=name))
        except OwnTextsError as problem:
            explain_error(str(problem).replace(str(path), name).replace(path.name, name))
            return None
        st.session_state[_READ] = known
    own = known[1]
    (st.warning if own.bad_count or own.cut else st.info)(escape_markdown(own.said))
    return own


def found(run: Run, epoch: int, own: UsableRows[Marked], token: str) -> AgainstPeople | None:
    """Return how near the quick methods come to it; None, with the reason on the page, where nothing can be compared.

    What was found stays in the visitor's session, as their file does.
    """
    key: Hashable = (token, run.name, run.fingerprint, epoch)
    known = cast("tuple[Hashable, AgainstPeople] | None", st.session_state.get(_FOUND))
    if known is not None and known[0] == key:
        return known[1]
    names = [name for name, method in methods_for(run).items() if method.surveyed]
    bar = st.progress(0.0, doing := f"Explaining {len(own.rows):,} texts with {len(names)} methods")
    try:
        model = cache.model(run, epoch)
        result = compare(model, own.rows, names, own.file, lambda share: bar.progress(share, doing))
    except RunError as problem:
        explain_error(str(problem))
        return None
    finally:
        bar.empty()
    st.session_state[_FOUND] = (key, result)
    return result


def show(result: AgainstPeople) -> None:
    """Show how near each method comes to what people marked, beside chance, a word list and position."""
    named = titles()
    best = next(name for name in result.best_first if result.asks_network(name))
    answer(
        "**{method}** agrees best with the words that people marked in {texts:,} text{s}: average precision "
        "{value}; random orders reach {random}, since {share:.0%} of the tokens are marked. " + _verdict(result, best),
        method=named[best], texts=len(result.numbers), s="s" * (len(result.numbers) != 1),
        value=mean_said(result.of(best)), random=f"{result.random.mean:.2f}", share=result.share,
        **_beside(result, named),
    )  # fmt: skip
    plotly_view.show(rationale_dots(result, named), key="rationales")
    if result.left_out:
        listed = "; ".join(f"row {at:,} {why}" for at, why in result.left_out[:5])
        more = f"; … {len(result.left_out) - 5:,} more" if len(result.left_out) > 5 else ""
        st.markdown(escape_markdown(f"Not compared: {listed}{more}."))


def _verdict(result: AgainstPeople, best: str) -> str:
    """Return whether the best method is above chance and above the best order that asks no network."""
    if len(result.numbers) < 2:
        return "A single text is not enough for a comparison with chance."
    over = result.over(best).interval
    chance = "Above random" if over.low > 0 else "Below random" if over.high < 0 else "Not distinguishable from random"
    if result.methods == len(result.orders):
        return f"{chance}."
    against = result.over(best, _best_baseline(result)).interval
    how = "above" if against.low > 0 else "below" if against.high < 0 else "not distinguishable from"
    return f"{chance}; {how} {{baseline}}, which ignores the network: {{baseline_value}}."


def _best_baseline(result: AgainstPeople) -> str:
    return next(name for name in result.best_first if not result.asks_network(name))


def _beside(result: AgainstPeople, titles: dict[str, str]) -> dict[str, str]:
    """Return what the verdict's sentence names: the best order that asks no network."""
    if result.methods == len(result.orders):
        return {}
    name = _best_baseline(result)
    return {"baseline": titles[name], "baseline_value": mean_said(result.of(name))}


def worked(result: AgainstPeople | None) -> str:
    """Return Markdown that says what chance reaches, with the numbers of the first text."""
    if result is None:
        return ""
    tokens, marked = int(result.tokens[0]), int(result.marked[0])
    right = int(result.right.sum())
    return (
        f"In row {result.numbers[0]:,}, {marked:,} of {tokens:,} tokens are marked, a share of {marked / tokens:.2f}. "
        f"The network predicts the annotated label for {right:,} of {len(result.numbers):,} texts; for the others, "
        "the words that the network uses are unlikely to match the annotators’ words."
    )
