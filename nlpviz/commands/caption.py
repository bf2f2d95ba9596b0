"""``caption RUN``: what a network says of a scene or of an image, and where it looks for each word."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nlpviz.commands import Command, UsageError, add_run, positive, print_json, run_for
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.data.scene_objects import Scene
    from nlpviz.results.captions import Caption
    from nlpviz.runs import Run


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--scene", help='scene to caption, for example "small red square 20 24; large blue circle 44 40"')
    what.add_argument("--test", type=positive, help="number of a test image of the run, counted from 1 (default: 1)")
    what.add_argument(
        "--unseen", type=positive, help="number of a scene with unseen colour-shape pairs, counted from 1"
    )
    what.add_argument("--image", type=Path, help="your own image file, scaled to the network’s input size")
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")


class _Asked(NamedTuple):
    """The image to caption, and its scene or the captions that people wrote, as far as they are known."""

    image: NDArray[np.uint8]
    scene: Scene = ()
    people: tuple[str, ...] = ()


def _run(options: argparse.Namespace) -> None:
    run = run_for("caption", options.run)
    from nlpviz.language.decoding.captions import describe
    from nlpviz.runs.captioners import load_captioner

    asked = _asked(options, run)
    caption = describe(load_captioner(run, options.epoch), asked.image[None])[0]
    if options.json:
        print_json(_facts(caption, asked))
        return
    print("\n".join(_in_words(caption, asked)))


def _asked(options: argparse.Namespace, run: Run) -> _Asked:
    """Return the image to caption: the requested image, else the first test image of the run.

    Raises:
        UsageError: if there is none, or it cannot be read.
    """
    from nlpviz.data import DataError
    from nlpviz.data.own_texts.pictures import read_picture
    from nlpviz.data.scene_objects import parsed
    from nlpviz.data.scene_pictures import render

    try:
        if options.image is not None:
            return _Asked(read_picture(options.image, int(run.config["side"])))
        if options.scene is not None:
            _check_scenes(run)
            scene = parsed(options.scene)
            return _Asked(render(scene), scene)
        return _held_out(run, "unseen" if options.unseen else "test", options.unseen or options.test or 1)
    except DataError as error:
        raise UsageError(str(error)) from None


def _check_scenes(run: Run) -> None:
    from nlpviz.runs.captioners import KIND

    if run.kind != KIND:
        raise UsageError(f"{run.name} was trained on your own images, not on scenes. Use --test or --image.")


def _held_out(run: Run, split: str, number: int) -> _Asked:
    """Return a test image of a run's corpus by its number."""
    from nlpviz.training.captioner import held_out

    if split == "unseen":
        _check_scenes(run)
    told = held_out(run, split)
    if number > len(told):
        raise UsageError(f"There is no image {number:,}. The images are numbered 1 to {len(told):,}.")
    if told.scenes:
        return _Asked(told.images[number - 1], told.scenes[number - 1])
    return _Asked(told.images[number - 1], people=told.texts(number - 1))


def _facts(caption: Caption, asked: _Asked) -> dict[str, Any]:
    from nlpviz.data.scene_captions import is_true
    from nlpviz.data.scene_objects import written

    return {
        **as_json(caption, "run", "epoch"),
        "scene": written(asked.scene) or None,
        "people": asked.people or None,
        "caption": caption.text,
        "true": is_true(caption.words, asked.scene) if asked.scene else None,
        "words": [
            {"word": word, "probability": probability, "weights": weights.round(6)}
            for word, probability, weights in zip(caption.words, caption.probabilities, caption.weights, strict=True)
        ],
        "places": caption.places,
    }


def _in_words(caption: Caption, asked: _Asked) -> list[str]:
    from nlpviz.data.scene_captions import is_true
    from nlpviz.data.scene_objects import written

    lines = [caption.text or "(nothing)", *(f"  human caption: {text}" for text in asked.people)]
    if asked.scene:
        verdict = "correct" if is_true(caption.words, asked.scene) else "incorrect"
        lines = [written(asked.scene), f"{caption.text or '(nothing)'}: {verdict}"]
    lines += [
        f"  {word:10} {probability:6.1%}  attends to row {row + 1}, column {column + 1} ({weights.max():.0%})"
        for word, probability, weights, (row, column) in zip(
            caption.words, caption.probabilities, caption.weights, caption.looked.tolist(), strict=True
        )
    ]
    return lines


COMMAND = Command(
    "caption", "caption an image and show which region the network attends to for each word", _add_arguments, _run
)
