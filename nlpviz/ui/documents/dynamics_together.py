"""Do other trainings learn, forget and doubt the same documents?"""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.results.learnt_together import MEASURES, LearntTogether
from nlpviz.runs import Run, open_run
from nlpviz.runs.training_log import TRAINING_LOG
from nlpviz.ui import classes, limits
from nlpviz.ui.documents import dynamics
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.wanted import READ_CLOSELY

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
            f"Of the runs on this corpus {escape_markdown(run.title)} alone has a log of its training: whether another "
            f"one finds the same {classes.document(run)}s hard is not known. {offer} makes one."
        )
        return
    names = tuple((one.name, one.fingerprint) for one in (run, *logged))
    found = _together(names, part)
    if not found.ids:
        st.info(f"No {classes.document(run)} of this part is in all logs.")
        return
    _tell(run, found)
    st.table(_correlations(found), hide_index=True, border="horizontal")
    _show_doubted(run, found)


def _tell(run: Run, found: LearntTogether) -> None:
    values = [one["confidence"] for one in found.correlations.values() if one["confidence"] is not None]
    answer(
        "{runs} trainings have logged the same {count:,} {document}s. "
        + ("The ranks by mean confidence correlate with {low} to {high} (Spearman). " if values else "")
        + "**{never:,}** {document}s were never right in any of them; were they missed independently of each other, it "
        "would be {chance:,.0f}.",
        runs=len(found.titles),
        count=len(found.ids),
        document=classes.document(run),
        low=number(min(values), ".2f") if values else "",
        high=number(max(values), ".2f") if values else "",
        never=int(found.never.sum()),
        chance=found.never_by_chance,
    )


def _correlations(found: LearntTogether) -> dict[str, list[str]]:
    """Return a row for each two trainings."""
    pairs = found.correlations
    return {
        "Training": [escape_markdown(found.titles[one]) for one, _ in pairs],
        "beside": [escape_markdown(found.titles[other]) for _, other in pairs],
        **{
            f"Spearman, {title}": [
                "–" if one[name] is None else number(one[name] or 0.0, ".2f") for one in pairs.values()
            ]
            for name, title in MEASURES.items()
        },
    }


def _written(value: float | None) -> str:
    return "–" if value is None else number(value, ".2f")


def _show_doubted(run: Run, found: LearntTogether) -> None:
    """Show the documents whose label all trainings believe least; a chosen row tells its story in the chosen run."""
    order = found.least_believed[:_SHOWN]
    ids = [found.ids[position] for position in order]
    table: dict[str, object] = {
        classes.document(run).capitalize(): ids,
        "Label": [run.class_names[found.labels[position]] for position in order],
        **{
            f"Mean confidence, {title}": found.confidence[at, order].astype(float)
            for at, title in enumerate(found.titles)
        },
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


@st.cache_resource(max_entries=limits.entries(6), show_spinner="Reading the logs…")
def _together(names: tuple[tuple[str, str], ...], part: str) -> LearntTogether:
    runs = [open_run(name) for name, _ in names]
    return LearntTogether.of([one.title for one in runs], [dynamics.learnt(one, part) for one in runs])
