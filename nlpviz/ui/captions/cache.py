"""Captions of scenes: written once, shared by all visitors, bounded, keyed as in ``nlpviz.ui.cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from nlpviz.data.captioned import CaptionedImages
from nlpviz.data.scene_objects import Scene
from nlpviz.data.scene_pictures import render
from nlpviz.data.scenes import held_out
from nlpviz.runs import Run, open_run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.results.captions import Caption


def caption(run: Run, epoch: int, scene: Scene) -> Caption:
    """Return what a network says of a scene."""
    return _caption(run.name, run.fingerprint, epoch, scene)


@st.cache_resource(max_entries=4, show_spinner=False)  # 12 MB each
def split(name: str) -> CaptionedImages:
    """Return the scenes of a split."""
    return held_out(name)


def image(scene: Scene) -> NDArray[np.uint8]:
    """Return the image of a scene, which takes a third of a millisecond."""
    return render(scene)


@st.cache_resource(max_entries=128, show_spinner="Looking at the scene…")
def _caption(name: str, fingerprint: str, epoch: int, scene: Scene) -> Caption:
    from nlpviz.reading.captions import describe

    return describe(_network(name, fingerprint, epoch), render(scene)[None])[0]


@st.cache_resource(max_entries=12, show_spinner="Loading the network…")
def _network(name: str, fingerprint: str, epoch: int) -> Any:  # noqa: ANN401, ARG001 - the cache's key
    import torch

    from nlpviz.runs.captioners import load_captioner

    torch.set_num_threads(1)  # as in `cache`: visitors are threads of one process
    return load_captioner(open_run(name), epoch)
