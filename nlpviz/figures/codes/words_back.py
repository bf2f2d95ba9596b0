"""What comes back of a text: the likeliest words under its code, and the text's own words."""

from __future__ import annotations

from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import number, percent
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.codes import TextCode, WordShare


def words_back(code: TextCode) -> FigureView:
    """Return bars of the words' probabilities: first those that are likeliest, then those that the text has."""
    groups = [Group("Most probable under the code", [_row(one, "back") for one in code.returned])]
    if code.read:
        groups.append(Group("Words of the text", [_row(one, "read") for one in code.read]))
    every = [*code.returned, *code.read]
    longest = max((one.probability for one in every), default=1.0)
    return FigureView(
        figure=labelled_bars(groups, "probability", longest, signed=False),
        alt=_alt(code),
        table={
            "list": ["under the code"] * len(code.returned) + ["of the text"] * len(code.read),
            "word": [one.word for one in every],
            "probability": [one.probability for one in every],
            "occurrences in the text": [one.times for one in every],
            "gain over the zero code (nats)": [one.lift for one in every],
        },
        caption=provenance(f"{code.run}, epoch {code.epoch}", "in-vocabulary words only"),
        name=f"{code.run}-epoch-{code.epoch}-words",
    )


def _row(one: WordShare, group: str) -> BarRow:
    times = f" · {one.times}× in the text" if one.times else ""
    hover = f"{one.word}: {percent(one.probability)}, {number(one.lift)} nats relative to the zero code{times}"
    return BarRow(one.word, one.probability, f"{percent(one.probability)}{times}", hover, f"{group} {one.word}")


def _alt(code: TextCode) -> str:
    first = ", ".join(f"{one.word} {percent(one.probability)}" for one in code.returned[:5])
    own = sum(1 for one in code.returned if one.times)
    return (
        f"Most probable words under the code: {first}. {own} of the {len(code.returned)} listed words are in the text."
    )
