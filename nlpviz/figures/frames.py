"""What a map shows at each epoch, so that the browser can play them without asking the server.

A frame travels as what is different from the figure: coordinates in steps of 1/65,535 of their span, two bytes each,
which is less than a pixel of any screen.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

_STEPS = 65_535
_FIRST = {"scene1": "scene"}  # what a figure of plotly's calls it, whatever it was made with
_PLAIN = ("type", "xaxis", "yaxis", "scene")  # a trace's axes are the figure's


class FrameTrace(dict[str, Any]):
    """A trace of a frame, as ``go.Scatter`` is made but not checked: a map has thousands of points at every epoch."""

    def to_plotly_json(self) -> dict[str, Any]:
        """Return the properties."""
        return dict(self)


@dataclass(frozen=True)
class Frame:
    """A figure at another epoch: what is drawn otherwise, and the words for it.

    Attributes:
        value: the epoch, as an address writes it.
        label: what people call it.
        traces: those of the panel that is played, as many as the figure has there, in their order.
        layout: what of the layout is different.
        alt: as in :class:`nlpviz.figures.view.FigureView`.
        caption: as there.
        name: as there.
    """

    value: str
    label: str
    traces: Sequence[Any]
    layout: Mapping[str, Any]
    alt: str
    caption: str
    name: str


@dataclass(frozen=True)
class Playback:
    """The frames of a figure, in the order in which they are played.

    Attributes:
        shown: the value of the frame that the figure itself is.
        first: the number of the trace of the figure that the first one of each frame stands for.
        frames: one an epoch.
        verb: what the button says; empty for ``Play training``.
        noun: what the slider counts; empty for ``Epoch``.
        pace: milliseconds from one frame to the next; 0 for a second.
        stepped: whether buttons lead to the frame before and to the next one.
        clock: what figures and texts of a page share that show the same moment; empty for none.
        follows: whether another figure of that clock has the controls, and this one goes where it goes.
    """

    shown: str
    first: int
    frames: tuple[Frame, ...] = field(default=())
    verb: str = ""
    noun: str = ""
    pace: int = 0
    stepped: bool = False
    clock: str = ""
    follows: bool = False

    def packed(self, traces: Sequence[Any]) -> dict[str, Any]:
        """Return the frames as the browser gets them, each as what is different from the figure's ``traces``."""
        base = [trace.to_plotly_json() for trace in traces]
        ids = [identifier for trace in base[self.first :] for identifier in trace.get("customdata", ())]
        numbered = {identifier: number for number, identifier in enumerate(ids)}
        frames = []
        for frame in self.frames:
            own = frame.value == self.shown
            drawn = [] if own else [trace.to_plotly_json() for trace in frame.traces]
            data = [
                _changed(before, after, numbered)
                for before, after in zip(base[self.first : self.first + len(drawn)], drawn, strict=True)
            ]
            words = {"alt": frame.alt, "caption": frame.caption, "name": frame.name}
            named = {_FIRST.get(key, key): value for key, value in frame.layout.items()}
            layout = {} if own else orjson.loads(orjson.dumps(named, option=orjson.OPT_SERIALIZE_NUMPY))
            frames.append({"value": frame.value, "label": frame.label, "data": data, "layout": layout, **words})
        own_words = {
            "verb": self.verb, "noun": self.noun, "pace": self.pace, "stepped": self.stepped, "clock": self.clock,
            "follows": self.follows,
        }  # fmt: skip
        said = {key: value for key, value in own_words.items() if value}
        return {"shown": self.shown, "first": self.first, "frames": frames, **said}


def _changed(
    before: Mapping[str, Any], after: Mapping[str, Any], numbered: Mapping[object, int] | None = None
) -> dict[str, Any]:
    """Return what of ``after`` is not as ``before``, its arrays packed, its ids by their numbers among the figure's.

    What is said of a point stays with its id.
    """
    result: dict[str, Any] = {}
    ids = after.get("customdata")
    known = numbered is not None and ids is not None and all(one in numbered for one in ids)
    for key, value in after.items():
        if isinstance(value, dict):
            if changed := _changed(before.get(key) or {}, value):
                result[key] = changed
        elif key in _PLAIN or (known and key == "hovertext") or _same(before.get(key), value):
            continue
        elif key == "customdata" and numbered is not None and known:
            result["ids"] = _array(np.array([numbered[one] for one in value], dtype="<u2"))
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim == 1:
            result[key] = _quantised(value)
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
            result[key] = _cells(value)
        else:
            result[key] = orjson.loads(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY))
    return result


def _same(before: object, after: object) -> bool:
    if isinstance(before, np.ndarray) or isinstance(after, np.ndarray):
        return np.array_equal(np.asarray(before), np.asarray(after))
    return before == after


def _quantised(values: NDArray[np.floating[Any]]) -> dict[str, Any]:
    """Return finite numbers as steps from the least one on."""
    least, span = (float(values.min()), float(np.ptp(values))) if values.size else (0.0, 0.0)
    step = span / _STEPS or 1.0
    return _array(np.rint((values - least) / step).astype("<u2")) | {"from": least, "step": step}


def _cells(values: NDArray[np.floating[Any]]) -> dict[str, Any]:
    """Return numbers in rows and columns as plotly.js reads them."""
    packed = base64.b64encode(values.astype("<f4").tobytes()).decode("ascii")
    return {"dtype": "f4", "bdata": packed, "shape": ", ".join(map(str, values.shape))}


def _array(values: NDArray[np.uint16]) -> dict[str, Any]:
    return {"dtype": "u2", "bdata": base64.b64encode(values.tobytes()).decode("ascii")}
