"""The user's images with captions: the splits that their recipe describes, and an image's captions by its number.

What a network reads as the same image is on one side, under whatever names. Images are read where they are, as long as
they are those that the recipe names, and a split at a time: no run keeps any.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import DataError
from nlpviz.data.captioned import CaptionedImages
from nlpviz.data.own_texts import OwnTextsError
from nlpviz.data.own_texts.captions import CaptionedFiles, gather_captions
from nlpviz.data.own_texts.pictures import read_picture
from nlpviz.data.own_texts.readers import OwnReader, check_files
from nlpviz.data.own_texts.recipe import TextsRecipe
from nlpviz.data.own_texts.splitting import held_out_groups

TRAIN, VALIDATION, TEST = SPLITS = ("train", "validation", "test")
NOT_KEPT = "Images are never stored in a run. Omit --keep-texts."


def split(texts: TextsRecipe, found: CaptionedFiles) -> dict[str, NDArray[np.int64]]:
    """Return which of the images each split has, ascending.

    Raises:
        OwnTextsError: if there are fewer than three different ones.
    """
    left = np.arange(len(found))
    tested = held_out_groups(found.pixels, left, texts.held_out, texts.seed)
    left = np.setdiff1d(left, tested)
    validation = held_out_groups(found.pixels, left, texts.validation, texts.seed + 1)
    return {TRAIN: np.setdiff1d(left, validation), VALIDATION: validation, TEST: tested}


def _read(texts: TextsRecipe, _: Path, name: str) -> CaptionedImages:
    """Return the split called ``name``.

    Raises:
        CorpusMissing: if file or folder is not there or has changed.
        DataError: if there is no such split.
    """
    if name not in SPLITS:
        raise DataError(f"{Path(texts.path).name} has no split {name!r}; available: {', '.join(SPLITS)}.")
    check_files(texts, kept="images")
    found = _found(texts)
    places = split(texts, found)[name].tolist()
    return CaptionedImages(
        np.stack([read_picture(found.files[place], texts.side) for place in places]),
        tuple(found.captions[place] for place in places),
        names=tuple(found.names[place] for place in places),
    )


@lru_cache(maxsize=2)
def _found(texts: TextsRecipe) -> CaptionedFiles:
    """Return the usable images, which the recipe identifies by their hash; their pixels are not kept."""
    return gather_captions(texts.path, texts.images, texts.side)


def _find(texts: TextsRecipe, _: Path, identifier: str) -> str:
    """Return the captions of an image, a line each: split and place from 1, as ``"test/17"``.

    Raises:
        CorpusMissing: if they are unavailable, saying why.
        DataError: if there is no such image.
    """
    name, __, place = identifier.partition("/")
    if name in SPLITS and place.isdecimal() and len(place) < 10:
        check_files(texts, kept="images")
        found = _found(texts)
        places = split(texts, found)[name]
        if 1 <= int(place) <= len(places):
            return "\n".join(" ".join(words) for words in found.captions[int(places[int(place) - 1])])
    raise DataError(f"{Path(texts.path).name} has no image {identifier!r}.")


def _keep(*_: object) -> None:
    raise OwnTextsError(NOT_KEPT)


def said(texts: TextsRecipe) -> str:
    """Return a sentence that says how test and validation images were chosen."""
    return (
        f"Test set: {texts.held_out:.1%} of the images. Validation set: {texts.validation:.1%} of the rest. "
        "The split is random, but identical images stay together."
    )


READER = OwnReader("captions", _read, _find, _keep, said, "the user’s own captioned images")
