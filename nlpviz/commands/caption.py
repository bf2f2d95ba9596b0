"""``caption RUN``: what a network says of a scene or of an image, and where it looks for each word."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, positive, print_json, run_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.data.scene_objects import Scene
    from nlpviz.results.captions import Caption


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--scene", help='for example "small red square 20 24; large blue circle 44 40"')
    what.add_argument("--test", type=positive, help="a test scene by its number, from 1 (default: 1)")
    what.add_argument("--unseen", type=positive, help="a scene of pairs that no training scene has, by its number")
    what.add_argument("--image", type=Path, help="a picture of your own; it is scaled to what the network reads")
    parser.add_argument("--epoch", type=int, help="default: the best epoch")


def _run(options: argparse.Namespace) -> None:
    run = run_for("caption", options.run)
    from nlpviz.reading.captions import describe
    from nlpviz.runs.captioners import load_captioner

    image, scene = _asked(options, int(run.config["side"]))
    caption = describe(load_captioner(run, options.epoch), image[None])[0]
    if options.json:
        print_json(_facts(caption, scene))
        return
    print("\n".join(_in_words(caption, scene)))


def _asked(options: argparse.Namespace, side: int) -> tuple[NDArray[np.uint8], Scene]:
    """Return the image that is to be told, and its scene; empty of a picture of one's own."""
    from nlpviz.data import DataError
    from nlpviz.data.scene_objects import parsed
    from nlpviz.data.scene_pictures import render
    from nlpviz.data.scenes import SCENES, held_out

    if options.image is not None:
        return _picture(options.image, side), ()
    number = options.unseen or options.test or 1
    if number > SCENES:
        raise UsageError(f"There are {SCENES:,} scenes, and none numbered {number:,}.")
    try:
        split = "unseen" if options.unseen else "test"
        scene = held_out(split, number).scenes[-1] if options.scene is None else parsed(options.scene)
    except DataError as error:
        raise UsageError(str(error)) from None
    return render(scene), scene


def _picture(path: Path, side: int) -> NDArray[np.uint8]:
    """Return a picture's middle square, scaled to ``side`` pixels, as uint8 (3, S, S)."""
    import numpy as np
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(path) as opened:
            scaled = ImageOps.fit(opened.convert("RGB"), (side, side))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        raise UsageError(f"{path} cannot be read as a picture.") from None
    return np.asarray(scaled, dtype=np.uint8).transpose(2, 0, 1).copy()


def _facts(caption: Caption, scene: Scene) -> dict[str, Any]:
    from nlpviz.data.scene_captions import is_true
    from nlpviz.data.scene_objects import written

    return {
        "run": caption.run,
        "epoch": caption.epoch,
        "scene": written(scene) or None,
        "caption": caption.text,
        "true": is_true(caption.words, scene) if scene else None,
        "words": [
            {"word": word, "probability": float(probability), "weights": weights.round(6).tolist()}
            for word, probability, weights in zip(caption.words, caption.probabilities, caption.weights, strict=True)
        ],
        "places": None if caption.places is None else caption.places.tolist(),
    }


def _in_words(caption: Caption, scene: Scene) -> list[str]:
    from nlpviz.data.scene_captions import is_true
    from nlpviz.data.scene_objects import written

    lines = []
    if scene:
        verdict = "true" if is_true(caption.words, scene) else "not true"
        lines = [written(scene), f"{caption.text or '(nothing)'}: {verdict} of the scene"]
    else:
        lines = [caption.text or "(nothing)"]
    lines += [
        f"  {word:10} {probability:6.1%}  looks at row {row + 1}, column {column + 1} ({weights.max():.0%})"
        for word, probability, weights, (row, column) in zip(
            caption.words, caption.probabilities, caption.weights, caption.looked.tolist(), strict=True
        )
    ]
    return lines


COMMAND = Command(
    "caption", "say what a network sees in a scene, and where it looks for each word", _add_arguments, _run
)
