"""The units of a code on a page: the words of one of them, and the classes that all of them follow."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures.codes.topics import auc_said, unit_class_matrix, unit_words
from nlpviz.figures.numbers import number
from nlpviz.results.codes import UnitTopic
from nlpviz.runs import Run
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.codes import cache
from nlpviz.ui.frame import answer, details, takeaway


def show(run: Run, epoch: int, unit: int) -> None:
    """Show the words of one unit, then which classes each unit tells from the others."""
    call = cache.unit_topics(run, epoch)
    topics, topic = call(), call()[unit]
    _take_away(topic)
    plotly_view.show(Call(unit_words, call.at(unit), run.title, epoch), key="unit_words")
    _tell(topics, topic)
    st.header("Which classes does each unit separate?", anchor=False)
    drawn = Call(unit_class_matrix, cache.unit_classes(run, epoch), call, unit)
    plotly_view.show(drawn, key="unit_classes", on_click=widgets.set_to("unit"))
    found = cache.unit_classes(run, epoch)()
    follows = found.follows(unit)
    if follows:
        counted = "class" if len(follows) == 1 else "classes"
        answer(
            f"Unit {{unit}} separates {{classes}} {counted} better than chance; the "
            f"best-separated class is *{{best}}* (AUC {{auc}}).",
            unit=unit,
            classes=len(follows),
            best=found.classes[follows[0]],
            auc=auc_said(float(found.auc[unit, follows[0]])),
        )
    else:
        answer("Unit {unit} separates no class better than chance.", unit=unit)
    with details("Class details"):
        several = sum(bool(found.follows(one)) for one in range(len(topics)))
        rows = {
            "Range of AUC by chance (95%)": f"0.5 ± {found.threshold:.3f}",
            "Label shuffles": f"{found.redraws:,}",
            "Units that separate a class": f"{several} of {len(topics)}",
        }
        st.table({"Measure": list(rows), "Value": list(rows.values())}, hide_index=True)


def _take_away(topic: UnitTopic) -> None:
    """Say which word each direction of the unit raises most."""
    if not topic.active or not topic.up or not topic.down:
        takeaway(
            "Unit {unit} is not active: standard deviation {deviation:.2f}.",
            unit=topic.unit,
            deviation=topic.deviation,
        )
        return
    (up, gain), (down, loss) = topic.up[0], topic.down[0]
    takeaway(
        "Unit {unit}: larger values favour *{up}* ({gain}), smaller values favour *{down}* ({loss}).",
        unit=topic.unit, up=up, gain=number(gain), down=down, loss=number(loss),
    )  # fmt: skip


def _tell(topics: Sequence[UnitTopic], topic: UnitTopic) -> None:
    """Say how much a unit says, and how many units are active."""
    said = "" if topic.divergence is None else "; its mean KL divergence is {divergence:.2f} nats"
    answer(
        "{active} of {units} units are active. The standard deviation of unit {unit} over test documents is "
        "{deviation:.2f}" + said + ".",
        unit=topic.unit,
        deviation=topic.deviation,
        divergence=topic.divergence,
        active=sum(one.active for one in topics),
        units=len(topics),
    )
