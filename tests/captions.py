"""Captioners that learnt for seconds: on scenes, and on images of a person's own, which are scenes in files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nlpviz.commands.cli import main
from nlpviz.data.scenes import some
from nlpviz.runs import Run
from nlpviz.training import Options
from nlpviz.training.bounds import rehearsal
from nlpviz.training.captioner import captioner_recipe
from nlpviz.training.captioner_fit import CaptionerFit
from nlpviz.training.recipes import recipes

SCENES = {"scenes-soft": "Soft attention on scenes", "scenes-hard": "Hard attention on scenes"}
OWN = "my-images"
IMAGES = 40
SHARE = 0.02
"""Of the scenes, in a rehearsal: 20 to test on, 6 for validation."""


def make_runs(folder: Path) -> None:
    """Train both networks on a few scenes for two epochs."""
    with rehearsal(SHARE):
        for name in SCENES:
            one = recipes()[name]
            settings = replace(one.settings, kept_epochs=(0, 1), fit=CaptionerFit(epochs=2, steps=150, batch_size=8))
            (folder / name).mkdir(parents=True)
            captioner_recipe(name, one.title, settings).make(folder / name, Options(device="cpu"))
            for state in (folder / name).glob(".state*"):
                state.unlink()
            Run.open(folder / name).save()


def write_images(folder: Path, count: int = IMAGES) -> tuple[Path, Path]:
    """Write scenes as PNG files and their captions, two an image, in COCO's form; return the file and the folder."""
    photos, captions = folder / "photos", folder / "captions.json"
    photos.mkdir(parents=True)
    told = some(np.random.default_rng(5), count)
    entries: dict[str, list[object]] = {"images": [], "annotations": []}
    for number, (image, ((*words,),)) in enumerate(zip(told.images, told.captions, strict=True)):
        name = f"{number:03}.png"
        Image.fromarray(image.transpose(1, 2, 0)).resize((96, 80)).save(photos / name)
        entries["images"].append({"id": number, "file_name": name})
        entries["annotations"] += [
            {"image_id": number, "caption": text}
            for text in (f"{' '.join(words).capitalize()}.", f"There is {' '.join(words)}.")
        ]
    captions.write_text(json.dumps(entries), encoding="utf-8")
    return captions, photos


def change(captions: Path, name: str, *entries: object) -> None:
    """Add entries to one of the lists of a captions file."""
    said = json.loads(captions.read_text(encoding="utf-8"))
    said[name] += entries
    captions.write_text(json.dumps(said), encoding="utf-8")


def train(name: str, captions: Path, images: Path, *more: str) -> int:
    """Train by the command for two epochs, else as it is asked."""
    asked = ["train", name, "--texts", str(captions), "--images", str(images), "--epochs", "2", "--device", "cpu"]
    return main([*asked, *more])


def make_own_runs(folder: Path) -> None:
    """Train both networks on images of one's own, in ``folder/runs``; their files stand beside it."""
    captions, photos = write_images(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder / "runs"))
        assert train(OWN, captions, photos, "--model", "soft,hard") == 0
