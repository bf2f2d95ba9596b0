"""Every head of a text's self-attention, small, and what each does on average."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.attention.heads import HeadChoice
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.attention import HeadMeasures, TextAttention, head_measures

_CELLS = 40  # of a small matrix, each way
_HEIGHT, _NAME = 130, 26  # pixels: of a matrix, of its name over it


def head_grid(result: TextAttention, choice: HeadChoice, shape: tuple[int, int] | None = None) -> FigureView:
    """Return the matrix of every head of one checkpoint, layers below each other, all on one scale.

    Of a long text each cell is a block of words: the mean of its queries, the sum of what they attend to. A click on a
    head hands on ``layer-head``, from 1.

    Args:
        result: what the checkpoint attended to.
        choice: the head that stands out.
        shape: of the layers, and of the heads of each, so many are shown; None for all.

    Raises:
        ValueError: if the network has no self-attention.
    """
    if result.heads is None:
        raise ValueError(f"the network of {result.run} has no self-attention")
    layers, heads = shape or result.heads.shape[:2]
    shown = result.heads[:layers, :heads]
    small = blocks(shown, _CELLS)
    row = _HEIGHT + _NAME
    high = layers * row
    drawn = theme.figure(
        height=high + 12, showlegend=False, margin={"l": 4, "r": 4, "t": 4, "b": 8},
        coloraxis={
            "colorscale": theme.WEIGHT_SCALE, "cmin": 0, "cmax": float(small.max(initial=0)) or 1.0, "showscale": False,
        },
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
    table = _table(head_measures(shown))
    said = [
        f"layer {layer} head {head} {own:.0%} on the word itself"
        for layer, head, own in zip(table["layer"], table["head"], table["on itself"], strict=True)
    ]
    return FigureView(
        figure=drawn,
        alt=f"Attention matrices of {layers} layers with {heads} heads each. {'; '.join(said)}.",
        table=table,
        caption=provenance(panels.checkpoints([result]), "self-attention", f"{len(result.words):,} words"),
        name=panels.file_name([result], "attention-heads"),
    )


def _table(measured: HeadMeasures) -> Table:
    """Return a row for each head."""
    layers, heads = np.indices(measured.on_itself.shape)
    return {
        "layer": layers.ravel() + 1,
        "head": heads.ravel() + 1,
        "on itself": measured.on_itself.ravel(),
        "on the previous word": measured.before.ravel(),
        "on the next word": measured.after.ravel(),
        "mean distance, words": measured.distance.ravel(),
        "entropy, nats": measured.entropy.ravel(),
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
