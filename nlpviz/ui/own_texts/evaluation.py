"""Any classifier, on a visitor's labelled file: how good it is, where it errs, beside another run."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpviz.data.own_texts import Opened, OwnTextsError
from nlpviz.figures.assessment.classes import class_bars
from nlpviz.figures.assessment.reliability import reliability_diagram
from nlpviz.figures.assessment.slices import slice_dots
from nlpviz.figures.assessment.words import word_bars
from nlpviz.figures.documents.confusion import confusion_matrix
from nlpviz.figures.numbers import p_said
from nlpviz.results.own_evaluation import FileEvaluation, RunOnFile
from nlpviz.run_kinds import UsageError, kind_of
from nlpviz.run_kinds.own_evaluation import FileRequest, evaluate_file
from nlpviz.run_kinds.own_report_lines import compared
from nlpviz.run_kinds.own_rows import left_out, read_mapping
from nlpviz.runs import Run
from nlpviz.stats.significance import LEVEL
from nlpviz.ui import cache, frame, limits, plotly_view, texts, widgets
from nlpviz.ui.frame import answer, explain_error
from nlpviz.ui.own_texts.chosen_file import NONE, ChosenFile

PREDICTS = widgets.Wanted("", able=lambda run: kind_of(run).predictor is not None, named="classifier")
_FOUND = "evaluation of user texts"  # in the session: its key, and what was found
_ERRORS, _QUOTED = 10, 240


def pick_runs() -> list[Run]:
    """Return the run that is measured and, where the visitor chose one, another that has the same classes."""
    first = widgets.pick_run(PREDICTS)
    others = {
        name: run
        for name, run in PREDICTS.runs().items()
        if name != first.name and set(run.class_names) == set(first.class_names)
    }
    titles = {NONE: "none"} | {name: run.title for name, run in others.items()}
    beside = widgets.pick("against", "Compare with", titles)
    return [first, *([others[beside]] if beside != NONE else [])]


def pick_question(opened: Opened, file: ChosenFile) -> tuple[str, str]:
    """Return the column by which the visitor wants accuracies, and which labels stand for which classes; empty each."""
    taken = {opened.source.text, opened.source.label}
    columns = [NONE, *(name for name in opened.columns if name not in taken)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        column = st.selectbox("Accuracy by column", columns, key=f"evaluate_slice {file.token}")
        mapping = st.text_input(
            "Rename labels", key=f"evaluate_mapping {file.token}", max_chars=2_000,
            placeholder="pos=positive,neg=negative",
            help="Label in the file = class of the model. Separate pairs with commas.",
        )  # fmt: skip
    return ("" if column == NONE else column), mapping or ""


def found(runs: list[Run], opened: Opened, file: ChosenFile) -> FileEvaluation | None:
    """Return what the runs make of the file; None, with the reason on the page, where nothing can be measured."""
    if not opened.source.label:
        st.info("No column seems to contain labels. Choose the label column.")
        return None
    column, mapping = pick_question(opened, file)
    key = (file.token, opened.source, column, mapping, *((run.name, run.fingerprint) for run in runs))
    known = st.session_state.get(_FOUND)
    if known is not None and known[0] == key:
        return cast("FileEvaluation", known[1])
    try:
        asked = read_mapping(mapping) if mapping else {}
        result = _evaluated(runs, opened, FileRequest(mapping=asked, column=column, most_rows=limits.most_rows()))
    except (UsageError, OwnTextsError) as problem:
        explain_error(str(problem).replace(str(file.path), file.name).replace("--mapping", "labels"))
        return None
    st.session_state[_FOUND] = cast("tuple[Hashable, FileEvaluation]", (key, result))
    return result


def show(evaluation: FileEvaluation, runs: list[Run], file: ChosenFile) -> None:
    """Show what the runs make of the file: in words, as figures, error by error."""
    missed = left_out(evaluation.rows)
    answer(
        "{measured:,} of {read:,} rows of {file} were evaluated. Left out: {missed}.",
        read=evaluation.rows.read,
        file=file.name,
        measured=evaluation.rows.measured,
        missed=missed or "none",
    )
    if evaluation.rows.read >= (most := limits.most_rows()):
        st.info(f"This server reads at most {most:,} rows; any further rows were not evaluated.")
    _show_comparison(evaluation)
    names = [one.title for one in evaluation.runs]
    tabs = st.tabs([frame.escape_markdown(name) for name in names]) if len(names) > 1 else [st.container()]
    for tab, run, one in zip(tabs, runs, evaluation.runs, strict=True):
        with tab:
            _show_run(one, run)


def _evaluated(runs: list[Run], opened: Opened, wanted: FileRequest) -> FileEvaluation:
    """Return what was measured, with what is being done on the page meanwhile."""
    place = st.empty()
    with place.container(), st.spinner("Reading the file and predicting…"):
        doing = st.empty()
        result = evaluate_file(runs, opened, wanted, lambda said: _tell(doing, said))
    place.empty()
    return result


def _tell(place: DeltaGenerator, said: str) -> None:
    place.caption(said)


def _show_comparison(evaluation: FileEvaluation) -> None:
    if evaluation.comparison is None:
        return
    first, other = evaluation.runs
    pair = compared(evaluation.comparison, first.assessment.run)
    verdict = "differ significantly" if pair.p < LEVEL else "do not differ significantly"
    answer(
        "**{first}** and **{other}** " + verdict + " on these texts: {gap} points (95% interval {low} to {high}; "
        "McNemar’s test {p}). The first model is right and the second wrong on {mine:,} texts; the reverse holds for "
        "{theirs:,}.",
        first=first.title,
        other=other.title,
        gap=_points(pair.difference),
        low=_points(pair.interval.low),
        high=_points(pair.interval.high),
        p=p_said(pair.p),
        mine=pair.first_only,
        theirs=pair.second_only,
    )


def _show_run(one: RunOnFile, run: Run) -> None:
    """Show how good one run is, and where it errs."""
    whole, key = one.assessment, one.assessment.run
    answer(
        "**{title}** classifies {accuracy:.1%} of {documents:,} texts correctly (95% interval {low:.1%} "
        "to {high:.1%}); macro F1 is {f1:.1%}. Always predicting the most frequent class, {majority}, "
        "would achieve an accuracy of {share:.1%}.",
        title=one.title,
        accuracy=whole.accuracy,
        documents=whole.documents,
        low=whole.interval.low,
        high=whole.interval.high,
        f1=whole.macro_f1,
        majority=whole.classes[whole.majority].name,
        share=whole.majority_accuracy,
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Which classes are confused?", anchor=False)
        plotly_view.show(confusion_matrix(whole.confusion, whole.run, whole.source), key=f"own_confusion_{key}")
    with right:
        st.subheader("How well is each class predicted?", anchor=False)
        plotly_view.show(class_bars(whole), key=f"own_classes_{key}")
    st.subheader("Is the model calibrated?", anchor=False)
    plotly_view.show(reliability_diagram(whole), key=f"own_reliability_{key}")
    answer("{said}", said=whole.calibration_said)
    st.subheader("Where are the errors?", anchor=False)
    for part in filter(None, (one.lengths, one.column)):
        plotly_view.show(slice_dots(part, whole), key=f"own_slices_{key}_{part.by}")
    plotly_view.show(word_bars(one.words, whole), key=f"own_words_{key}")
    _show_errors(one, run)


def _show_errors(one: RunOnFile, run: Run) -> None:
    """Show the most confident errors, each with ways to what the network made of it."""
    if not one.errors:
        return
    st.subheader("The most confident errors", anchor=False)
    names = one.assessment.confusion.class_names
    for error in one.errors[:_ERRORS]:
        with st.container(border=True):
            answer(
                "Row {row:,}: predicted as {predicted} (probability {probability:.1%}), labelled {label}.",
                row=error.row,
                predicted=names[error.predicted],
                probability=error.probability,
                label=names[error.label],
            )
            st.markdown(frame.escape_markdown(error.text[:_QUOTED] + ("…" if len(error.text) > _QUOTED else "")))
            _ways(error.row, error.text, run)


def _ways(row: int, text: str, run: Run) -> None:
    """Offer the views of one text; the text goes along in the session, never in an address."""
    with st.container(horizontal=True):
        for title, view in _views_of(run):
            if st.button(title, key=f"own_error_{run.name}_{row}_{view}", icon=":material/arrow_forward:"):
                texts.restore(text)
                file = frame.page_file("One review")
                if file is not None:
                    st.switch_page(file, query_params={"view": view, "run": run.name, "text": texts.OWN})


def _views_of(run: Run) -> Iterator[tuple[str, str]]:
    """Yield title and name of the views that show what a run made of one text."""
    if "One review" in kind_of(run).pages and run.name in cache.runs():
        yield "Which words mattered?", "saliency"
        if "region_sizes" in run.config:
            yield "Which n-grams mattered?", "n-grams"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}".replace("-", "−")
