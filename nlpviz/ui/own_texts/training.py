"""Networks for a visitor's own texts: what is to be trained, what there is to know before, and the button that does."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import streamlit as st

from nlpviz.own_texts import Opened, OwnTextsError
from nlpviz.results.own_texts import TextsReport, duration
from nlpviz.runs import RunError
from nlpviz.training import TrainingError, queue
from nlpviz.training.own_plan import plan
from nlpviz.training.own_tasks import NO_VECTORS, OWN_VECTORS, OwnRequest, Plan
from nlpviz.training.own_tasks.classifiers import own_models
from nlpviz.ui import cache, limits
from nlpviz.ui.frame import answer, escape_markdown, explain_error
from nlpviz.ui.own_texts.chosen_file import ChosenFile

_FIRST = ("cnn", "lstm", "gru", "han", "attention", "transformer")
_PLAN = "plan of a training"  # in the session: its key, and the plan
_LONGEST_NAME, _CLASSES, _BAD = 64, 12, 20


def pick(opened: Opened, file: ChosenFile) -> OwnRequest | None:
    """Return what the visitor wants to have trained; None, with the reason on the page, where that is impossible."""
    titles = {name: model.title for name, model in own_models().items()}
    names = [*_FIRST, *(name for name in titles if titles[name] not in {titles[one] for one in _FIRST})]
    vectors = {NO_VECTORS: "none", OWN_VECTORS: "trained on these texts first"} | {
        name: run.title for name, run in cache.runs("word-vectors").items()
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", _free_name(file), max_chars=_LONGEST_NAME, key=f"train_name {file.token}")
        models = st.multiselect("Networks", names, ["cnn"], format_func=titles.__getitem__, key="train_models")
        chosen = st.selectbox(
            "Word vectors to begin with", list(vectors), format_func=vectors.__getitem__, key="train_vectors"
        )
        held_out = st.number_input(
            "Tested on, %", 5, 50, 20, step=5, key="train_held_out",
            help="The share of the texts that is held out for the test. A folder with train and test keeps its own.",
        )  # fmt: skip
    keep = st.toggle(
        "Keep the texts with the models",
        key="train_keep",
        help="Pages then show the text of a point. Otherwise the models hold words and short n-grams, and no text.",
    )
    if not models:
        st.info("Choose a network.")
        return None
    return OwnRequest(
        name.strip(), opened.source, tuple(models), held_out=held_out / 100, vectors=chosen, keep_texts=keep
    )


def planned(wanted: OwnRequest, opened: Opened, file: ChosenFile) -> Plan | None:
    """Return what would be trained; None, with the reason on the page, where it cannot be."""
    if wanted.name in {job.name for job in queue.queued()}:
        st.info("A training of this name is listed below. Choose another name to train once more.")
        return None
    key = (file.token, wanted)
    known = st.session_state.get(_PLAN)
    if isinstance(known, tuple) and known[0] == key and isinstance(known[1], Plan):
        return known[1]
    try:
        with st.spinner("Reading all rows…"):
            _check_length(opened)
            result = plan(wanted)
    except (OwnTextsError, TrainingError, RunError) as problem:
        explain_error(str(problem).replace(str(file.path), file.name))
        return None
    st.session_state[_PLAN] = (key, result)
    return result


def show_report(report: TextsReport) -> None:
    """Show what there is to know of the texts before a network is trained on them."""
    answer(
        "{rows:,} rows, {texts:,} texts used, {classes:,} classes. " + "{split}",
        rows=report.rows,
        texts=report.texts,
        classes=len(report.classes),
        split=report.split,
    )
    if report.in_both or report.nearly_in_both:
        st.warning(report.leak)
    for note in (*report.notes, *_said_of_classes(report)):
        st.warning(escape_markdown(note))
    _show_classes(report)
    with st.expander("All that was seen"):
        for line in report.lines(listed=0):
            st.markdown(escape_markdown(line))
    if report.bad_count:
        with st.expander(f"{report.bad_count:,} bad rows, left out"):
            for bad in report.bad[:_BAD]:
                st.markdown(escape_markdown(str(bad)))


def offer(plan: Plan, file: ChosenFile) -> None:
    """Offer to train: say how long it will take, and put it into the queue."""
    most, report = limits.most_minutes(), plan.report
    size = sum(one.stored_bytes for one in report.expected) / 2**20
    answer(
        "{runs}: about {time} on two cores and {size:.1f} MiB on the disk, as an estimate. A training stops after "
        "{most} minutes and can go on from there.",
        runs=", ".join(one.run for one in report.expected),
        time=duration(report.seconds),
        size=max(size, 0.1),
        most=most,
    )
    if st.button("Train", type="primary", icon=":material/play_arrow:", key="train_start"):
        try:
            queue.add(plan.recipe, most, file.path if file.uploaded else None)
        except (TrainingError, OSError) as problem:
            explain_error(str(problem))
            return
        st.session_state.pop(_PLAN, None)
        st.toast("In the queue: its progress is below.")


def _check_length(opened: Opened) -> None:
    """Refuse a file with more rows than a visitor may have read.

    Raises:
        OwnTextsError: if it has.
    """
    most = limits.most_rows()
    if sum(1 for _ in islice(opened.rows(), most + 1)) > most:
        raise OwnTextsError(f"The file has more than {most:,} rows, the most that this server reads.")


def _said_of_classes(report: TextsReport) -> list[str]:
    if not report.rare:
        return []
    return [f"Fewer than ten training texts, of which little can be learnt: {', '.join(report.rare)}."]


def _show_classes(report: TextsReport) -> None:
    """Show how many texts of each split each class has."""
    st.dataframe(
        {
            "Class": [one.name for one in report.classes],
            "To train on": [one.train for one in report.classes],
            "For validation": [one.validation for one in report.classes],
            "To test on": [one.test for one in report.classes],
        },
        hide_index=True,
        height="content" if len(report.classes) <= _CLASSES else 400,
    )


def _free_name(file: ChosenFile) -> str:
    """Return the name of a file as that of a run, with a number where a run has it."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", Path(file.name).name.partition(".")[0]).strip("-").lower()[:40] or "my-texts"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1_000)))
    taken = {*cache.runs(), *(job.name for job in queue.queued())}
    return next(name for name in names if name not in taken)
