"""A number for each token of a text, as lines: all models on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, panels, theme, word_axis
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.surprisal import Surprisal
from nlpviz.text.tokenizers import shown

_HEIGHT = 280  # pixels
_MARKED = 120  # tokens up to which each is a dot
_DASHES = ("solid", "dash", "dot", "dashdot")


class Course(NamedTuple):
    """What one model says of each token, or before it.

    Attributes:
        title: the model's.
        values: (T,); NaN where there is none.
    """

    title: str
    values: NDArray[np.floating]


def surprisal_lines(results: Sequence[Surprisal], chosen: int | None = None) -> FigureView:
    """Return the surprisal of each token by each model, at least one; the token at ``chosen`` stands out."""
    courses = [Course(result.title, result.nats) for result in results]
    return course_lines(courses, _words(results[0]), "surprisal (nats)", chosen=chosen)


def entropy_lines(
    results: Sequence[Surprisal], entropies: Sequence[NDArray[np.floating]], chosen: int | None = None
) -> FigureView:
    """Return the entropy before each token by each model.

    Args:
        results: the surprisal of each model, at least one.
        entropies: of each model in nats, (T,) each; T may be less than there are tokens.
        chosen: the position of the token that stands out.
    """
    courses = [Course(result.title, values) for result, values in zip(results, entropies, strict=True)]
    words = _words(results[0])[: len(entropies[0])]
    return course_lines(courses, words, "entropy before this word (nats)", chosen=chosen)


def changes_of(
    before: Sequence[Surprisal], after: Sequence[Surprisal], pairs: Sequence[tuple[int, int]]
) -> list[Course]:
    """Return by how much each model's surprisal grows from the first to the second position of each pair."""
    old, new = np.array(pairs).T
    return [Course(one.title, two.nats[new] - one.nats[old]) for one, two in zip(before, after, strict=True)]


def change_lines(
    before: Sequence[Surprisal], after: Sequence[Surprisal], pairs: Sequence[tuple[int, int]]
) -> FigureView:
    """Return the changes in surprisal between two texts as lines.

    Args:
        before: the surprisal of each model, at least one, on the first text.
        after: that on the second text.
        pairs: positions of the same token in both texts, from :func:`nlpviz.language.surprisal.kept`.
    """
    words = [before[0].encoded.read[old].word for old, _ in pairs]
    return course_lines(changes_of(before, after, pairs), words, "change in surprisal (nats)", signed=True)


def _words(result: Surprisal) -> list[str]:
    return [token.word for token in result.encoded.read]


def course_lines(
    courses: Sequence[Course], words: Sequence[str], quantity: str, *, chosen: int | None = None, signed: bool = False
) -> FigureView:
    """Return a line for each model. A click hands on a token's number from 1.

    Args:
        courses: at least one.
        words: the tokens, as many as values; none of them escaped.
        quantity: what is drawn, with its unit: ``"surprisal (nats)"``.
        chosen: the position of the token that stands out.
        signed: whether zero is a line of its own.
    """
    words = [shown(word) for word in words[: word_axis.SHOWN]]
    names = [panels.row_label(word, place) for place, word in enumerate(words)]
    several = len(courses) > 1
    traces = [_line(course, names, words, number) for number, course in enumerate(courses)]
    marks = [word_axis.column(chosen, 1)] if chosen is not None and chosen < len(names) else []
    drawn = (direct_labels.figure if several else theme.figure)(
        traces, height=_HEIGHT, y=quantity, margin={"t": 14, "r": 12, "b": word_axis.room(len(names))},
        xaxis=word_axis.axis(names),
        yaxis={"zeroline": signed, **({} if signed else {"rangemode": "tozero"})}, shapes=marks,
    )  # fmt: skip
    numbers: Mapping[str, Sequence[object] | NDArray[Any]] = {
        "number": list(range(1, len(words) + 1)),
        "token": words,
        **{course.title: course.values[: len(words)] for course in courses},
    }
    return FigureView(
        figure=drawn,
        alt=f"{quantity} of {len(words)} tokens: " + "; ".join(_said(course, words) for course in courses),
        table=numbers,
        caption=provenance(*(course.title for course in courses), quantity),
        name="-".join(
            (*(course.title.replace(",", "").replace(" ", "-") for course in courses), quantity.split(maxsplit=1)[0])
        ),
    )


def _line(course: Course, names: list[str], words: list[str], number: int) -> go.Scatter:
    values = course.values[: len(words)]
    color = theme.CATEGORIES[number % len(theme.CATEGORIES)]
    return go.Scatter(
        x=names, y=values, mode="lines+markers" if len(words) <= _MARKED else "lines", name=theme.plain(course.title),
        line={"color": color, "width": 2, "dash": _DASHES[number % len(_DASHES)]}, marker={"size": 5, "color": color},
        hovertext=[
            f"{theme.plain(word)}<br>{theme.plain(course.title)}: {value:.2f}"
            for word, value in zip(words, values.tolist(), strict=True)
        ],
        hoverinfo="text", customdata=[str(place + 1) for place in range(len(words))],
    )  # fmt: skip


def _said(course: Course, words: Sequence[str]) -> str:
    values = course.values[: len(words)]
    if not np.isfinite(values).any():
        return f"{course.title}: no values"
    highest, lowest = int(np.nanargmax(values)), int(np.nanargmin(values))
    return (
        f"{course.title}: from {values[lowest]:.2f} ({words[lowest]}, {lowest + 1}) to {values[highest]:.2f} "
        f"({words[highest]}, {highest + 1})"
    )
