"""What other attention weights make of one text's prediction, and which words agree: one panel a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.attention_effect import AttentionEffect, Intervention

LABELS = {"uniform": "uniform", "shuffled": "shuffled"}
_OWN = "original weights"
_RANDOM = {"random": " (random)", "mass": " (random, of equal mass)"}
_ROW = 25  # pixels
_KEY = 24  # pixels, over the panels
_APART = 0.12  # of the larger half of the axis: names closer than this would touch


def row_label(intervention: Intervention) -> str:
    """Return what people call an intervention; the same for the largest and for all random ones."""
    removed = intervention.removed
    return LABELS.get(intervention.kind, f"{removed} word{'' if removed == 1 else 's'} removed")


def effect_dots(effects: Sequence[AttentionEffect]) -> FigureView:
    """Return the probability of the predicted class with the network's own weights and with others, every draw a dot.

    The class is that which the first run's last epoch predicts. A line marks what the network's own weights give.

    Args:
        effects: of one text, one for each checkpoint shown.
    """
    chosen = panels.reference(effects)
    name = chosen.class_names[chosen.predicted]
    most = max(effects, key=lambda effect: len(effect.answers))
    rows = [_OWN, *dict.fromkeys(row_label(one) for one in most.answers)]
    arranged = panels.arrange(effects)
    dots: list[go.Scatter] = []
    lines: list[dict[str, object]] = []
    axes: dict[str, dict[str, object]] = {}
    for panel, effect in zip(arranged, effects, strict=True):
        target = effect.class_names.index(name)
        own = float(effect.probabilities[target])
        dots += _dots(effect, target, panel.number)
        lines.append(theme.line_at(own, layer="below") | panels.upright(panel.number))
        axes[f"xaxis{panel.number}"] = {"range": [-0.03, 1.03], "tickformat": ".0%", "tickvals": [0, 0.5, 1]}
        axes[f"yaxis{panel.number}"] = {
            "categoryorder": "array", "categoryarray": rows, "range": [len(rows) - 0.5, -0.5],
            "showticklabels": panel.column == 0, "type": "category",
        }  # fmt: skip
    drawn = panels.figure(
        arranged, _ROW * len(rows), traces=dots, axes=axes, below=f"probability of {escape(name)}", key=_KEY,
        shapes=lines, margin={"l": 116}, legend={"y": 1, "yref": "container", "yanchor": "top"},
    )  # fmt: skip
    draws = max((len(answer) for answer in chosen.answers.values()), default=0)
    return FigureView(
        figure=drawn,
        alt=_alt(effects, name),
        table=_table(effects, name),
        caption=provenance(
            panels.checkpoints(effects), "attention weights replaced", f"up to {draws} draws, seed {chosen.seed}"
        ),
        name=panels.file_name(effects, "attention-effect"),
    )


def _dots(effect: AttentionEffect, target: int, number: int) -> list[go.Scatter]:
    """Return the dots of one panel: own weights, other weights, the largest removed, random ones removed."""
    here = {"xaxis": f"x{number}", "yaxis": f"y{number}", "showlegend": number == 1, "mode": "markers"}
    groups: dict[str, tuple[list[float], list[str]]] = {kind: ([], []) for kind in ("own", "random", "mass", "top")}
    for intervention, answers in effect.answers.items():
        x, y = groups[intervention.kind if intervention.removed else "own"]
        x += answers[:, target].tolist()
        y += [row_label(intervention)] * len(answers)
    (x, y), random, mass, top = groups.values()
    x, y = [float(effect.probabilities[target]), *x], [_OWN, *y]
    hover = "%{y}: %{x:.1%}<extra></extra>"
    of_mass = go.Scatter(
        x=mass[0], y=mass[1], name="random words of equal mass removed", legendgroup="mass", hovertemplate=hover,
        marker={"size": 10, "symbol": "diamond-open", "color": theme.MAGNITUDE, "line": {"width": 1.5}}, **here,
    )  # fmt: skip
    return [
        go.Scatter(
            x=x, y=y, marker={"size": 9, "color": theme.INK, "opacity": 0.55}, name="all weights replaced",
            legendgroup="all", hovertemplate=hover, **here,
        ),
        go.Scatter(
            x=random[0], y=random[1], name="random words removed", legendgroup="random", hovertemplate=hover,
            marker={"size": 9, "symbol": "circle-open", "color": theme.MUTED, "line": {"width": 1.5}}, **here,
        ),
        go.Scatter(
            x=top[0], y=top[1], name="heaviest words removed", legendgroup="top", hovertemplate=hover,
            marker={"size": 12, "symbol": "diamond", "color": theme.MAGNITUDE}, **here,
        ),
        *([of_mass] if mass[0] else []),
    ]  # fmt: skip


def _alt(effects: Sequence[AttentionEffect], name: str) -> str:
    parts = []
    for panel, effect in zip(panels.arrange(effects), effects, strict=True):
        target = effect.class_names.index(name)
        said = [f"original weights {effect.probabilities[target]:.0%}"] + [
            f"{row_label(one)}{_RANDOM.get(one.kind, '')} {answers[:, target].mean():.0%}"
            for one, answers in effect.answers.items()
        ]
        parts.append(f"{panel.title}: {', '.join(said)}")
    return f"The probability of {name} when the attention weights are replaced. {'; '.join(parts)}."


def _table(effects: Sequence[AttentionEffect], name: str) -> Table:
    """Return a row for each draw of each intervention at each checkpoint, the network's own weights first."""
    rows: list[tuple[object, ...]] = []
    for effect in effects:
        target = effect.class_names.index(name)
        rows.append((effect.run, effect.epoch, "original weights", 0, 1, float(effect.probabilities[target])))
        for one, answers in effect.answers.items():
            draws = range(1, 1 + len(answers))
            rows.append((effect.run, effect.epoch, one.kind, one.removed, draws, answers[:, target].tolist()))
    return table_of(("run", "epoch", "weights", "words removed", "draw", f"probability of {name}"), rows)


