"""The points of one map of documents: which of them are drawn alike, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.results.documents import Masking, RunDocuments
from nlpviz.results.projection import Projection

COLORINGS = {
    "label": "label",
    "probability": "probability",
    "correctness": "correctness",
    "rating": "rating",
    "masked": "ratings masked",
    "length": "length",
}
"""What the points may be coloured by, and what people call it."""
BY_CATEGORY = ("label", "correctness", "masked")
"""Those of them that a legend explains; the others have a scale."""
FEW = 8
"""Classes up to which each has a colour of its own."""
_HUES = (0, 1, 2, 3, 4, 6)  # of the categories: without the light blue, too near the blue, and the grey
_RIGHT, _WRONG = ("right", theme.CATEGORIES[2]), ("wrong", theme.CATEGORIES[4])
_MASKED = {
    Masking.NOT_MEASURED: "not measured",
    Masking.NO_RATING: "contains no rating",
    Masking.SAME_CLASS: "rating masked: same class predicted",
    Masking.OTHER_CLASS: "rating masked: different class predicted",
}
_SYMBOLS = ("circle", "diamond", "square", "cross")
_SVG_POINTS = 3500


@dataclass(frozen=True)
class MapStyle:
    """What a map shows besides places.

    Attributes:
        color: one of :data:`COLORINGS`.
        target: the class that stands out, and of whose probability is spoken; None for none: then of two classes it is
            the last one's probability, of more that of the predicted class.
        selected: the id of the document to ring; None for none.
        height: of the figure where its panels stand in one row, in pixels.
        placed: the position of the visitor's review, a place for each panel, then one for each epoch that is played;
            empty for none.
        named: whether classes and the visitor's text are labelled at their points instead of in a legend.
        outdated: what is said over a map that stands in for another one, which is dimmed; empty for none.
        every_epoch: whether the axes are to hold the maps of all kept epochs, so that none is scaled anew.
        play: whether the browser can play all kept epochs, in the last panel; the axes then hold them all.
    """

    color: str = "label"
    target: int | None = None
    selected: str | None = None
    height: int = 470
    placed: tuple[tuple[float, ...], ...] = ()
    every_epoch: bool = False
    play: bool = False
    named: bool = False
    outdated: str = ""


def trace_kind(dimensions: int, points: int, *, regrouped: bool = False) -> Any:  # noqa: ANN401 - Plotly has no types
    """Return the kind of trace: SVG moves best and is vectors in a picture, WebGL draws more points in the same time.

    Args:
        dimensions: of the map.
        points: of all panels.
        regrouped: whether points change their trace as the map plays, for which SVG draws all of them anew.
    """
    if dimensions == 3:
        return go.Scatter3d
    return go.Scattergl if regrouped or points > _SVG_POINTS else go.Scatter


def traces(
    documents: RunDocuments, projection: Projection, style: MapStyle, make: Callable[..., Any], *, first: bool
) -> list[Any]:
    """Return the points of one panel: a trace for each category, or one along a scale; then the ring."""
    drawn, positions = projection.positions, projection.coordinates
    ids = [documents.ids[position] for position in drawn]
    size = 5.0 if projection.dimensions == 2 else 2.6
    answers = documents.probabilities[projection.epoch][drawn] if documents.probabilities else None  # (N, K)
    # numbers and ids, which travel packed: the words round them stand in the template, once
    told, answered = _told(documents, answers, style)
    said = "<br>%{hovertext}" * bool(documents.beginnings)
    hover = f"%{{customdata}}{told}{said}<extra>%{{fullData.name}}</extra>"
    result, named_there = [], names_on_map(documents, style)
    for group in _groups(documents, drawn, answers, style):
        chosen = group.members
        result.append(
            make(
                **axes(positions[chosen]),
                mode="markers",
                name=escape(group.name),
                legendgroup=group.name,
                showlegend=first and bool(group.name) and not named_there,
                marker={
                    "size": size * group.size,
                    "opacity": 0.4 if named_there and len(documents.class_names) > FEW else 0.7,
                    **group.marker(first),
                },
                customdata=[ids[position] for position in np.flatnonzero(chosen)],
                text=answered if answered is None else _sent(answered[chosen]),
                hovertext=_beginnings(documents, drawn[chosen]),
                hovertemplate=hover,
            )
        )
    ring = np.array([identifier == style.selected for identifier in ids])
    ringed = {"size": size * 3, "symbol": "circle-open", "color": theme.INK, "line": {"width": 3, "color": theme.INK}}
    result.append(
        make(
            **axes(positions[ring]), mode="markers", name="selected", showlegend=False, hoverinfo="skip", marker=ringed
        )
    )
    return result


def _told(
    documents: RunDocuments, answers: NDArray[np.float32] | None, style: MapStyle
) -> tuple[str, NDArray[Any] | None]:
    """Return what hover text says of the answers (N, K), and what of each document; nothing where there are none."""
    if answers is None:
        return "", None
    probability = probability_shown(answers, style.target)
    if len(documents.class_names) == 2 or style.target is not None:
        return f"<br>P({escape(class_shown(documents, style.target))}) = %{{text:.2f}}", probability
    named = [documents.class_names[label] for label in answers.argmax(axis=1)]
    each = [f"{escape(name)}) = {share:.2f}" for name, share in zip(named, probability, strict=True)]
    return "<br>P(%{text}", np.array(each, dtype=object)


def _sent(answered: NDArray[Any]) -> NDArray[Any] | list[str]:
    """Return numbers as they are, which travel packed, and words as a list."""
    return answered.tolist() if answered.dtype == object else answered


def names_on_map(documents: RunDocuments, style: MapStyle) -> bool:
    """Return whether classes are named where they lie, without a legend."""
    return style.color == "label" and style.target is None and len(documents.class_names) > 1


def _beginnings(documents: RunDocuments, positions: NDArray[np.intp]) -> list[str] | None:
    """Return the first words of the documents at ``positions``, escaped; None where their texts are not available."""
    if not documents.beginnings:
        return None
    return [escape(documents.beginnings[position]) for position in positions]


def own_mark(
    position: Sequence[float], make: Callable[..., Any], document: str = "text", *, first: bool, named: str = ""
) -> Any:  # noqa: ANN401 - Plotly has no types
    """Return the marker of the visitor's text: a large star, or a cross in space, in the colour of the text.

    Args:
        position: on the map.
        make: the kind of trace.
        document: what a document of the corpus is called.
        first: whether the legend names it.
        named: where its name is written instead, as Plotly says it: ``"top center"``; empty for nowhere.
    """
    placed = f"your {document}"
    flat = len(position) == 2
    look = {"symbol": "star" if flat else "cross", "size": 18 if flat else 14, "color": theme.INK, "opacity": 1}
    written = {
        "mode": "markers+text", "text": [f"<b>{placed}</b>"], "textposition": named,
        "textfont": {"size": 14, "color": theme.INK},
    }  # fmt: skip
    return make(
        **axes(np.array([position], dtype=np.float32)),
        **(written if named else {"mode": "markers"}),
        name=placed,
        legendgroup=placed,
        showlegend=first and not named,
        marker={**look, "line": {"width": 1.5, "color": theme.SURFACE}},
        hovertemplate=f"{placed}<extra></extra>",
    )


def axes(positions: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """Return coordinates (N, dimensions) by the names of their axes."""
    return dict(zip("xyz", positions.T, strict=False))


@dataclass(frozen=True)
class _Group:
    """Documents that are drawn alike."""

    name: str
    members: NDArray[np.bool_]
    look: dict[str, Any]
    size: float = 1.0

    def marker(self, first: bool) -> dict[str, Any]:
        """Return the points' look; only the first panel shows the scale."""
        return self.look | ({"showscale": first} if "colorscale" in self.look else {})


