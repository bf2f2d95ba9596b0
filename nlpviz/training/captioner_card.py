"""The model card of a run that captions images."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.data.scene_objects import UNSEEN
from nlpviz.runs import Run
from nlpviz.runs.files import write_text
from nlpviz.training.provenance import made_from, plain


def write_captioner_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of the run, from what its manifest says."""
    fit, test = run.recipe["fit"], run.metrics["test"]
    what, reached, made, not_for = _of_scenes(run, corpus) if corpus.drawn else _of_images(run, corpus)
    weights = f"the weights of {fit['starts_from']}" if fit.get("starts_from") else "random weights"
    begun = f" (0 is before training, with {weights})" if 0 in run.epochs else ""
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. {what} {run.parameter_count:,} parameters.

## What it reaches

{reached}
Perplexity of a word of the test captions {test["perplexity"]:.2f}, given the image and the words before it. The test
split was measured once.

## How it was trained

- {fit["epochs"]} epochs of {fit["steps"]:,} steps, {fit["batch_size"]} images a step.
- Epochs kept: {", ".join(map(str, run.epochs))}{begun}.
- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
{made}

## What it must not be used for

{not_for}
""",
    )


def _of_scenes(run: Run, corpus: Corpus) -> tuple[str, str, str, str]:
    """Return what a run on drawn scenes is, what it reaches, how it is made and what it is not for."""
    rows = "\n".join(
        f"| {title} | {found['true']:.1%} | {found['pairs']:.0%} | {found['on_object']:.1%} | {found['chance']:.1%} |"
        for title, found in (
            ("like those of training", run.metrics["test"]),
            ("of unseen pairs alone", run.metrics["unseen"]),
        )
    )
    pairs = ", ".join(sorted(f"{color} {shape}" for color, shape in UNSEEN))
    reached = f"""\
| {run.metrics["test"]["documents"]:,} test scenes | captions true | of two objects | looks at the object | chance |
| --- | --- | --- | --- | --- |
{rows}

Unseen pairs of colour and shape, which no training scene has: {pairs}. A caption is true where the grammar knows it and
it says nothing that is not so. A network looks at an object where the place with the most weight touches it, for words
that name its size, colour or shape in true captions; chance is the share of places that the object touches. Epoch
{run.best_epoch} is the best by the captions of validation scenes.
"""
    made = f"""\
- Scenes were drawn as they were needed: {corpus.citation}. {corpus.url}. {corpus.licence}
- Made by `python -m nlpviz train {run.name}`; measured again by `python -m nlpviz evaluate {run.name}`."""
    return (
        "It captions synthetic scenes of coloured shapes, which the project draws; no photograph was seen.",
        reached,
        made,
        "It knows six colours, five shapes and two sizes on an empty ground. Of a photograph it would write nonsense.",
    )


def _of_images(run: Run, corpus: Corpus) -> tuple[str, str, str, str]:
    """Return what a run on a person's own images is, what it reaches, how it is made and what it is not for."""
    test, side = run.metrics["test"], run.config["side"]
    reached = f"""\
BLEU {test["bleu"]:.1f} on {test["documents"]:,} test images, each caption beside the {test["references"]:,} that people
wrote of them, without case. Epoch {run.best_epoch} has the lowest loss on {run.corpus["validation"]:,} validation
images. {corpus.splits}
"""
    return (
        f"It captions images scaled to {side} × {side} pixels, the middle square of each, as those of "
        f"{plain(corpus.title)} are captioned.",
        reached,
        f"{made_from(run, corpus)}\n- No image is in this folder, and no caption: weights, words with their counts.",
        "It is a small network that has seen few pixels of few images: what it says of an image need not be so, least "
        "of all of people.",
    )
