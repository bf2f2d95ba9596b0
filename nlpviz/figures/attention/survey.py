"""What other attention weights make of a sample of test documents, and what ranks their words as attention does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.attention_effect import Agreement, AttentionSurvey, Intervention

EDGES = (0.01, 0.05, 0.2, 0.5)
"""Changes of the probability between which documents are counted together."""
_NAMES = ("under 0.01", "to 0.05", "to 0.2", "to 0.5", "over 0.5")
_INKS = (0.1, 0.3, 0.5, 0.75, 1.0)
_ROW, _KEY = 24, 30  # pixels: of a bar, of the key over the panels
_PAIRS = {
    "saliency": "attention and saliency",
    "leave_one_out": "attention and leave-one-out",
    "others": "saliency and leave-one-out",
}


def change_shares(surveys: Sequence[AttentionSurvey]) -> FigureView:
    """Return for each intervention the shares of documents whose probability changes little, more, most.

    At the end of each bar stands the share of documents of which another class is predicted. One panel a checkpoint.
    """
    arranged = panels.arrange(surveys)
    labels = list(dict.fromkeys(_label(one) for survey in surveys for one in survey.interventions))
    axes: dict[str, dict[str, object]] = {}
    for panel in arranged:
        axes[f"xaxis{panel.number}"] = {
            "range": [0, 1.24],
            "tickformat": ".0%",
            "tickvals": [0, 0.5, 1],
            "showgrid": False,
        }
        axes[f"yaxis{panel.number}"] = {
            "type": "category", "categoryorder": "array", "categoryarray": labels, "showgrid": False,
            "range": [len(labels) - 0.5, -0.5], "showticklabels": panel.column == 0,
        }  # fmt: skip
    drawn = panels.figure(
        arranged, _ROW * max(len(labels), 3), axes=axes, below="share of texts (at right: changed predictions)",
        traces=[bar for panel, survey in zip(arranged, surveys, strict=True) for bar in _bars(survey, panel.number)],
        key=_KEY, barmode="stack", margin={"l": 122},
        legend={"y": 1, "yref": "container", "yanchor": "top", "traceorder": "normal"},
    )  # fmt: skip
    chosen = panels.reference(surveys)
    of_mass = any(one.kind == "mass" for one in chosen.interventions)
    return FigureView(
        figure=drawn,
        alt=_alt(surveys),
        table=_table(surveys),
        caption=provenance(
            panels.checkpoints(surveys),
            "attention weights replaced",
            f"{len(chosen.ids):,} test documents",
            *(["mass of 10: random words with the same total weight as the 10 heaviest words"] * of_mass),
        ),
        name=panels.file_name(surveys, "attention-survey"),
    )


def shares(changes: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the share of ``changes`` in each of the classes that :data:`EDGES` part; zeros where there is none."""
    counts = np.bincount(np.searchsorted(EDGES, changes, side="right"), minlength=len(EDGES) + 1)
    return counts / max(len(changes), 1)


def _label(intervention: Intervention) -> str:
    kind, removed = intervention
    if kind == "mass":
        return f"mass of {removed} removed"
    return {"uniform": "uniform", "shuffled": "shuffled"}.get(
        kind, f"{f'top {removed}' if kind == 'top' else f'{removed} random'} removed"
    )


def _bars(survey: AttentionSurvey, number: int) -> list[go.Bar | go.Scatter]:
    """Return the stacked bars of one panel, and the share of other classes at their ends."""
    here = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    labels = [_label(one) for one in survey.interventions]
    parts = np.array([shares(survey.changes(one)) for one in survey.interventions]).reshape(len(labels), len(_NAMES))
    red, green, blue = bytes.fromhex(theme.MAGNITUDE[1:])
    bars: list[go.Bar | go.Scatter] = [
        go.Bar(
            x=parts[:, position], y=labels, orientation="h", name=name, legendgroup=name, showlegend=number == 1,
            marker={"color": f"rgba({red},{green},{blue},{ink})", "line": {"color": theme.SURFACE, "width": 1}},
            hovertemplate=f"%{{y}}, {name}: %{{x:.1%}}<extra></extra>", **here,
        )
        for position, (name, ink) in enumerate(zip(_NAMES, _INKS, strict=True))
    ]  # fmt: skip
    flipped = [survey.share_flipped(one) for one in survey.interventions]
    bars.append(
        go.Scatter(
            x=np.full(len(labels), 1.02), y=labels, mode="text", text=[f"{share:.1%}" for share in flipped],
            textposition="middle right", textfont={"size": 12}, showlegend=False, hoverinfo="skip", **here,
        )
    )  # fmt: skip
    return bars


