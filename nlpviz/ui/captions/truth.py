"""What is true of captions of scenes, on a page: of one, and of all test scenes."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.data.scene_captions import claim_of, is_true, meant
from nlpviz.data.scene_objects import UNSEEN, Scene, parsed, written
from nlpviz.data.scene_pictures import render
from nlpviz.figures.captions.words import words_figure
from nlpviz.results.captions import Caption, CaptionsMeasured
from nlpviz.runs import Run
from nlpviz.runs.captioners import load_captioner
from nlpviz.ui import cache as ui_cache
from nlpviz.ui.calls import Call
from nlpviz.ui.captions import answers, cache
from nlpviz.ui.captions.answers import Said
from nlpviz.ui.frame import escape_markdown, takeaway

NOTHING = "The scene is empty. Click anywhere in it to add an object."


def take_away(run: Run, epoch: int, scene: Scene) -> None:
    """Say whether the caption is true, and for how many words the network looks at the object."""
    if not scene:
        takeaway("The scene has 0 objects, so there is no caption.")
        return
    caption = cache.caption(run, epoch, render(scene))
    _, pieces = looks_said(caption, scene)
    if not caption.words:
        sentence, pieces = answers.written(caption, "")
        takeaway(sentence, **pieces)
    elif pieces:
        takeaway("The caption is true; attention is on the right object for {hits} of {looks} words.", **pieces)
    else:
        probability = answers.share(float(caption.probabilities.prod()))
        said = verdict(caption, scene)
        takeaway("The caption is {said}; its probability is {probability}.", said=said, probability=probability)
    if caption.words:
        st.markdown(f"“**{escape_markdown(caption.text)}**”")


def show(run: Run, epoch: int, scene: Scene) -> None:
    """Show the caption of a scene, whether it is true, and the places that were looked at for each word."""
    if not scene:
        st.info(NOTHING)
        return
    from nlpviz.language.decoding.captions import describe

    caption, image = cache.caption(run, epoch, render(scene)), Call(render, Call(parsed, written(scene)))
    found = Call(describe, Call(load_captioner, run, epoch), image.at(None)).giving([caption])
    said = [caption_said(caption, scene), looks_said(caption, scene)]
    answers.show(caption, Call(words_figure, found.at(0), image), said, notes(caption, scene))


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
    return "not grammatical" if claim is None else "true" if meant(claim, scene) else "not true"


def caption_said(caption: Caption, scene: Scene) -> Said:
    """Return the sentence with its pieces: what was written, how probable it is, and whether it is true."""
    claim = claim_of(caption.words)
    if claim is None:
        said = "not grammatical"
    else:
        said = f"{'' if is_true(caption.words, scene) else 'not '}true of this scene"
    return answers.written(caption, said)


def looks_said(caption: Caption, scene: Scene) -> Said:
    """Return the sentence with its pieces: for how many words that name an object the network looks at it."""
    found = _looks(caption, scene)
    if not found.looks:
        return "", {}
    return (
        "For {hits} of {looks} size, colour and shape words, the position with the highest weight overlaps "
        "the object (by chance: {chance:.0%}).",
        {"hits": round(found.on_object * found.looks), "looks": found.looks, "chance": found.chance},
    )


def notes(caption: Caption, scene: Scene) -> list[str]:
    """Return what else is known of a caption: a pair that training had not, and the weight that the object gets."""
    claim, found = claim_of(caption.words), _looks(caption, scene)
    new = [one for one in claim.mentions if (one.color, one.shape) in UNSEEN] if claim else []
    known = [f"No training scene contained a {one.color} {one.shape}." for one in new[:1]]
    return known + ([f"The object receives {found.mass:.0%} of the attention weight."] if found.looks else [])


def _looks(caption: Caption, scene: Scene) -> CaptionsMeasured:
    from nlpviz.language.decoding.captions import measure_captions

    return measure_captions([caption], [scene])


def begun(runs: Sequence[Run]) -> str:
    """Return in Markdown which of ``runs`` began with the weights of another one; empty where none did."""
    begun_with = ((run, run.recipe["fit"].get("starts_from")) for run in runs)
    return " ".join(
        f"*{escape_markdown(run.title)}* was initialised with the weights of {escape_markdown(_title(other))}, so "
        f"at epoch 0 the two networks differ only in their type of attention."
        for run, other in begun_with
        if other
    )


def _title(name: str) -> str:
    known = ui_cache.runs().get(name)
    return name if known is None else known.title


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
        f"Here, before **{caption.words[word]}** (word {word + 1}), α is largest at row {row + 1}, column {column + 1} "
        f"({caption.weights[word].max():.2f}); a uniform weight would be 1/{side**2} = "
        f"{1 / side**2:.3f}. The word has probability {caption.probabilities[word]:.2f}, and the product "
        f"over all {len(caption.words)} words is {caption.probabilities.prod():.2g}."
    )


def show_measured(runs: Sequence[Run]) -> None:
    """Show how many captions of test scenes are true, of each network."""
    st.header("How often are captions true?", anchor=False)
    tests = [run.metrics["test"] for run in runs]
    st.table(
        {
            "Model": [escape_markdown(run.title) for run in runs],
            "Test captions": [f"{test['documents']:,.0f}" for test in tests],
            "True": [f"{test['true']:.1%}" for test in tests],
            "True for unseen pairs of colour and shape": [f"{run.metrics['unseen']['true']:.1%}" for run in runs],
            "Attention on the right object": [f"{test['on_object']:.1%}" for test in tests],
            "By chance": [f"{test['chance']:.1%}" for test in tests],
        },
        hide_index=True,
    )
