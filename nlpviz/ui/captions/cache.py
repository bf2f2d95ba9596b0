"""Captions on pages: written once, shared by all visitors, bounded, keyed as in ``nlpviz.ui.cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import streamlit as st

from nlpviz.data import corpus_named
from nlpviz.data.captioned import CaptionedImages
from nlpviz.runs import Run, open_run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.results.captions import Caption


def caption(run: Run, epoch: int, image: NDArray[np.uint8]) -> Caption:
    """Return what a network says of an image, uint8 (3, S, S)."""
    return _caption(run.name, run.fingerprint, epoch, image.shape[1], image.tobytes())


@st.cache_resource(max_entries=4, show_spinner="Reading the images…")  # 12 kB an image; user data have usually 2,000
def told(corpus: str, split: str) -> CaptionedImages:
    """Return the held-out images of a split.

    Raises:
        DataError: if they are user data and are missing or have changed.
    """
    return cast("CaptionedImages", corpus_named(corpus).read(split))


@st.cache_resource(max_entries=128, show_spinner="Captioning the image…")
def _caption(name: str, fingerprint: str, epoch: int, side: int, pixels: bytes) -> Caption:
    import numpy as np

    from nlpviz.language.decoding.captions import describe

    images = np.frombuffer(pixels, dtype=np.uint8).reshape(1, 3, side, side).copy()
    return describe(_network(name, fingerprint, epoch), images)[0]


@st.cache_resource(max_entries=12, show_spinner="Loading the network…")
def _network(name: str, fingerprint: str, epoch: int) -> Any:  # noqa: ANN401, ARG001 - the cache's key
    from nlpviz.runs.captioners import load_captioner

    return load_captioner(open_run(name), epoch)
