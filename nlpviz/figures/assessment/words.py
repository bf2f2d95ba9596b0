"""Words whose presence goes with errors, or with right answers, by the share of errors among texts that hold them."""

from __future__ import annotations

from nlpviz.figures.assessment.labels import P_VALUES, file_name, on, share
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import p_said
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.assessment import Assessment
from nlpviz.results.errors import ErrorWord, ErrorWords
from nlpviz.stats.significance import LEVEL

SHOWN = 12
"""Of each group."""
_FEW = 5  # where no word is a discovery
_HEADINGS = ("word", "texts", "errors", "error rate", "from", "to", "error rate in other texts", "odds ratio")


def word_bars(shown: ErrorWords, assessment: Assessment) -> FigureView:
    """Return the words that a test tells from the others, the least p first; where there are none, the first few.

    Args:
        shown: the words.
        assessment: of the same texts.
    """
    groups = [Group(heading, [_row(word) for word in words]) for heading, words in grouped(shown)]
    longest = max((row.value for group in groups for row in group.rows), default=1.0)
    return FigureView(
        figure=labelled_bars(groups, "error rate in texts with the word, %", longest, signed=False),
        alt=_alt(shown),
        table=table_of(
            (*_HEADINGS, *P_VALUES),
            [
                (one.word, one.texts, one.errors, one.share, *one.interval, one.outside, one.odds_ratio, one.p, one.q)
                for one in shown.words
            ],
        ),
        caption=provenance(
            on(assessment),
            f"{shown.tested:,} words tested, each in at least {shown.least} texts",
            f"adjusted p < {LEVEL:g}",
        ),
        name=file_name(assessment, "words-of-errors"),
    )


def grouped(shown: ErrorWords) -> list[tuple[str, list[ErrorWord]]]:
    """Return the words that are shown, under their headings."""
    found = [word for word in shown.words if word.significant]
    if not found:
        return [("no word is significant; lowest p-value first", list(shown.words[:_FEW]))] if shown.words else []
    more = [word for word in found if word.odds_ratio > 1][:SHOWN]
    fewer = [word for word in found if word.odds_ratio <= 1][:SHOWN]
    headed = [("more errors than in other texts", more), ("fewer errors than in other texts", fewer)]
    return [(heading, words) for heading, words in headed if words]


def _row(word: ErrorWord) -> BarRow:
    hover = (
        f"{word.word}: {word.errors:,} of {word.texts:,} texts with this word are misclassified, "
        f"{share(word.share, word.interval)}; of the other texts, {word.outside:.1%}; odds ratio "
        f"{word.odds_ratio:.2g}; "
        f"{p_said(word.p)}, adjusted {p_said(word.q)}"
    )
    return BarRow(word.word, 100 * word.share, f"{word.errors:,} of {word.texts:,}", hover, word.word)


def _alt(shown: ErrorWords) -> str:
    said = "; ".join(
        f"{heading}: "
        + ", ".join(f"{word.word} {word.share:.1%} ({word.errors:,} of {word.texts:,})" for word in words)
        for heading, words in grouped(shown)
    )
    whole = shown.errors / shown.texts if shown.texts else 0.0
    return (
        f"Error rate in texts that contain a given word; over all texts, it is {whole:.1%}. "
        f"{said or f'No word occurs in at least {shown.least} texts'}."
    )