def agreement_dots(effects: Sequence[AttentionEffect]) -> FigureView:
    """Return each word's leave-one-out over its weight, one panel a checkpoint on the same scales.

    The heaviest words and those that move the score most carry their names. The score is that of the class which each
    checkpoint predicts itself; where they are not the same, the titles say it.

    Args:
        effects: of one text, each with leave-one-out.
    """
    widest = max((float(effect.weights.max(initial=0)) for effect in effects), default=0.0) or 1.0
    largest = max((float(np.abs(effect.leave_one_out).max(initial=0)) for effect in effects), default=0.0) or 1.0
    arranged = panels.arrange(effects)
    if len({_class(effect) for effect in effects}) > 1:
        named = zip(arranged, effects, strict=True)
        arranged = [panel._replace(title=f"{panel.title}: {_class(effect)}") for panel, effect in named]
    words, axes, unit = [], {}, unit_of_score(len(effects[0].class_names))
    for panel, effect in zip(arranged, effects, strict=True):
        words.append(_words(effect, 5 if len(effects) <= 2 else 3, panel.number))
        axes[f"xaxis{panel.number}"] = {"range": [-0.04 * widest, 1.25 * widest], "tickformat": ".0%", "nticks": 4}
        axes[f"yaxis{panel.number}"] = {
            "range": [-1.15 * largest, 1.15 * largest], "zeroline": True, "showticklabels": panel.column == 0,
            "title": {"text": f"drop in score without the word, {unit}" if panel.column == 0 else None},
        }  # fmt: skip
    drawn = panels.figure(arranged, 260, traces=words, axes=axes, below="attention weight", showlegend=False)
    taus = [
        f"{panel.title}: Kendall’s tau {'undefined' if tau is None else number(tau)}"
        for panel, tau in zip(arranged, (effect.agreement.leave_one_out for effect in effects), strict=True)
    ]
    return FigureView(
        figure=drawn,
        alt=f"Attention weight of each word against the drop in score when it is left out. {'; '.join(taus)}.",
        table=_word_table(effects),
        caption=provenance(panels.checkpoints(effects), "attention and leave-one-out"),
        name=panels.file_name(effects, "attention-agreement"),
    )


def _class(effect: AttentionEffect) -> str:
    return effect.class_names[effect.predicted]


def _words(effect: AttentionEffect, named: int, number: int) -> go.Scatter:
    tokens = [escape(token.word) for token in effect.encoded.read]
    marked = _named(effect, named)
    return go.Scatter(
        x=effect.weights, y=effect.leave_one_out, mode="markers+text", xaxis=f"x{number}", yaxis=f"y{number}",
        text=[word if position in marked else "" for position, word in enumerate(tokens)], textposition="middle right",
        textfont={"size": 12}, marker={"size": 7, "color": theme.MAGNITUDE, "opacity": 0.7}, hovertext=tokens,
        hovertemplate="%{hovertext}: weight %{x:.2%}, drop in score %{y:+.3f}<extra></extra>",
    )  # fmt: skip


def _named(effect: AttentionEffect, count: int) -> list[int]:
    """Return the words that carry their names: ``count`` far out each way, none whose name would run into another's."""
    across, up = (values / (np.abs(values).max(initial=0) or 1) for values in (effect.weights, effect.leave_one_out))
    ranked = zip(np.argsort(-across, kind="stable"), np.argsort(-np.abs(up), kind="stable"), strict=True)
    marked: list[int] = []
    for position in [int(position) for pair in list(ranked)[:count] for position in pair]:
        if all(abs(up[position] - up[other]) > _APART or position == other for other in marked):
            marked.append(position)
    return marked


def _word_table(effects: Sequence[AttentionEffect]) -> Table:
    """Return a row for each word at each checkpoint."""
    unit = unit_of_score(len(effects[0].class_names))
    return table_of(
        ("run", "epoch", "place", "token", "class", "attention", "saliency", f"leave-one-out, {unit}"),
        [
            (
                one.run, one.epoch, range(1, 1 + len(one.weights)), [token.word for token in one.encoded.read],
                _class(one), one.weights, one.saliency, one.leave_one_out,
            )
            for one in effects
        ],
    )  # fmt: skip
