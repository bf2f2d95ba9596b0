"""Captions on pages: written once, shared by all visitors, bounded, keyed as in ``nlpviz.ui.cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nlpviz.data import corpus_named
from nlpviz.data.captioned import CaptionedImages
from nlpviz.runs import Run
from nlpviz.runs.captioners import load_captioner
from nlpviz.ui.cache import shared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.results.captions import Caption


@shared(128, "Captioning the image…")
def caption(run: Run, epoch: int, image: NDArray[np.uint8]) -> Caption:
    """Return what a network says of an image, uint8 (3, S, S)."""
    from nlpviz.language.decoding.captions import describe

    return describe(_network(run, epoch), image[None].copy())[0]


@shared(4, "Reading the images…")  # 12 kB an image; user data have usually 2,000
def told(corpus: str, split: str) -> CaptionedImages:
    """Return the held-out images of a split.

    Raises:
        DataError: if they are user data and are missing or have changed.
    """
    return cast("CaptionedImages", corpus_named(corpus).read(split))


_network = shared(12, "Loading the network…")(load_captioner)
