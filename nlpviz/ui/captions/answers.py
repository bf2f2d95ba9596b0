"""What networks say of a scene, on a page: the caption, whether it is true, and where it was looked for each word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.data.scene_captions import claim_of, is_true, meant
from nlpviz.data.scene_objects import UNSEEN, Scene
from nlpviz.figures.captions.words import words_figure
from nlpviz.results.captions import Caption
from nlpviz.runs import Run
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.captions import cache
from nlpviz.ui.frame import answer
from nlpviz.ui.widgets import Wanted

CAPTIONERS = Wanted("Captions", named="trained network that captions", recipe="scenes-soft")
"""Runs that caption images."""


def show(run: Run, epoch: int, scene: Scene) -> None:
    """Show the caption of a scene, whether it is true, and the places that were looked at for each word."""
    if not scene:
        st.info("The scene is empty: there is nothing to say of it. Click a place to put an object there.")
        return
    caption = cache.caption(run, epoch, scene)
    sentence, pieces = caption_said(caption, scene)
    answer(sentence, **pieces)
    if caption.words:
        plotly_view.show(words_figure(caption, cache.image(scene)), key="caption_words")
    looked, looks = looks_said(caption, scene)
    if looked:
        answer(looked, **looks)


def caption_said(caption: Caption, scene: Scene) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces: what was written, how probable it is, and whether it is true."""
    if not caption.words:
        return "Epoch {epoch} ends the caption before its first word.", {"epoch": caption.epoch}
    pieces: dict[str, object] = {"text": caption.text, "probability": float(caption.probabilities.prod())}
    claim = claim_of(caption.words)
    if not caption.ended:
        verdict = "cut off after {count} words"
        pieces["count"] = len(caption.words)
    elif claim is None:
        verdict = "which is no sentence of the grammar"
    elif is_true(caption.words, scene):
        verdict = "which is **true** of this scene"
    else:
        verdict = "which is **not true** of this scene"
    new = claim is not None and [one for one in claim.mentions if (one.color, one.shape) in UNSEEN]
    told = f"“**{{text}}**”, {verdict}. Probability of these words, each the likeliest: {{probability:.1%}}."
    if new:
        pieces["pair"] = f"{new[0].color} {new[0].shape}"
        told += " No training scene had a {pair}."
    return told, pieces


def looks_said(caption: Caption, scene: Scene) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces: for how many words that name an object the network looks at it."""
    from nlpviz.reading.captions import measure_captions

    found = measure_captions([caption], [scene])
    if not found.looks:
        return "", {}
    return (
        "For {hits} of {looks} words that name size, colour or shape, the place with the most weight touches the "
        "object; any place would do so {chance:.0%} of the time. {mass:.0%} of the weight lies on it.",
        {
            "hits": round(found.on_object * found.looks),
            "looks": found.looks,
            "chance": found.chance,
            "mass": found.mass,
        },
    )


def show_others(chosen: Run, epoch: int, scene: Scene) -> None:
    """Show what every network says of the scene at every kept epoch."""
    if not scene:
        return
    rows = []
    for run in sorted(CAPTIONERS.runs().values(), key=lambda run: run.name != chosen.name):
        for one in run.epochs:
            caption = cache.caption(run, one, scene)
            claim = claim_of(caption.words)
            verdict = "no sentence" if claim is None else "true" if meant(claim, scene) else "not true"
            shown = " (above)" if (run.name, one) == (chosen.name, epoch) else ""
            rows.append((run.title.rpartition(", ")[2], f"{one}{shown}", verdict, caption.text or "(nothing)"))
    st.header("What the others say, and earlier epochs", anchor=False)
    columns = zip(("attention", "epoch", "is", "caption"), zip(*rows, strict=True), strict=True)
    st.dataframe({name: list(column) for name, column in columns}, hide_index=True)


def show_measured(runs: Sequence[Run]) -> None:
    """Say how many captions of test scenes are true, of each network."""
    for run in runs:
        test, unseen = run.metrics["test"], run.metrics["unseen"]
        answer(
            "**{title}**: {true:.1%} of {documents:,.0f} test captions are true, {unseen:.1%} where every object is of "
            "a pair of colour and shape that no training scene has. It looks at the object of a word {looks:.1%} of "
            "the time (chance {chance:.1%}).",
            title=run.title, true=test["true"], documents=test["documents"], unseen=unseen["true"],
            looks=test["on_object"], chance=test["chance"],
        )  # fmt: skip


def pick() -> tuple[Run, int]:
    """Return the run and the epoch that the visitor chose."""
    run = widgets.pick_run(CAPTIONERS)
    return run, widgets.pick_epoch(run)
