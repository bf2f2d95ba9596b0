"""One look for every figure: colours that mean the same everywhere, and one template.

Figures are drawn in the light theme's colours. :data:`ON_DARK` and :data:`OF_THE_PAGE` say what each of them
becomes on another page: ``nlpviz/ui/plotly_paint.js`` swaps them in the browser, so that a change of theme
costs no round trip, and a figure built here is complete by itself.

Colours: Okabe and Ito (2008), "Color Universal Design", darkened for white paper or lightened for a dark page
until a mark stands out at 3:1 (WCAG 2.2, 1.4.11).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go
from plotly.io import templates

# What the page is made of, in the light theme; the browser takes the page's own.
INK, SURFACE, GRID, ZERO = "#16181D", "#FFFFFF", "#E4E7EC", "#B9C0CB"
INK_ON_DARK, SURFACE_ON_DARK = "#FAFAFA", "#0E1117"
OF_THE_PAGE = {INK: "--st-text-color", SURFACE: "--st-background-color"}

POSITIVE, NEGATIVE = "#0072B2", "#D55E00"
MAGNITUDE = "#8F5AA8"  # a score without a sign: neither blue nor vermillion
MUTED = "#5B6270"  # axis titles, notes, what is out of focus
MIDDLE = "#F4F5F7"  # zero on a diverging scale
CATEGORIES = (POSITIVE, NEGATIVE, "#008B65", "#B85C93", "#B07A00", "#3D8FC4", "#857C00", "#4A4F5A")

_RAMP_STEPS = 24
_RAMP_ENDS = (("#8C929E", "#717784"), (POSITIVE, "#58A6DD"))  # (light, dark): before training, fully trained


def _mix(first: str, second: str, share: float) -> str:
    """Return the colour that lies ``share`` (0 to 1) of the way from ``first`` to ``second``."""
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(second[1:]), strict=True)
    return "#" + bytes(round(a + share * (b - a)) for a, b in pairs).hex().upper()


_RAMP = {
    _mix(_RAMP_ENDS[0][0], _RAMP_ENDS[1][0], step / _RAMP_STEPS): _mix(
        _RAMP_ENDS[0][1], _RAMP_ENDS[1][1], step / _RAMP_STEPS
    )
    for step in range(_RAMP_STEPS + 1)
}

_MAGNITUDES = {
    "#C9BAD6": "#4A3D57", "#A98BC3": "#6F5788", "#8E59A7": "#9A78B0", "#6A3685": "#C69ADB", "#3D1A54": "#F0DDF8",
}  # fmt: skip

ON_DARK = {
    **_RAMP,
    **_MAGNITUDES,
    **dict(
        zip(
            CATEGORIES,
            ("#58A6DD", "#F0884D", "#2DBE92", "#DB94BB", "#E69F00", "#8ED0F4", "#E3D84A", "#C3C8D2"),
            strict=True,
        )
    ),
    MAGNITUDE: "#C79BDC",
    MUTED: "#A3AAB8",
    GRID: "#2B303B",
    ZERO: "#505867",
    MIDDLE: "#1B2029",
}

GREY = _RAMP_ENDS[0][0]
"""Of lines that stand back behind those in colour."""

_LETTERS = {
    NEGATIVE: "#BF5400", CATEGORIES[2]: "#00845F", CATEGORIES[3]: "#AF568C", CATEGORIES[4]: "#966800",
    CATEGORIES[5]: "#2F7CAE", CATEGORIES[6]: "#7D7500",
}  # fmt: skip
ON_DARK |= {letters: ON_DARK[mark] for mark, letters in _LETTERS.items()}


def lettering(color: str) -> str:
    """Return the colour of words about a mark of that ``color``: darker where 4.5:1 on white paper (WCAG) asks for it.

    On a dark page both are the same.
    """
    if color in _RAMP:  # towards grey, the first half is too pale for words
        share = list(_RAMP).index(color) / _RAMP_STEPS
        return color if share == 1 else MUTED if share < 0.5 else POSITIVE
    return _LETTERS.get(color, color)


MAGNITUDE_SCALE = tuple((place / (len(_MAGNITUDES) - 1), color) for place, color in enumerate(_MAGNITUDES))
"""One hue, from near the page to far from it: contrasts of 1.8, 3, 5, 8.3 and 14.5 to 1 on either page."""
SIGNED_SCALE = ((0.0, NEGATIVE), (0.5, MIDDLE), (1.0, POSITIVE))
WEIGHT_SCALE = ((0.0, MIDDLE), (1.0, MAGNITUDE))
"""Of attention, from none at all."""

_AXIS = {
    "automargin": True,
    "gridcolor": GRID,
    "linecolor": GRID,
    "zerolinecolor": ZERO,
    "ticks": "",
    "ticklabelstandoff": 4,
    "title": {"standoff": 10, "font": {"size": 13, "color": MUTED}},
    "tickfont": {"size": 12, "color": MUTED},
}
_AXIS_3D = {key: _AXIS[key] for key in ("gridcolor", "linecolor", "zerolinecolor", "tickfont")} | {
    "showbackground": False,
    "showspikes": False,
    "title": {"font": {"size": 13, "color": MUTED}},
}
_CLEAR = "rgba(0,0,0,0)"
_FONT = '"Source Sans", ui-sans-serif, system-ui, sans-serif'  # Streamlit's bundled one
_TITLE_HEIGHT = 26

TEMPLATE = go.layout.Template(
    layout={
        "font": {"family": _FONT, "size": 14, "color": INK},
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "colorway": CATEGORIES,
        "colorscale": {"sequential": MAGNITUDE_SCALE, "diverging": SIGNED_SCALE},
        "margin": {"l": 56, "r": 16, "t": 36, "b": 52},
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "scene": {
            "xaxis": _AXIS_3D,
            "yaxis": _AXIS_3D,
            "zaxis": _AXIS_3D,
            "dragmode": "turntable",
            "camera": {"eye": {"x": 0.92, "y": 0.92, "z": 0.58}, "center": {"x": 0, "y": 0, "z": -0.06}},
        },
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "bgcolor": _CLEAR,
            "itemsizing": "constant",
            "itemwidth": 40,  # so long that a dash is seen
            "font": {"size": 13},
        },
        "title": {
            "x": 0,
            "xref": "paper",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 10},
            "font": {"size": 15, "color": INK},
        },
        "hoverlabel": {
            "bgcolor": SURFACE,
            "bordercolor": GRID,
            "align": "left",
            "namelength": -1,
            "font": {"family": _FONT, "size": 13, "color": INK},
        },
        "modebar": {"bgcolor": _CLEAR, "color": MUTED, "activecolor": INK, "orientation": "h"},
        "dragmode": "pan",
        "hovermode": "closest",
        "bargap": 0.25,
    },
    data={
        "scatter": [{"marker": {"size": 7, "line": {"width": 0}}}],
        "scattergl": [{"marker": {"size": 6}}],
        "scatter3d": [{"marker": {"size": 3.5, "line": {"width": 0}}}],
        "heatmap": [{"colorbar": {"outlinewidth": 0, "thickness": 12, "tickfont": {"size": 12}}}],
    },
)

templates["nlpviz"] = TEMPLATE


def figure(
    traces: Iterable[object] = (),
    *,
    height: int = 460,
    x: str = "",
    y: str = "",
    **layout: Any,  # noqa: ANN401  # whatever Plotly's layout knows
) -> go.Figure:
    """Return a figure of ``traces`` in the shared look, ``height`` pixels high.

    ``x`` and ``y`` are the axes' titles, with units; ``layout`` is handed on to Plotly. A short ``title_text``
    distinguishes figures that are side by side; the question is the page's title.
    """
    # As the default, which Streamlit sets to its own: named in the layout, or set again, it would be checked for 4 ms.
    if templates.default != "nlpviz":
        templates.default = "nlpviz"
    titles = {f"{axis}axis_title_text": title for axis, title in (("x", x), ("y", y)) if title}
    # all at once and unchecked until here: a layout that is built first is checked twice, updated three times
    result = go.Figure(data=list(traces), layout={"height": height, **titles, **layout})
    if result.layout.title.text and result.layout.margin.t is None:
        result.layout.margin.t = _TITLE_HEIGHT + TEMPLATE.layout.margin.t
    return result


def plain(text: str) -> str:
    """Return ``text`` as Plotly shows it literally: escaped but for quotes, whose entities it does not know."""
    return escape(text, quote=False)


def epoch_color(epoch: int, last: int) -> str:
    """Return the colour of ``epoch`` on the ramp from grey (0, before training) to full colour (``last``)."""
    share = min(max(epoch / last, 0.0), 1.0) if last > 0 else 1.0
    return list(_RAMP)[round(share * _RAMP_STEPS)]


def signed_bars(scores: Iterable[float]) -> dict[str, Any]:
    """Return the ``marker`` of bars whose sign shows in more than hue: negative bars are hatched."""
    negative = [score < 0 for score in scores]
    return {
        "color": [NEGATIVE if below else POSITIVE for below in negative],
        "pattern": {
            "shape": ["/" if below else "" for below in negative],
            "fillmode": "overlay",
            "fgcolor": SURFACE,
            "size": 7,
            "solidity": 0.2,
        },
    }


def whiskers(values: Sequence[float], ends: Iterable[tuple[float, float]], color: str, **style: int) -> dict[str, Any]:
    """Return the error bars from ``values`` to the ``ends`` of their intervals; ``style`` is in pixels, as Plotly's."""
    beyond = [(high - value, value - low) for value, (low, high) in zip(values, ends, strict=True)]
    return {
        "type": "data", "symmetric": False, "thickness": 1.5, "width": 3, "color": color, **style,
        "array": [up for up, _ in beyond], "arrayminus": [down for _, down in beyond],
    }  # fmt: skip


def line_at(
    x: float | None = None,
    y: float | None = None,
    color: str = MUTED,
    width: float = 1,
    dash: str | None = "dot",
    **shape: str,
) -> dict[str, Any]:
    """Return the line across a figure where one of its axes has a value, ``x`` or ``y``.

    ``shape`` holds the axes that it is drawn on, as Plotly names them: ``yref="y domain"`` for a line from end to end.
    """
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1} if y is None else {"x0": 0, "x1": 1, "y0": y, "y1": y}
    return {"type": "line", **ends, "line": {"color": color, "width": width, "dash": dash}, **shape}


def row_axis(names: Sequence[str], least: int = 0, **axis: Any) -> dict[str, Any]:  # noqa: ANN401  # as Plotly's axes
    """Return the axis of rows called ``names``, the first on top, with room for ``least`` of them."""
    return {
        "range": [max(len(names), least) - 0.5, -0.5], "tickvals": list(range(len(names))), "ticktext": list(names),
        "showgrid": False, "zeroline": False, **axis,
    }  # fmt: skip
