"""What one token was drawn from: probabilities before and after filtering, and draws beside their distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.language import file_name
from nlpviz.figures.numbers import percent
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.generated_text import Choices
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened

_ROW, _EDGES = 34, 104  # pixels
_LETTERS = 16
_ROOM = 1.22  # of the longest bar: its number stands beyond it
_STRIP = 48  # pixels for the strip over the bars, and the room under it
_READABLE = 0.3  # of the strip: a smaller part has no room for words
_HATCH: dict[str, Any] = {"fillmode": "overlay", "fgcolor": theme.SURFACE, "size": 6, "solidity": 0.3}
_OUTSIDE = theme.NEGATIVE


def filtered_bars(choices: Choices) -> FigureView:
    """Return tokens before and after filtering, under a strip of all that is kept; what was cut is hatched.

    A click hands on a token's id.
    """
    words, places = _words(choices), list(range(len(choices.ids)))
    cut = choices.after == 0
    rows = list(zip(words, choices.before.tolist(), choices.after.tolist(), cut.tolist(), strict=True))
    ids = [str(one) for one in choices.ids.tolist()]
    hover = [
        f"{theme.plain(word)}: {before:.3%} before filtering, {'cut' if gone else f'{after:.3%} after'}"
        for word, before, after, gone in rows
    ]
    notes = [f"{percent(before)}{', cut' if gone else ''}" for _, before, _, gone in rows]
    same: dict[str, Any] = {
        "y": places, "orientation": "h", "customdata": ids, "hovertext": hover, "hoverinfo": "text",
        "textposition": "outside", "textfont": {"size": 12, "color": theme.MUTED}, "cliponaxis": False,
    }  # fmt: skip
    plain = {"color": theme.ZERO, "opacity": 1, "pattern": {**_HATCH, "shape": ["/" if gone else "" for gone in cut]}}
    height = _ROW * max(len(places), 3) + _EDGES
    drawn = theme.figure(
        [
            go.Bar(x=choices.before, name="before filtering", text=notes, marker=plain, **same),
            go.Bar(
                x=choices.after, name="after filtering", marker={"color": theme.MAGNITUDE, "opacity": 1},
                text=["" if gone else percent(after) for _, _, after, gone in rows], **same,
            ),
            # for the arrow keys, which step from point to point
            go.Scatter(
                x=np.zeros(len(places)), y=places, mode="markers", marker={"size": 9, "opacity": 0}, showlegend=False,
                customdata=ids, hovertext=hover, hoverinfo="text",
            ),
            *_strip(choices),
        ],
        height=height + _STRIP, x="probability", barmode="group", bargap=0.25, bargroupgap=0.05,
        margin={"l": 8, "r": 8, "t": 40}, legend=_LEGEND,
        xaxis={
            "range": [0, _ROOM * float(max(choices.before.max(), choices.after.max()))], "tickformat": ".0%",
            "anchor": "y",
        },
        yaxis={**_token_axis(choices, words), "domain": [0, (height - _EDGES) / (height - _EDGES + _STRIP)]},
        xaxis2={"range": [0, 1], "anchor": "y2", "visible": False, "fixedrange": True},
        yaxis2={"domain": [1 - 0.6 * _STRIP / (height - _EDGES + _STRIP), 1], "visible": False, "fixedrange": True},
    )  # fmt: skip
    said = "; ".join(
        f"{word} {percent(before)}, {'cut' if gone else f'{percent(after)} after filtering'}"
        for word, before, after, gone in rows
    )
    return FigureView(
        figure=drawn,
        alt=f"The distribution from which {choices.title} sampled {choices.unit} {choices.place + 1}, with "
        f"{choices.cut:.1%} removed by the filters: {said}.",
        table={"token": words, "before filtering": choices.before, "after filtering": choices.after},
        caption=provenance(choices.title, f"{choices.unit} {choices.place + 1}"),
        name=file_name(f"filtered-{choices.place + 1}", choices.title),
    )


def _strip(choices: Choices) -> list[go.Bar]:
    """Return all probability as one bar: what is kept, and what was cut."""
    gone = choices.possible - choices.kept
    grey: dict[str, Any] = {"color": theme.ZERO, "opacity": 1}
    parts = [
        ("kept", choices.kept, 1 - choices.cut, grey),
        ("cut", gone, choices.cut, {**grey, "pattern": {**_HATCH, "shape": "/"}}),
    ]
    return [
        go.Bar(
            x=[share], y=[0], base=[0.0 if name == "kept" else 1 - share], orientation="h", xaxis="x2", yaxis="y2",
            marker=marker, offsetgroup="strip", showlegend=name == "cut", name=name,
            text=f"{name}: {count:,} {choices.unit}s, {percent(share)}" if share > _READABLE else "",
            textposition="inside", insidetextanchor="start", textangle=0, textfont={"size": 12, "color": theme.INK},
            hovertext=f"{name}: {count:,} {choices.unit}s with {share:.2%} of the probability mass", hoverinfo="text",
        )
        for name, count, share, marker in parts
    ]  # fmt: skip


def draw_dots(choices: Choices) -> FigureView:
    """Return how often each token was drawn, beside the band in which 95% of such numbers lie."""
    draws, kept = choices.draws, np.flatnonzero(choices.after > 0)
    words, within = [_words(choices)[one] for one in kept], draws.within[kept]
    share, low, high = (numbers[kept] / draws.count for numbers in (draws.drawn, draws.low, draws.high))
    after, places = choices.after[kept], list(range(len(kept)))
    hover = [
        f"{theme.plain(word)}: {count:,} of {draws.count:,} draws; {mean:.1f} expected, 95% band from {least} to {most}"
        for word, count, mean, least, most in zip(
            words, draws.drawn[kept], after * draws.count, draws.low[kept], draws.high[kept], strict=True
        )
    ]
    bands_x = [x for pair in zip(low, high, strict=True) for x in (*pair, None)]
    drawn = theme.figure(
        [
            go.Scatter(
                x=bands_x, y=[y for place in places for y in (place, place, None)], mode="lines", name="95% band",
                line={"color": theme.ZERO, "width": 12}, hoverinfo="skip",
            ),
            go.Scatter(
                x=after, y=places, mode="markers", name="expected", hovertext=hover,
                hoverinfo="text",
                marker={
                    "symbol": "line-ns-open", "size": 17, "opacity": 1, "color": theme.MAGNITUDE, "line": {"width": 3},
                },
            ),
            go.Scatter(
                x=share, y=places, mode="markers", name=f"share of {draws.count:,} draws", hovertext=hover,
                hoverinfo="text",
                marker={
                    "size": 9, "opacity": 1, "symbol": ["circle" if one else "x" for one in within],
                    "color": [theme.INK if one else _OUTSIDE for one in within],
                },
            ),
        ],
        height=_ROW * max(len(kept), 3) + _EDGES, x="share of the draws", margin={"l": 8, "r": 8, "t": 40},
        legend=_LEGEND,
        xaxis={"range": [-0.02 * float(high.max()), 1.06 * float(max(high.max(), share.max()))], "tickformat": ".0%"},
        yaxis=_token_axis(choices, words),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=f"{draws.count:,} draws with seed {draws.seed}: {int(within.sum())} of {len(kept)} tokens lie "
        f"within the 95% band. "
        + "; ".join(
            f"{word} {one:.1%} drawn, {p:.1%} expected" for word, one, p in zip(words, share, after, strict=True)
        ),
        table={
            "token": words,
            "probability after filtering": after,
            "draws": draws.drawn[kept],
            "95% from": draws.low[kept],
            "95% to": draws.high[kept],
        },
        caption=provenance(choices.title, f"{choices.unit} {choices.place + 1}", f"seed {draws.seed}"),
        name=file_name(f"draws-{choices.place + 1}", choices.title),
    )


_LEGEND = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False}


def _token_axis(choices: Choices, words: list[str]) -> dict[str, Any]:
    """Return a vertical axis with a token at each number; the one that stands in the text is bold."""
    came = shown(choices.words[choices.ids.tolist().index(choices.came)])
    short = [theme.plain(shortened(word, _LETTERS)) for word in words]
    return theme.row_axis(
        [f"<b>{one}</b>" if word == came else one for one, word in zip(short, words, strict=True)],
        least=3, fixedrange=True, automargin=True, tickfont={"size": 13, "color": theme.INK},
    )  # fmt: skip


def _words(choices: Choices) -> list[str]:
    return [shown(word) for word in choices.words]
