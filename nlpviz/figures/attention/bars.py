"""Attention as bars: the words and the sentences of largest weight, at one checkpoint or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.attention.attended import AttendedText
from nlpviz.figures.view import FigureView, Table, padded, provenance
from nlpviz.results.attention import TextAttention
from nlpviz.text.vocabulary import shortened

WORDS, SENTENCES = 14, 20
"""Bars of a panel: those of largest weight, in reading order."""
_ROW = 23  # pixels
_LETTERS = 17  # of a sentence, where it is written next to its bar


def word_bars(shown: Sequence[AttendedText]) -> FigureView:
    """Return the weights of the strongest words, in reading order, one panel a checkpoint.

    Panels whose weights mean the same have the same scale.

    The words are those of largest weight at the first run's last epoch, as far as all models read them.
    """
    chosen, read = panels.reference(shown), min(len(text.weights) for text in shown)
    ranked = [position for position in chosen.strongest(len(chosen.weights)) if position < read]
    positions = sorted(ranked[:WORDS])
    tokens = chosen.result.text.read
    labels = [panels.row_label(tokens[position].word, position) for position in positions]
    hovers = [
        [f"{escape(tokens[position].word)}: {text.written(text.weights[position])}" for position in positions]
        for text in shown
    ]
    drawn = _bars(
        shown,
        [text.weights[positions] for text in shown],
        labels,
        hovers,
        units=[text.unit for text in shown],
        tickformats=[text.tickformat for text in shown],
    )
    said = [
        f"{panel.title}: "
        + (
            ", ".join(
                f"{tokens[position].word} {text.written(text.weights[position])}"
                for position in text.strongest(5)
                if position < read
            )
            or "no words were read"
        )
        for panel, text in zip(panels.arrange(shown), shown, strict=True)
    ]
    units = " and ".join(dict.fromkeys(text.unit for text in shown))
    return FigureView(
        figure=drawn,
        alt=f"The words with the largest weights, {units}. {'; '.join(said)}.",
        table=_word_table(shown),
        caption=provenance(
            panels.checkpoints(shown), "attention", units, f"{len(positions)} of {len(chosen.weights):,} tokens"
        ),
        name=panels.file_name(shown, "attention-words"),
    )


def sentence_bars(result: Sequence[TextAttention], selected: int | None = None) -> FigureView:
    """Return the weights of the sentences, in reading order, one panel a checkpoint on the same scale.

    A dotted line marks the share that each would have if all had the same. A click hands on a sentence's number from 1.

    Args:
        result: of one text; every model must read sentences.
        selected: the position of the sentence that stands out.
    """
    chosen, count = panels.reference(result), min(len(one.sentences) for one in result)
    weights = [np.array([part.weight for part in one.sentences], dtype=np.float32) for one in result]
    ranked = np.argsort(-weights[list(result).index(chosen)][:count], kind="stable")[:SENTENCES]
    positions = sorted(
        {int(position) for position in ranked} | ({selected} if selected is not None and selected < count else set())
    )
    labels = [f"{position + 1} <i>{escape(_begin(chosen, position))}</i>" for position in positions]
    hovers = [[f"sentence {position + 1}: {own[position]:.1%}" for position in positions] for own in weights]
    outline = [2 if position == selected else 0 for position in positions]
    equal = [
        theme.line_at(1 / max(len(own), 1)) | panels.upright(panel.number)
        for panel, own in zip(panels.arrange(result), weights, strict=True)
    ]
    drawn = _bars(
        result,
        [own[positions] for own in weights],
        labels,
        hovers,
        units=["sentence weight; dotted: uniform" for _ in result],
        tickformats=[".0%" for _ in result],
        customdata=[str(position + 1) for position in positions],
        shapes=equal,
    )
    drawn.update_traces(marker_line={"color": theme.INK, "width": outline})
    said = [
        f"{panel.title}: "
        + ", ".join(
            f"sentence {position + 1} {own[position]:.1%}" for position in np.argsort(-own, kind="stable")[:3].tolist()
        )
        for panel, own in zip(panels.arrange(result), weights, strict=True)
    ]
    return FigureView(
        figure=drawn,
        alt=f"Weights of the {len(chosen.sentences)} sentences. {'; '.join(said)}.",
        table=_sentence_table(result, weights),
        caption=provenance(
            panels.checkpoints(result), "sentence attention", f"{len(positions)} of {len(chosen.sentences):,} sentences"
        ),
        name=panels.file_name(result, "attention-sentences"),
    )


def _bars(
    results: Sequence[panels.OfCheckpoint],
    values: Sequence[NDArray[np.float32]],
    labels: Sequence[str],
    hovers: Sequence[Sequence[str]],
    *,
    units: Sequence[str],
    tickformats: Sequence[str],
    customdata: Sequence[str] | None = None,
    shapes: Sequence[Mapping[str, object]] = (),
) -> go.Figure:
    """Return bars with ``labels``, one panel for each result, on one scale for each of the ``units``.

    ``customdata`` are the ids that a click hands on.
    """
    largest = dict.fromkeys(units, 0.0)
    for unit, own in zip(units, values, strict=True):
        largest[unit] = max(largest[unit], float(own.max(initial=0)))
    arranged = panels.arrange(results)
    bars: list[go.Bar] = []
    axes: dict[str, dict[str, object]] = {}
    for panel, own, hover, unit, ticks in zip(arranged, values, hovers, units, tickformats, strict=True):
        bars.append(
            go.Bar(
                x=own, y=list(labels), orientation="h", marker={"color": theme.MAGNITUDE}, hovertext=list(hover),
                hoverinfo="text", customdata=customdata, xaxis=f"x{panel.number}", yaxis=f"y{panel.number}",
            )
        )  # fmt: skip
        axes[f"xaxis{panel.number}"] = {"range": [0, (largest[unit] or 1) * 1.08], "nticks": 4, "tickformat": ticks}
        axes[f"yaxis{panel.number}"] = {
            "autorange": "reversed", "showticklabels": panel.column == 0, "type": "category", "showgrid": False,
        }  # fmt: skip
    height = _ROW * max(len(labels), 3)
    return panels.figure(
        arranged, height, traces=bars, axes=axes, below=units, shapes=shapes, showlegend=False, margin={"l": 110}
    )


def _begin(result: TextAttention, position: int) -> str:
    """Return how a sentence begins."""
    part = result.sentences[position]
    words = " ".join(result.text.text[part.start : part.end][: 4 * _LETTERS].split())
    return shortened(words, _LETTERS)


def _word_table(shown: Sequence[AttendedText]) -> Table:
    """Return a row for each token that any of the models read; what one did not read has no weight."""
    longest = max(shown, key=lambda text: len(text.weights))
    tokens = longest.result.text.read
    table: Table = {
        "place": np.arange(1, len(tokens) + 1),
        "token": [token.word for token in tokens],
        "start": [token.start for token in tokens],
        "end": [token.end for token in tokens],
    }
    if longest.result.text.sentences is not None:
        table["sentence"] = longest.result.text.sentences + 1
    for panel, text in zip(panels.arrange(shown), shown, strict=True):
        title = panel.heading
        table[f"weight, {title}"] = padded(text.result.words, len(tokens))
        if text.result.within is not None:
            table[f"within its sentence, {title}"] = padded(text.result.within, len(tokens))
        if text.view == "emphasis" and text.result.within is not None:
            table[f"{text.unit}, {title}"] = padded(text.weights, len(tokens))
    return table


def _sentence_table(result: Sequence[TextAttention], weights: Sequence[NDArray[np.float32]]) -> Table:
    longest = max(result, key=lambda one: len(one.sentences))
    table: Table = {
        "sentence": np.arange(1, len(longest.sentences) + 1),
        "start": [part.start for part in longest.sentences],
        "end": [part.end for part in longest.sentences],
        "tokens": [part.last - part.first for part in longest.sentences],
        "begins": [_begin(longest, position) for position in range(len(longest.sentences))],
    }
    for panel, own in zip(panels.arrange(result), weights, strict=True):
        table[f"weight, {panel.heading}"] = padded(own, len(longest.sentences))
    return table
