"""Models of the visitor's texts: the learning task, the models, and the button that trains them."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import Any

import streamlit as st

from nlpviz.data.own_texts import Opened, OwnTextsError
from nlpviz.results.own_texts import duration
from nlpviz.runs import RunError
from nlpviz.training import TrainingError, queue
from nlpviz.training.own_plan import plan
from nlpviz.training.own_tasks import NO_VECTORS, OWN_VECTORS, TOKENS, OwnRequest, OwnTask, Plan, tasks
from nlpviz.ui import cache, limits
from nlpviz.ui.frame import answer, explain_error
from nlpviz.ui.own_texts import chosen_file
from nlpviz.ui.own_texts.chosen_file import ChosenFile, ChosenTexts
from nlpviz.ui.own_texts.chosen_pairs import pick_pairs

_PLAN = "training plan"  # in the session: its key, and the plan
_LONGEST_NAME = 64


def pick_task(file: ChosenFile) -> OwnTask:
    """Return what the visitor wants to have learnt of a file: classes, unless it is plain text."""
    known = {name: task for name, task in tasks().items() if task.of_one_file}
    first = list(known).index("language" if chosen_file.is_plain(file) else "classes")
    name = st.radio(
        "Task", list(known), index=first, format_func=lambda one: known[one].title, horizontal=True,
        key=f"train_task {file.token}",
    )  # fmt: skip
    return known[name]


def pick_texts(task: OwnTask, file: ChosenFile) -> ChosenTexts | None:
    """Return the texts that the visitor chose in a file; None, with the reason on the page, without."""
    if "translations" in task.options:
        return pick_pairs("train", file)
    opened = chosen_file.pick_columns("train", file, task.columns)
    return None if opened is None else ChosenTexts((file,), opened.source, (opened,))


def pick(task: OwnTask, chosen: ChosenTexts) -> OwnRequest | None:
    """Return what the visitor wants to have trained; None, with the reason on the page, where that is impossible."""
    titles = task.models()
    named = {title: name for name, title in reversed(list(titles.items()))}  # the first of several names
    names = [name for name, title in titles.items() if named[title] == name]
    more: dict[str, Any] = {**chosen.more}
    file = chosen.files[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", _free_name(file), max_chars=_LONGEST_NAME, key=f"train_name {file.token}")
        models = st.multiselect(
            "Models", names, names[:1], format_func=titles.__getitem__, key=f"train_models_{task.name}"
        )
        if "vectors" in task.options:
            more["vectors"] = _pick_vectors()
        if "tokens" in task.options:
            more["tokens"] = st.selectbox(
                "Unit of prediction", ("", *TOKENS), format_func=lambda one: one or "automatic",
                key="train_tokens",
                help="Predict the next word or the next character. “Automatic” uses characters for short texts.",
            )  # fmt: skip
        if task.held_out:
            more["held_out"] = _pick_share(task)
    if task.held_out:
        more["keep_texts"] = st.toggle(
            "Store the texts with the models",
            key="train_keep",
            help="Pages can then show the text behind a point. If this is off, the models contain words and "
            "short n-grams, but no texts.",
        )
    if not models:
        st.info("Choose a model.")
        return None
    return OwnRequest(name.strip(), chosen.source, tuple(models), task.name, **more)


def _pick_vectors() -> str:
    """Return the word vectors that networks start from."""
    vectors = {NO_VECTORS: "none", OWN_VECTORS: "train on these texts first"} | {
        name: run.title for name, run in cache.runs("word-vectors").items()
    }
    return st.selectbox("Initial word vectors", list(vectors), format_func=vectors.__getitem__, key="train_vectors")


def _pick_share(task: OwnTask) -> float:
    """Return the share of the texts that is tested on."""
    percent = st.number_input(
        "Test set (%)", 5, 50, round(100 * task.held_out), step=5, key=f"train_held_out_{task.name}",
        help="The share of texts held out as the test set. A folder with train and test subfolders "
             "keeps its own split.",
    )  # fmt: skip
    return percent / 100


def planned(wanted: OwnRequest, chosen: ChosenTexts) -> Plan | None:
    """Return what would be trained; None, with the reason on the page, where it cannot be."""
    if wanted.name in {job.name for job in queue.queued()}:
        st.info("A training run with this name is already listed below. Choose another name to train again.")
        return None
    key = (tuple(file.token for file in chosen.files), wanted)
    known = st.session_state.get(_PLAN)
    if isinstance(known, tuple) and known[0] == key and isinstance(known[1], Plan):
        return known[1]
    try:
        with st.spinner("Reading all rows…"):
            for opened in chosen.read:
                _check_length(opened)
            result = plan(wanted)
    except (OwnTextsError, TrainingError, RunError) as problem:
        explain_error(chosen.named(str(problem)))
        return None
    st.session_state[_PLAN] = (key, result)
    return result


def offer(plan: Plan, chosen: ChosenTexts) -> None:
    """Offer to train: say how long it will take, and put it into the queue."""
    most, report = limits.most_minutes(), plan.report
    size = sum(one.stored_bytes for one in report.expected) / 2**20
    answer(
        "Training {runs} should take about {time} on two cores and {size:.1f} MiB of disk space. It stops after "
        "{most} minutes and can then be resumed.",
        runs=", ".join(one.run for one in report.expected),
        time=duration(report.seconds),
        size=max(size, 0.1),
        most=most,
    )
    if st.button("Train", type="primary", icon=":material/play_arrow:", key="train_start"):
        try:
            queue.add(plan.recipe, most, [file.path for file in chosen.files if file.uploaded])
        except (TrainingError, OSError) as problem:
            explain_error(str(problem))
            return
        st.session_state.pop(_PLAN, None)
        st.toast("Added to the queue. Progress is shown below.")


def _check_length(opened: Opened) -> None:
    """Refuse a file with more rows than a visitor may have read.

    Raises:
        OwnTextsError: if it has.
    """
    most = limits.most_rows()
    read = opened.running() if opened.table.running else opened.rows()
    if sum(1 for _ in islice(read, most + 1)) > most:
        raise OwnTextsError(f"The file has too many rows: this server reads at most {most:,}.")


def _free_name(file: ChosenFile) -> str:
    """Return the name of a file as that of a run, with a number where a run has it."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", Path(file.name).name.partition(".")[0]).strip("-").lower()[:40] or "my-texts"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1_000)))
    taken = {*cache.runs(), *(job.name for job in queue.queued())}
    return next(name for name in names if name not in taken)