def _groups(
    documents: RunDocuments, drawn: NDArray[np.intp], answers: NDArray[np.float32] | None, style: MapStyle
) -> list[_Group]:
    """Return the ``drawn`` documents by what ``style.color`` names; ``answers`` (N, K) are their probabilities.

    Without answers there is neither a probability nor a correctness to colour them by.
    """
    labels, lengths, color = documents.labels[drawn], documents.lengths[drawn], style.color
    if color == "label":
        return _by_label(documents.class_names, labels, style.target)
    if color == "correctness" and answers is not None:
        right = answers.argmax(axis=1) == labels
        pairs = ((_RIGHT, right, "circle", 1.0), (_WRONG, ~right, "diamond", 0.8))
        return [_Group(name, result, {"color": hue, "symbol": mark}, size) for (name, hue), result, mark, size in pairs]
    if color == "masked":
        return _by_masking(documents, drawn)
    values = {
        "probability": labels if answers is None else probability_shown(answers, style.target),
        "rating": documents.ratings[drawn],
        "length": np.log10(np.maximum(lengths, 1)),
    }[color]
    bar: dict[str, Any] = {
        "title": {"text": _scale_title(documents, style), "font": {"size": 13}},
        "thickness": 12,
        "outlinewidth": 0,
        "len": 0.8,
    }
    if color == "length":
        ticks = [value for value in (10, 30, 100, 300, 1000, 3000) if value <= lengths.max() * 1.5]
        bar |= {"tickvals": np.log10(ticks), "ticktext": [f"{value:,}" for value in ticks]}
    # the middle of the scale is nearly the page's own colour: an edge keeps such points in sight
    edge = {"line": {"width": 0.6, "color": theme.MUTED}}
    signed = len(documents.class_names) == 2  # of more classes, one half is no middle
    of_classes = {"colorscale": theme.SIGNED_SCALE if signed else theme.MAGNITUDE_SCALE, "cmin": 0, "cmax": 1}
    scale = of_classes | (edge if signed else {}) if color == "probability" else {}
    look = {"color": values, "colorscale": theme.MAGNITUDE_SCALE, "colorbar": bar} | scale
    return [_Group("", np.ones(len(drawn), dtype=bool), look)]


