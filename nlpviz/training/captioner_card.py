"""The model card of a run that captions images."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.data.scene_objects import UNSEEN
from nlpviz.runs import Run
from nlpviz.training.provenance import checkpoints, made_from, plain, save_card, trained_on


def write_captioner_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of the run, from its manifest."""
    fit, test = run.recipe["fit"], run.metrics["test"]
    what, reached, made, not_for = _of_scenes(run, corpus) if corpus.drawn else _of_images(run, corpus)
    weights = f"the weights of {fit['starts_from']}" if fit.get("starts_from") else "random weights"
    save_card(
        run,
        model=f"Source: {source}. {what} {run.parameter_count:,} parameters.",
        results=f"""\
{reached}
Given the image and the preceding words, the test captions have a perplexity of {test["perplexity"]:.2f} per word. The
test split was evaluated once.""",
        training=f"""\
- {fit["epochs"]} epochs of {fit["steps"]:,} steps, {fit["batch_size"]} images per step.
- Checkpoint epochs: {checkpoints(run, f", with {weights}")}.
{trained_on(run)}
{made}""",
        limitations=not_for,
    )


def _of_scenes(run: Run, corpus: Corpus) -> tuple[str, str, str, str]:
    """Return what a run on drawn scenes is, what it reaches, how it is made and what it is not for."""
    rows = "\n".join(
        f"| {title} | {found['true']:.1%} | {found['pairs']:.0%} | {found['on_object']:.1%} | {found['chance']:.1%} |"
        for title, found in (
            ("combinations seen in training", run.metrics["test"]),
            ("only unseen combinations", run.metrics["unseen"]),
        )
    )
    pairs = ", ".join(sorted(f"{color} {shape}" for color, shape in UNSEEN))
    scenes = f"{run.metrics['test']['documents']:,} test scenes"
    reached = f"""\
| {scenes} | Correct captions | Share of these with two objects | Attention on the object | Chance level |
| --- | --- | --- | --- | --- |
{rows}

These combinations of colour and shape do not occur in the training scenes: {pairs}. A caption is correct if it is
grammatical and true of the scene. The network attends to an object if the grid cell with the highest
attention weight touches it. This is measured in correct captions, at the words for the object’s size, colour or shape.
The chance level is the share of grid cells that the object touches. Epoch {run.best_epoch} has the most correct
captions for the validation scenes.
"""
    made = f"""\
- Scenes are generated during training, {corpus.citation}. {corpus.url}. {corpus.licence}
- Reproduce: `python -m nlpviz train {run.name}`. Evaluate again: `python -m nlpviz evaluate {run.name}`."""
    return (
        "The model captions synthetic scenes of coloured shapes and was never trained on photographs.",
        reached,
        made,
        "The model’s captions cover six colours, five shapes and two sizes on an empty background. They are "
        "meaningless for photographs.",
    )


def _of_images(run: Run, corpus: Corpus) -> tuple[str, str, str, str]:
    """Return what a run on the user's images is, what it reaches, how it is made and what it is not for."""
    test, side = run.metrics["test"], run.config["side"]
    reached = f"""\
BLEU {test["bleu"]:.1f} on {test["documents"]:,} test images, ignoring case, compared with {test["references"]:,} human
captions. Epoch {run.best_epoch} has the lowest loss on {run.corpus["validation"]:,} validation images. {corpus.splits}
"""
    return (
        f"The model captions images in the style of {plain(corpus.title)}. Each image is cropped to its central square "
        f"and scaled to {side} × {side} pixels.",
        reached,
        f"{made_from(run, corpus)}\n"
        "- This folder contains no images or captions, only weights and words with their counts.",
        "This is a small network, trained on a few small images. Its captions can be wrong, especially about people.",
    )
