"""What a language model expects next, as bars: the word that came is outlined."""

from __future__ import annotations

from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.language import file_name
from nlpviz.figures.numbers import percent
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.next_word import NextWord
from nlpviz.text.tokenizers import shown


def next_word_bars(result: NextWord, scale: float, came: str | None) -> FigureView:
    """Return the likeliest words of one model. A click hands on a word's id.

    Args:
        result: at one place of a text.
        scale: the longest bar of all figures that are compared.
        came: the word that stands there; None at the end of the text.
    """
    pairs = list(zip(result.ids.tolist(), map(shown, result.words), result.probabilities.tolist(), strict=True))
    rows = [BarRow(word, share, percent(share), f"{word}: {share:.3%}", str(one)) for one, word, share in pairs]
    groups = [Group("", rows)]
    selected = None if result.came is None else str(result.came)
    if came is not None and result.came not in result.ids and result.rank is not None:
        share = float(result.probability or 0.0)
        row = BarRow(
            shown(came), share, percent(share), f"{shown(came)}: {percent(share)}, rank {result.rank:,}", str(selected)
        )
        groups.append(Group(f"actual word, rank {result.rank:,}", [row]))
    drawn = labelled_bars(groups, "probability", scale, signed=False, selected=selected)
    drawn.update_xaxes(tickformat=".0%")
    said = ", ".join(f"{word} {share:.1%}" for _, word, share in pairs)
    return FigureView(
        figure=drawn,
        alt=f"Predictions of {result.title} for token {result.place + 1}: {said}.{_came(result, came)}",
        table={"word": [word for _, word, _ in pairs], "probability": result.probabilities},
        caption=provenance(result.title, f"token {result.place + 1}", f"entropy {result.entropy:.2f} nats"),
        name=file_name(f"next-{result.place + 1}", result.title),
    )


def _came(result: NextWord, came: str | None) -> str:
    if came is None:
        return ""
    rank = "has no probability" if result.rank is None else f"has rank {result.rank:,}"
    return f" The actual word, {shown(came)}, {rank}."
