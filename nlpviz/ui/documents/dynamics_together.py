"""Do other trainings learn, forget and doubt the same documents?"""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.documents.co_learning import together_matrix
from nlpviz.figures.numbers import number
from nlpviz.results.cartography import Cartography
from nlpviz.results.co_learning import MEASURES, LearntTogether
from nlpviz.results.training_log import TrainingLog
from nlpviz.runs import Run
from nlpviz.runs.training_log import TRAINING_LOG, read_training_log
from nlpviz.ui import cache, classes, limits, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.documents import dynamics
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.run_filter import READ_CLOSELY

_SHOWN = 50
_TABLE = "doubted_by_all"


def show(run: Run, part: str) -> None:
    """Show how far trainings on one corpus rank documents alike, and whose label all of them doubt."""
    others = {
        name: one
        for name, one in READ_CLOSELY.runs().items()
        if name != run.name and one.corpus.get("name") == run.corpus.get("name")
    }
    logged = [one for one in others.values() if TRAINING_LOG in one.files]
    if not logged:
        offer = f"`python -m nlpviz train {next(iter(others))}`" if others else "`python -m nlpviz train`"
        st.info(
            f"{escape_markdown(run.title)} is the only run on this corpus with a training log, so there is nothing to "
            f"compare. Create another log with {offer}."
        )
        return
    compared = sorted((run, *logged), key=lambda one: one.name)  # whichever of them the page is about
    led = Call(LearntTogether.led_by, _together(compared, part), compared.index(run))
    found = led()
    if not found.ids:
        st.info(f"No {classes.document(run)} of this set appears in every log.")
        return
    measure = widgets.pick("alike_by", "Ranked by", MEASURES)
    _tell(run, found, measure)
    of = f"training runs on {run.corpus['name']}: {classes.document(run)}s ({dynamics.NAMED[part]})"
    plotly_view.show(Call(together_matrix, led, measure, of), key="together")
    _show_doubted(run, found)


def _tell(run: Run, found: LearntTogether, measure: str) -> None:
    """Say which trainings rank most and least alike, and how many documents none was ever right about."""
    ranked = found.ranked(measure)
    first, last = (ranked[at] if ranked else (0.0, (0, 0)) for at in (0, -1))
    alike = " By {measure}, *{one}* and *{other}* rank them most similarly (Spearman’s correlation {high})"
    answer(
        "**{never:,}** of {count:,} {document}s were never correct in any of {runs} runs (expected for independent "
        "runs: {chance:,.0f})."
        + (alike + (", *{third}* and *{fourth}* least ({low})." if len(ranked) > 1 else ".") if ranked else ""),
        runs=len(found.titles),
        count=len(found.ids),
        document=classes.document(run),
        measure=MEASURES[measure],
        **dict(zip(("one", "other"), (found.titles[at] for at in last[1]), strict=True)),
        **dict(zip(("third", "fourth"), (found.titles[at] for at in first[1]), strict=True)),
        high=number(last[0], ".2f"),
        low=number(first[0], ".2f"),
        never=int(found.never.sum()),
        chance=found.never_by_chance,
    )


def _show_doubted(run: Run, found: LearntTogether) -> None:
    """Show the documents whose label all trainings believe least; a chosen row tells its story in the chosen run."""
    order = found.least_believed[:_SHOWN]
    ids = [found.ids[position] for position in order]
    table: dict[str, object] = {
        classes.document(run).capitalize(): ids,
        "Label": [run.class_names[found.labels[position]] for position in order],
        "Never correct (runs)": [f"{found.wrong_in[position]} of {len(found.titles)}" for position in order],
        f"Mean confidence, {run.title}": found.confidence[0, order].astype(float),
        "Mean confidence, lowest": found.confidence[:, order].min(axis=0).astype(float),
        "Mean confidence, highest": found.confidence[:, order].max(axis=0).astype(float),
    }
    formats = {name: st.column_config.NumberColumn(format="%.3f") for name in table if name.startswith("Mean")}

    def take() -> None:
        rows = st.session_state[_TABLE]["selection"]["rows"]
        if rows and rows[0] < len(ids):
            st.session_state[dynamics.PICKED] = ids[rows[0]]

    st.dataframe(
        table, hide_index=True, key=_TABLE, on_select=take, selection_mode="single-row", height=300,
        column_config=formats,
    )  # fmt: skip


@cache.shared(limits.entries(6), "Reading the training logs…")
def _together(runs: list[Run], part: str) -> Call[LearntTogether]:
    logs = [Call(TrainingLog.of, Call(read_training_log, one), dynamics.PARTS[part]) for one in runs]
    return Call(LearntTogether.of, [one.title for one in runs], [Call(Cartography.of, log) for log in logs])
