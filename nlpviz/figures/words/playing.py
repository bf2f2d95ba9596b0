"""A map of words that plays: its last panel at every kept epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures.frames import Frame, FrameTrace, Playback
from nlpviz.figures.view import FigureView
from nlpviz.figures.words.maps import draw, word_map, words_for
from nlpviz.figures.words.panels import WordMapStyle, WordPanel


def playing_map(
    panels: Sequence[WordPanel],
    projector: str,
    style: WordMapStyle,
    framed: Sequence[NDArray[np.float32]],
    played: Mapping[str, WordPanel],
) -> FigureView:
    """Return the maps side by side, the last of which the browser plays where there is more than one epoch.

    Args:
        panels: of one projector and one number of dimensions.
        projector: what people call it.
        style: what is marked.
        framed: coordinates that the axes have room for besides those drawn: of all epochs that are played.
        played: the last panel at every epoch, in their order, by the epoch.
    """
    view = word_map(panels, projector, style, framed)
    shown = next((value for value, panel in played.items() if panel.full_title == panels[-1].full_title), None)
    if len(played) < 2 or shown is None:
        return view
    frames, counts = [], set()
    for value, panel in played.items():
        every = [*panels[:-1], panel]
        drawn = draw(every, style, framed, FrameTrace)
        layout = drawn.layout
        # without segments there is nothing to draw but points and labels, which is quick
        marks = {key: layout[key] for key in ("annotations", "shapes") if layout[key]}
        scenes = {key: {"annotations": layout[key]["annotations"]} for key in layout if key.startswith("scene")}
        counts.add(len(drawn.traces[-1]))
        frames.append(
            Frame(
                value, panel.full_title, drawn.traces[-1], {**marks, **scenes},
                name=view.name, **words_for(every, projector, style),
            )
        )  # fmt: skip
    if len(counts) > 1:  # a segment in space has its own trace, where both ends are
        return view
    return replace(view, playback=Playback(shown, len(view.figure.data) - counts.pop(), tuple(frames)))