def _alt(surveys: Sequence[AttentionSurvey]) -> str:
    parts = []
    for panel, survey in zip(panels.arrange(surveys), surveys, strict=True):
        said = [
            f"{_label(one)}: median change {np.median(survey.changes(one)):.3f}, prediction changed in "
            f"{survey.share_flipped(one):.1%}"
            for one in survey.interventions
            if len(survey.changes(one))
        ]
        parts.append(f"{panel.title}: {'; '.join(said)}")
    return f"How far predictions move when attention weights are replaced. {'. '.join(parts)}."


def _table(surveys: Sequence[AttentionSurvey]) -> Table:
    """Return a row for each intervention at each checkpoint."""
    headings = (
        "run", "epoch", "weights", "words removed", "documents", "mean change", "median change",
        "share of changed predictions", *(f"share with change {name}" for name in _NAMES),
    )  # fmt: skip
    return table_of(headings, [_row(survey, one) for survey in surveys for one in survey.interventions])


def _row(survey: AttentionSurvey, one: Intervention) -> Sequence[object]:
    changes = survey.changes(one)
    middle = (float(changes.mean()), float(np.median(changes))) if len(changes) else (None, None)
    return (
        survey.run, survey.epoch, one.kind, one.removed, len(changes), *middle, survey.share_flipped(one),
        *shares(changes).tolist(),
    )  # fmt: skip


def agreement_boxes(surveys: Sequence[AttentionSurvey]) -> FigureView:
    """Return how rankings of words agree: Kendall's tau, a dot a document, one panel a checkpoint on the same scale.

    Only documents that have all three numbers are shown: boxes of other documents could not be compared.
    """
    surveys = [survey.with_all_rankings() for survey in surveys]
    arranged = panels.arrange(surveys)
    boxes: list[go.Box] = []
    axes: dict[str, dict[str, object]] = {}
    for panel, survey in zip(arranged, surveys, strict=True):
        here = {"xaxis": f"x{panel.number}", "yaxis": f"y{panel.number}"}
        for name, label in _PAIRS.items():
            boxes.append(
                go.Box(
                    x=survey.correlations(name), name=label, orientation="h", boxpoints="all", jitter=0.6, pointpos=0,
                    marker={"size": 3, "opacity": 0.35, "color": theme.MUTED if name == "others" else theme.MAGNITUDE},
                    line={"width": 1.5}, fillcolor="rgba(0,0,0,0)", hovertemplate="%{x:.2f}<extra></extra>", **here,
                )
            )  # fmt: skip
        axes[f"xaxis{panel.number}"] = {"range": [-1, 1], "zeroline": True, "tickvals": [-1, -0.5, 0, 0.5, 1]}
        axes[f"yaxis{panel.number}"] = {
            "autorange": "reversed", "showticklabels": panel.column == 0, "showgrid": False, "type": "category",
        }  # fmt: skip
    below = "Kendall’s τ, one dot per text"
    drawn = panels.figure(arranged, 150, traces=boxes, axes=axes, below=below, showlegend=False, margin={"l": 170})
    said = [
        f"{panel.title}: "
        + ", ".join(
            f"{label} median {np.median(survey.correlations(name)):.2f}"
            for name, label in _PAIRS.items()
            if len(survey.correlations(name))
        )
        for panel, survey in zip(arranged, surveys, strict=True)
    ]
    return FigureView(
        figure=drawn,
        alt=f"How well two rankings of a text’s words agree. {'; '.join(said)}.",
        table=_agreement_table(surveys),
        caption=provenance(
            panels.checkpoints(surveys),
            f"Kendall’s τ-b over {len(panels.reference(surveys).ids):,} test documents; each word is left out in turn",
        ),
        name=panels.file_name(surveys, "attention-agreement-survey"),
    )


def _agreement_table(surveys: Sequence[AttentionSurvey]) -> Table:
    """Return a row for each document at each checkpoint."""
    return table_of(
        ("run", "epoch", "document", "tokens", *(f"tau, {_PAIRS[name]}" for name in Agreement._fields)),
        [(one.run, one.epoch, list(one.ids), one.tokens, *one.agreement.T) for one in surveys],
    )
