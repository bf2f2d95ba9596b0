"""The model card of a run that captions images."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.data.scene_objects import UNSEEN
from nlpviz.runs import Run
from nlpviz.runs.files import write_text


def write_captioner_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of the run, from what its manifest says."""
    fit = run.recipe["fit"]
    rows = "\n".join(
        f"| {title} | {found['true']:.1%} | {found['pairs']:.0%} | {found['on_object']:.1%} | {found['chance']:.1%} |"
        for title, found in (
            ("like those of training", run.metrics["test"]),
            ("of unseen pairs alone", run.metrics["unseen"]),
        )
    )
    pairs = ", ".join(sorted(f"{color} {shape}" for color, shape in UNSEEN))
    begun = " (0 is before training, with random weights)" if 0 in run.epochs else ""
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. It captions synthetic scenes of coloured shapes, which the project draws; no photograph was seen.
{run.parameter_count:,} parameters.

## What it reaches

| {run.metrics["test"]["documents"]:,} test scenes | captions true | of two objects | looks at the object | chance |
| --- | --- | --- | --- | --- |
{rows}

Unseen pairs of colour and shape, which no training scene has: {pairs}. A caption is true where the grammar knows it and
it says nothing that is not so. A network looks at an object where the place with the most weight touches it, for words
that name its size, colour or shape in true captions; chance is the share of places that the object touches. Epoch
{run.best_epoch} is the best by the captions of validation scenes; the test scenes were captioned once.

## How it was trained

- {fit["epochs"]} epochs of {fit["steps"]:,} steps, {fit["batch_size"]} scenes a step, drawn as they were needed.
- Epochs kept: {", ".join(map(str, run.epochs))}{begun}.
- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
- Made by `python -m nlpviz train {run.name}`; measured again by `python -m nlpviz evaluate {run.name}`.
- Scenes: {corpus.citation}. {corpus.url}. {corpus.licence}

## What it must not be used for

It knows six colours, five shapes and two sizes on an empty ground. Of a photograph it would write nonsense.
""",
    )
