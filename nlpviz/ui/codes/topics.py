"""The units of a code on a page: the words of one of them, and the classes that all of them follow."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures.codes.topics import auc_said, unit_classes, unit_words
from nlpviz.results.codes import UnitTopic
from nlpviz.runs import Run
from nlpviz.snippets import codes as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.codes import cache, choice
from nlpviz.ui.frame import answer


def show(run: Run, epoch: int, topics: Sequence[UnitTopic], unit: int) -> None:
    """Show the words of one unit, then which classes each unit tells from the others."""
    topic = topics[unit]
    code = snippets.topic((run.name, epoch), unit)
    plotly_view.show(unit_words(topic, run.name, epoch), key="unit_words", code=code)
    _tell(run, topics, topic)
    st.header("Which classes do the units follow?", anchor=False)
    found = cache.unit_classes(run, epoch)
    order = [one.unit for one in choice.ranked(topics)]
    drawn, code = unit_classes(found, order, unit), snippets.unit_classes((run.name, epoch))
    plotly_view.show(drawn, key="unit_classes", on_click=widgets.set_to("unit"), code=code)
    follows = found.follows(unit)
    several = [one for one in range(len(topics)) if found.follows(one)]
    pieces: dict[str, object] = {
        "unit": unit, "threshold": found.threshold, "redraws": found.redraws, "several": len(several),
        "units": len(topics), "classes": len(follows),
    }  # fmt: skip
    chance = (
        "(with shuffled labels the best of all pairs of unit and class stays within 0.5 ± {threshold:.3f} in 95 % of "
        "{redraws} redraws). {several} of {units} units tell some class apart by more than that."
    )
    if follows:
        pieces |= {"best": found.classes[follows[0]], "auc": auc_said(float(found.auc[unit, follows[0]]))}
        sentence = (
            "Unit {unit} tells {classes} classes apart by more than chance, best *{best}* with an AUC of **{auc}** "
        )
        answer(
            sentence.replace("{classes} classes", "one class") + chance if len(follows) == 1 else sentence + chance,
            **pieces,
        )
    else:
        answer("Unit {unit} tells no class apart by more than chance " + chance, **pieces)


def _tell(run: Run, topics: Sequence[UnitTopic], topic: UnitTopic) -> None:
    """Say how much a unit says, and how many units are active."""
    active = sum(one.active for one in topics)
    said = "" if topic.divergence is None else ", with a mean KL divergence of {divergence:.2f} nats"
    answer(
        "Unit {unit} is "
        + ("active" if topic.active else "not active")
        + ": over {documents:,} test documents its code "
        "has a standard deviation of {deviation:.2f}" + said + ". {active} of {units} units are active there.",
        unit=topic.unit,
        documents=run.recipe["kept_documents"],
        deviation=topic.deviation,
        divergence=topic.divergence,
        active=active,
        units=len(topics),
    )
