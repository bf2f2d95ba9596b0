"""What is true of captions of scenes, on a page: of one, and of all test scenes."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.data.scene_captions import claim_of, is_true, meant
from nlpviz.data.scene_objects import UNSEEN, Scene, written
from nlpviz.data.scene_pictures import render
from nlpviz.results.captions import Caption
from nlpviz.runs import Run
from nlpviz.snippets import captions as snippets
from nlpviz.ui.captions import answers, cache
from nlpviz.ui.captions.answers import Said
from nlpviz.ui.frame import answer, escape_markdown

NOTHING = "The scene is empty: there is nothing to say of it. Click a place to put an object there."


def show(run: Run, epoch: int, scene: Scene) -> None:
    """Show the caption of a scene, whether it is true, and the places that were looked at for each word."""
    if not scene:
        st.info(NOTHING)
        return
    image = render(scene)
    caption = cache.caption(run, epoch, image)
    code = snippets.of_scene((run.name, epoch), written(scene))
    answers.show(caption, image, [caption_said(caption, scene), looks_said(caption, scene)], code)


def show_other(run: Run | None, epoch: int, scene: Scene) -> None:
    """Show what another network says of the scene, at the chosen epoch where it keeps that, else at its best one."""
    if run is None or not scene:
        return
    epoch = epoch if epoch in run.epochs else run.best_epoch
    st.header(run.title, anchor=False)
    st.caption(f"Epoch {epoch}")
    show(run, epoch, scene)


def show_epochs(runs: Sequence[Run], chosen: tuple[str, int], scene: Scene) -> None:
    """Show what every network says of the scene at every kept epoch, and whether that is true."""
    if scene:
        answers.show_epochs(runs, chosen, render(scene), lambda caption: verdict(caption, scene))


def verdict(caption: Caption, scene: Scene) -> str:
    """Return what a caption is, in a word or two."""
    claim = claim_of(caption.words) if caption.ended else None
    return "no sentence" if claim is None else "true" if meant(claim, scene) else "not true"


def caption_said(caption: Caption, scene: Scene) -> Said:
    """Return the sentence with its pieces: what was written, how probable it is, and whether it is true."""
    claim = claim_of(caption.words)
    if claim is None:
        said = "which is no sentence of the grammar"
    else:
        said = f"which is **{'' if is_true(caption.words, scene) else 'not '}true** of this scene"
    told, pieces = answers.written(caption, said)
    new = [one for one in claim.mentions if (one.color, one.shape) in UNSEEN] if claim else []
    if new:
        pieces["pair"] = f"{new[0].color} {new[0].shape}"
        told += " No training scene had a {pair}."
    return told, pieces


def looks_said(caption: Caption, scene: Scene) -> Said:
    """Return the sentence with its pieces: for how many words that name an object the network looks at it."""
    from nlpviz.decoding.captions import measure_captions

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


def begun(runs: Sequence[Run]) -> str:
    """Return in Markdown which of ``runs`` began with the weights of another one; empty where none did."""
    begun_with = ((run, run.recipe["fit"].get("starts_from")) for run in runs)
    return " ".join(
        f"*{escape_markdown(run.title)}* began with the weights of {escape_markdown(other)}: its epoch 0 is that one, "
        "read by its own attention."
        for run, other in begun_with
        if other
    )


def worked_example(run: Run, epoch: int, scene: Scene) -> str:
    """Return in Markdown what the formulas give for the first word that names an object; empty where there is none."""
    caption = cache.caption(run, epoch, render(scene)) if scene else None
    claim = claim_of(caption.words) if caption else None
    if caption is None or claim is None:
        return ""
    word = claim.mentions[0].start + 1
    row, column = caption.looked[word]
    side = caption.weights.shape[1]
    return (
        f"Here: before **{caption.words[word]}**, word {word + 1}, α is largest at row {row + 1}, column {column + 1}, "
        f"with {caption.weights[word].max():.2f}; evenly spread it would be 1/{side**2} = {1 / side**2:.3f}. The word "
        f"has a probability of {caption.probabilities[word]:.2f}, and the product over all {len(caption.words)} words "
        f"is {caption.probabilities.prod():.2g}."
    )


def show_measured(runs: Sequence[Run]) -> None:
    """Say how many captions of test scenes are true, of each network."""
    st.header("How often is it true?", anchor=False)
    for run in runs:
        test, unseen = run.metrics["test"], run.metrics["unseen"]
        answer(
            "**{title}**: {true:.1%} of {documents:,.0f} test captions are true, {unseen:.1%} where every object is of "
            "a pair of colour and shape that no training scene has. It looks at the object of a word {looks:.1%} of "
            "the time (chance {chance:.1%}).",
            title=run.title, true=test["true"], documents=test["documents"], unseen=unseen["true"],
            looks=test["on_object"], chance=test["chance"],
        )  # fmt: skip
