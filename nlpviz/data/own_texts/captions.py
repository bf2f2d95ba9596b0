"""The user's images with their captions: a file in COCO's form next to a folder of images.

Lin et al. (2014), *Microsoft COCO: Common Objects in Context*: JSON with ``images`` (``id``, ``file_name``) and
``annotations`` (``image_id``, ``caption``), several captions an image. An entry that cannot be used spoils no other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from nlpviz.data.own_texts.pictures import read_picture
from nlpviz.data.own_texts.rows import LISTED, OwnTextsError
from nlpviz.results.own_texts import BadLine
from nlpviz.text.vocabulary import tokenize

FORMAT = "COCO captions"
LONGEST = 50
"""Words of a caption: a longer one is a bad entry."""
MOST = 150_000
"""Images that are read: 1.8 GB of memory at 64 pixels a side."""
_LARGEST = 2**29
"""Bytes of a captions file."""
_IMAGES, _ANNOTATIONS = "images", "annotations"


@dataclass
class CaptionedFiles:
    """The images that can be used, N of them, with their captions.

    Attributes:
        names: as the file has them, in its order.
        files: where they are.
        pixels: what tells whether two of them are the same: a hash of each as the network reads it.
        captions: of each, as words; one at least.
        rows: entries read, bad ones too.
        bad: the first bad entries.
        bad_count: how many there are.
    """

    names: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    pixels: list[str] = field(default_factory=list)
    captions: list[tuple[tuple[str, ...], ...]] = field(default_factory=list)
    rows: int = 0
    bad: list[BadLine] = field(default_factory=list)
    bad_count: int = 0

    def __len__(self) -> int:
        """Return N."""
        return len(self.names)

    def refuse(self, file: str, number: int, why: str) -> None:
        """Count a bad entry, and list it while the list is short."""
        self.bad_count += 1
        if len(self.bad) < LISTED:
            self.bad.append(BadLine(file, number, why))


def gather_captions(path: str, images: str, side: int) -> CaptionedFiles:
    """Return the images with captions that can be used; each is opened once, and none is kept.

    Args:
        path: of the captions file.
        images: the folder that the names in it are of.
        side: pixels that an image is scaled to.

    Raises:
        OwnTextsError: if the file or the folder cannot be read, or nothing in them can be used.
    """
    folder = Path(images)
    if not folder.is_dir():
        raise OwnTextsError(f"There is no folder {images}. Use the folder that contains the images.")
    said, found = _said(Path(path)), CaptionedFiles()
    found.rows = len(said[_IMAGES]) + len(said[_ANNOTATIONS])
    if len(said[_IMAGES]) > MOST:
        raise OwnTextsError(f"{Path(path).name} lists more than {MOST:,} images, the maximum. Use a subset.")
    captions = _captions(said, Path(path).name, found)
    known: set[object] = set()
    for number, entry in enumerate(said[_IMAGES], start=1):
        why = _take(entry, captions, known, (folder, side), found)
        if why:
            found.refuse(f"images in {Path(path).name}", number, why)
    if not found.names:
        first = f" {found.bad[0]}" if found.bad else ""
        raise OwnTextsError(f"{Path(path).name} contains no images with usable captions.{first}")
    return found


def _said(path: Path) -> Mapping[str, list[Any]]:
    """Return what a captions file says.

    Raises:
        OwnTextsError: if it is none.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise OwnTextsError(f"{path.name} is larger than {_LARGEST >> 20:,} MiB, the limit for a caption file.")
        said = json.loads(path.read_bytes())
    except OSError as problem:
        raise OwnTextsError(f"{path} cannot be read: {problem.strerror or problem}.") from None
    except (ValueError, RecursionError):
        raise OwnTextsError(f"{path.name} is not valid JSON. Captions must be in COCO format.") from None
    if not isinstance(said, dict) or not all(isinstance(said.get(name), list) for name in (_IMAGES, _ANNOTATIONS)):
        raise OwnTextsError(
            f'{path.name} is not in COCO format. It needs the lists "images" (id, file_name) and "annotations" '
            "(image_id, caption)."
        )
    return said


def _captions(said: Mapping[str, list[Any]], name: str, found: CaptionedFiles) -> dict[object, list[tuple[str, ...]]]:
    """Return the captions of each image, by its id; those that cannot be used are refused."""
    there = {_id(entry, "id") for entry in said[_IMAGES]}
    result: dict[object, list[tuple[str, ...]]] = {}
    for number, entry in enumerate(said[_ANNOTATIONS], start=1):
        image = _id(entry, "image_id")
        caption = entry.get("caption") if isinstance(entry, dict) else None
        words = tuple(token.word for token in tokenize(caption)) if isinstance(caption, str) else ()
        if image is None or image not in there:
            found.refuse(f"annotations in {name}", number, "refers to an image that is not listed")
        elif not words:
            found.refuse(f"annotations in {name}", number, "has an empty caption")
        elif len(words) > LONGEST:
            found.refuse(f"annotations in {name}", number, f"has more than {LONGEST} words")
        else:
            result.setdefault(image, []).append(words)
    return result


def _take(
    entry: object,
    captions: Mapping[object, list[tuple[str, ...]]],
    known: set[object],
    where: tuple[Path, int],
    found: CaptionedFiles,
) -> str:
    """Take an image if it can be used; return why not as half a sentence, else ``""``."""
    identifier, name = _id(entry, "id"), entry.get("file_name") if isinstance(entry, dict) else None
    if identifier is None or not isinstance(name, str) or not name or "\x00" in name:
        return "has no id or no file_name"
    if identifier in known:
        return f"has the id {str(identifier)[:40]}, which is already used by an earlier image"
    known.add(identifier)
    if identifier not in captions:
        return f"has no caption: {name[:80]}"
    folder, side = where
    place = folder / name
    try:
        if not place.resolve().is_relative_to(folder.resolve()):
            return f"is outside the folder: {name[:80]}"
        if not place.is_file():
            return f"is not in the folder: {name[:80]}"
        pixels = sha256(read_picture(place, side).tobytes()).hexdigest()
    except (OwnTextsError, OSError, RuntimeError):  # a name too long for a file, links that lead round
        return f"cannot be read as an image: {name[:80]}"
    found.names.append(name)
    found.files.append(place)
    found.pixels.append(pixels)
    found.captions.append(tuple(captions[identifier]))
    return ""


def _id(entry: object, name: str) -> object:
    """Return an entry's id, a number or a text; None where it has none."""
    value = entry.get(name) if isinstance(entry, dict) else None
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def repeated(found: CaptionedFiles) -> int:
    """Return how many images are the same as one before them, as the network sees them."""
    return len(found) - len(set(found.pixels))


def all_words(captions: tuple[tuple[tuple[str, ...], ...], ...]) -> Iterator[str]:
    """Yield every word of the captions of some images."""
    for of_image in captions:
        for words in of_image:
            yield from words