def _by_masking(documents: RunDocuments, drawn: NDArray[np.intp]) -> list[_Group]:
    """Return the ``drawn`` documents by what masking their ratings does; those of which another class is on top."""
    found = np.full(len(drawn), Masking.NOT_MEASURED) if documents.masking is None else documents.masking[drawn]
    faint = {"color": theme.MUTED, "opacity": 0.3}
    looks: dict[Masking, tuple[dict[str, Any], float]] = {
        Masking.NOT_MEASURED: (faint, 0.8),
        Masking.NO_RATING: (faint, 0.8),
        Masking.SAME_CLASS: ({"color": theme.CATEGORIES[5], "opacity": 0.8}, 1.0),
        Masking.OTHER_CLASS: ({"color": theme.CATEGORIES[4], "symbol": "diamond", "opacity": 1}, 1.6),
    }
    return [_Group(_MASKED[one], found == one, *look) for one, look in looks.items() if (found == one).any()]


def _by_label(names: Sequence[str], labels: NDArray[np.integer], target: int | None) -> list[_Group]:
    """Return the documents by their label; where one class stands out, the others are faint and alike."""
    if target is not None and len(names) > 2:
        faint = {"color": theme.MUTED, "opacity": 0.25}
        return [
            _Group("other classes", labels != target, faint, 0.8),
            _Group(names[target], labels == target, {"color": theme.POSITIVE, "opacity": 0.9}, 1.2),
        ]
    looks = zip(names, class_colors(names), range(len(names)), strict=True)
    return [
        _Group(name, labels == label, {"color": color, "symbol": _SYMBOLS[label % len(_SYMBOLS)]})
        for name, color, label in looks
    ]


def class_colors(names: Sequence[str]) -> list[str]:
    """Return the colour of each class: of two those of the signs, of a few its own.

    Of many classes those of one family share a hue: those whose names begin alike up to a dot, as ``comp.graphics`` and
    ``comp.windows.x`` do. The six largest families have one, all other classes are grey.
    """
    if len(names) == 2:
        return [theme.NEGATIVE, theme.POSITIVE]
    if len(names) <= FEW:
        return [theme.CATEGORIES[label] for label in range(len(names))]
    families = Counter(name.partition(".")[0] for name in names)
    hues = {
        family: theme.CATEGORIES[hue]
        for (family, count), hue in zip(families.most_common(), _HUES, strict=False) if count > 1
    }  # fmt: skip
    return [hues.get(name.partition(".")[0], theme.MUTED) for name in names]


def probability_shown(answers: NDArray[np.float32], target: int | None) -> NDArray[np.float32]:
    """Return of each document's probabilities (N, K) the one that is shown, (N,).

    That is the one of ``target``; without, of two classes the last one's, of more the predicted class's.
    """
    if target is not None:
        return answers[:, target]
    return answers[:, -1] if answers.shape[1] == 2 else answers.max(axis=1)


def class_shown(documents: RunDocuments, target: int | None) -> str:
    """Return the name of the class whose probability is shown: ``"predicted class"`` where it differs by document."""
    if target is not None:
        return documents.class_names[target]
    return documents.class_names[-1] if len(documents.class_names) == 2 else "predicted class"


def _scale_title(documents: RunDocuments, style: MapStyle) -> str:
    names = {"probability": f"P({escape(class_shown(documents, style.target))})", "rating": "stars", "length": "tokens"}
    return names[style.color]
