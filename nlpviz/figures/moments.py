"""One figure at several moments of a training, drawn as one that goes where its clock goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import orjson

from nlpviz.figures.frames import Frame, Playback
from nlpviz.figures.view import FigureView

CLOCK = "epoch"
"""What figures and texts of a page share that show the same epoch."""


def at_moments(views: Mapping[str, FigureView], shown: str, labels: Mapping[str, str], *, leads: bool) -> FigureView:
    """Return the figure of one moment, which holds those of the others as well.

    Args:
        views: the same figure at each moment, by its value in an address, in their order; as many traces in each.
        shown: the moment to begin with.
        labels: what people call each.
        leads: whether this figure has the controls; the others of a page follow it.

    Raises:
        ValueError: if the figures have different numbers of traces.
    """
    if len({len(view.figure.data) for view in views.values()}) != 1:
        raise ValueError("a figure must have the same number of traces in every frame")
    base = views[shown].json["layout"]
    frames = []
    for value, view in views.items():
        layout = view.json["layout"]
        changed = {key: one for key, one in layout.items() if orjson.dumps(one) != orjson.dumps(base.get(key))}
        frames.append(Frame(value, labels[value], view.figure.data, changed, view.alt, view.caption, view.name))
    return replace(views[shown], playback=Playback(shown, 0, tuple(frames), clock=CLOCK, follows=not leads))


def leading(view: FigureView) -> FigureView:
    """Return a figure that plays as one that the texts of its page follow."""
    return view if view.playback is None else replace(view, playback=replace(view.playback, clock=CLOCK))


def with_cursor(view: FigureView, shown: str, frames: Sequence[Frame], *, leads: bool) -> FigureView:
    """Return a figure that is drawn once: its moments change only those parts of its layout that their frames contain.

    Args:
        view: the figure at the moment to begin with.
        shown: that moment.
        frames: of all moments, with no traces.
        leads: as in :func:`at_moments`.
    """
    whole = tuple(replace(frame, traces=view.figure.data) for frame in frames)
    return replace(view, playback=Playback(shown, 0, whole, clock=CLOCK, follows=not leads))


def following(view: FigureView, epochs: Mapping[str, int]) -> FigureView:
    """Return a figure with a frame an epoch as one that follows: at each moment it shows the epoch named for it."""
    if view.playback is None:
        return view
    by_epoch = {frame.value: frame for frame in view.playback.frames}
    frames = tuple(replace(by_epoch[str(epoch)], value=value) for value, epoch in epochs.items())
    shown = next(value for value, epoch in epochs.items() if str(epoch) == view.playback.shown)
    return replace(view, playback=replace(view.playback, shown=shown, frames=frames, clock=CLOCK, follows=True))
