"""Every head of a text's self-attention, small, and what each does on average."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.attention.heads import SCALE, HeadChoice
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.attention import TextAttention

_CELLS = 40  # of a small matrix, each way
_HEIGHT, _NAME = 130, 26  # pixels: of a matrix, of its name over it


def head_grid(found: TextAttention, choice: HeadChoice) -> FigureView:
    """Return the matrix of every head of one checkpoint, layers below each other, all on one scale.

    Of a long text each cell is a block of words: the mean of its queries, the sum of what they attend to. A click on a
    head hands on ``layer-head``, from 1.

    Raises:
        ValueError: if the network has no self-attention.
    """
    if found.heads is None:
        raise ValueError(f"the network of {found.run} has no self-attention")
    layers, heads = found.heads.shape[:2]
    small = blocks(found.heads, _CELLS)
    row = _HEIGHT + _NAME
    high = layers * row
    drawn = theme.figure(
        height=high + 12, showlegend=False, margin={"l": 4, "r": 4, "t": 4, "b": 8},
        coloraxis={"colorscale": SCALE, "cmin": 0, "cmax": float(small.max(initial=0)) or 1.0, "showscale": False},
    )  # fmt: skip
    axes: dict[str, object] = {}
    notes = []
    for layer, head in np.ndindex(layers, heads):
        number, left, top = layer * heads + head + 1, head / heads, 1 - (layer * row + _NAME) / high
        chosen = (layer, head) == (choice.layer, choice.head)
        drawn.add_trace(_matrix(small[layer, head], number, f"{layer + 1}-{head + 1}"))
        frame = {
            "showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True, "mirror": True,
            "showline": True, "linecolor": theme.INK if chosen else theme.ZERO, "linewidth": 2 if chosen else 1,
        }  # fmt: skip
        axes[f"xaxis{number}"] = {**frame, "domain": (left, left + 0.95 / heads), "anchor": f"y{number}"}
        axes[f"yaxis{number}"] = {
            **frame, "domain": (max(top - _HEIGHT / high, 0), top), "anchor": f"x{number}", "autorange": "reversed",
        }  # fmt: skip
        notes.append(
            {
                "text": f"{layer + 1}·{head + 1}" if heads > 4 else f"layer {layer + 1}, head {head + 1}", "x": left,
                "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False,
                "font": {"size": 12, "color": theme.INK if chosen else theme.MUTED},
            }
        )  # fmt: skip
    drawn.update_layout(annotations=notes, **axes)
    table = head_measures(found.heads)
    said = [
        f"layer {layer} head {head} {own:.0%} on the word itself"
        for layer, head, own in zip(table["layer"], table["head"], table["on itself"], strict=True)
    ]
    return FigureView(
        figure=drawn,
        alt=f"The attention matrices of {layers} layers of {heads} heads. {'; '.join(said)}.",
        table=table,
        caption=provenance(panels.checkpoints([found]), "self-attention", f"{len(found.words):,} words"),
        name=panels.file_name([found], "attention-heads"),
    )


def head_measures(heads: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Return what each head of (L, H, T, T) does, a row for each head, the mean over its queries.

    The weight on the word itself, on the one before and on the one after it; how many words away the weight lies; and
    its entropy in nats: 0 where all of it is on one word, log T where every word has the same.
    """
    layers, count, length = heads.shape[:3]
    places = np.arange(length)
    queries = max(length, 1)
    entropies = -heads * np.log(heads, out=np.zeros_like(heads), where=heads > 0)
    return {
        "layer": np.repeat(np.arange(1, layers + 1), count),
        "head": np.tile(np.arange(1, count + 1), layers),
        **{
            name: (np.diagonal(heads, offset, axis1=2, axis2=3).sum(axis=-1) / queries).ravel()
            for name, offset in (("on itself", 0), ("on the word before", -1), ("on the word after", 1))
        },
        "words away": ((heads * np.abs(places[:, None] - places)).sum(axis=(2, 3)) / queries).ravel(),
        "entropy, nats": (entropies.sum(axis=(2, 3)) / queries).ravel(),
    }


def blocks(heads: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """Return matrices (L, H, T, T) as at most ``most`` blocks each way: rows are means, columns sums.

    So that every row has one in sum, as before.
    """
    length = heads.shape[-1]
    if length <= most:
        return heads
    starts = np.unique(np.linspace(0, length, most + 1).astype(np.int64)[:-1])
    sizes = np.diff(np.append(starts, length)).astype(np.float32)
    keys = np.add.reduceat(heads, starts, axis=3)
    blocked: NDArray[np.float32] = (np.add.reduceat(keys, starts, axis=2) / sizes[:, None]).astype(np.float32)
    return blocked


def _matrix(cells: NDArray[np.float32], number: int, name: str) -> go.Heatmap:
    return go.Heatmap(
        z=cells, coloraxis="coloraxis", customdata=np.full(cells.shape, name), xaxis=f"x{number}", yaxis=f"y{number}",
        hovertemplate=f"layer-head {name}: %{{z:.1%}}<extra></extra>",
    )  # fmt: skip
