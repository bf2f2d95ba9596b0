"""Snippets of language models: the surprisal of each token, what comes next, what a model writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpviz.figures.snippets import written

_CHOSEN = """
import pandas as pd

from nlpviz.figures.language.choices import $drawn
from nlpviz.figures.page import save_figure
from nlpviz.language.generation import choices, write
from nlpviz.language.sampling import Sampling
from nlpviz.language.surprisal import opened
from nlpviz.runs import open_run

asked, text = opened(open_run($run), $epoch, $order), $text
how = Sampling(temperature=$temperature, top_k=$top_k, top_p=$top_p, seed=$seed)
result = write(asked, text, how, $length, given=$given)
print(result.text())
found = choices(asked, text, how, result.ids[: $place + 1])
"""


class ChosenToken(NamedTuple):
    """A token that a model writes, and all that decides which one it is.

    Attributes:
        run: of the model.
        epoch: of a network.
        order: of n-grams.
        text: that is read first.
        temperature: of the sampling, as the others that follow.
        top_k: 0 for all.
        top_p: 1 for all.
        seed: of what is drawn.
        length: how many tokens are written.
        given: ids of the first ones, which are not drawn.
        place: of the token, from 0.
    """

    run: str
    epoch: int | None
    order: int | None
    text: str
    temperature: float
    top_k: int
    top_p: float
    seed: int
    length: int
    given: tuple[int, ...]
    place: int


def filtered(token: ChosenToken) -> str:
    """Return code for what a token was drawn from: probabilities before and after filtering."""
    return written(
        _CHOSEN.replace("$drawn", "filtered_bars")
        + """
table = pd.DataFrame({"before filtering": found.before, "after filtering": found.after}, index=found.words)
print(table)
print("The figure:", save_figure(filtered_bars(found)))
""",
        **token._asdict(),
    )


def draws(token: ChosenToken) -> str:
    """Return code for how often tokens were drawn in a thousand draws, beside what is expected."""
    return written(
        _CHOSEN.replace("$drawn", "draw_dots")
        + """
table = pd.DataFrame({"probability after filtering": found.after}, index=found.words)
table["draws"] = found.draws.drawn
table["95% from"], table["95% to"] = found.draws.low, found.draws.high
table = table[found.after > 0]
print(table)
print("The figure:", save_figure(draw_dots(found)))
""",
        **token._asdict(),
    )


def surprisal(readers: Sequence[tuple[str, int | None, int | None]], text: str) -> str:
    """Return code for the surprisal of each token of ``text``, in nats.

    Args:
        readers: runs with the epoch of a network, or the order of n-grams.
        text: that is read.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.course import Course, course_lines
        from nlpviz.figures.page import save_figure
        from nlpviz.language.surprisal import opened, surprisal
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch, order in $readers:
            found = surprisal(opened(open_run(run), epoch, order), text)
            columns[found.title] = found.nats
        table = pd.DataFrame(columns)
        print(table)
        courses = [Course(title, nats) for title, nats in columns.items()]
        words = [token.word for token in found.encoded.read]
        print("The figure:", save_figure(course_lines(courses, words, "surprisal (nats)")))
        """,
        readers=list(readers),
        text=text,
    )


def next_word(reader: tuple[str, int | None, int | None], text: str, place: int | None) -> str:
    """Return code for the likeliest words after the first ``place`` tokens of ``text``, or after all."""
    run, epoch, order = reader
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.distribution import next_word_bars
        from nlpviz.figures.page import save_figure
        from nlpviz.language.surprisal import next_word, opened
        from nlpviz.runs import open_run

        asked = opened(open_run($run), $epoch, $order)
        found = next_word(asked, $text, $place)
        table = pd.DataFrame({"probability": found.probabilities}, index=found.words)
        print(table)
        came = None if found.came is None else asked.vocabulary.words[found.came]
        print("The figure:", save_figure(next_word_bars(found, found.probabilities.max(), came)))
        """,
        run=run,
        epoch=epoch,
        order=order,
        text=text,
        place=place,
    )


def word_orders(readers: Sequence[tuple[str, int | None, int | None]], text: str) -> str:
    """Return code for the log-probability of a sentence and of its words in other orders."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.orders import order_histograms
        from nlpviz.figures.page import save_figure
        from nlpviz.language.orders import word_orders
        from nlpviz.language.surprisal import opened
        from nlpviz.runs import open_run

        found = [word_orders(opened(open_run(run), epoch, order), $text) for run, epoch, order in $readers]
        rows = [(one.title, value) for one in found for value in (one.typed, *one.shuffled)]
        table = pd.DataFrame(rows, columns=["model", "log-probability (nats)"])
        print(table)
        print("The figure:", save_figure(order_histograms(found)))
        """,
        readers=list(readers),
        text=text,
    )


def by_layer(reader: tuple[str, int | None, int | None], text: str, place: int | None, layer: int) -> str:
    """Return code for the likeliest words by the state of one layer of a network, from 1, decoded as the last one's."""
    run, epoch, order = reader
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.distribution import next_word_bars
        from nlpviz.figures.page import save_figure
        from nlpviz.language.surprisal import by_layer, opened
        from nlpviz.runs import open_run

        asked = opened(open_run($run), $epoch, $order)
        found = by_layer(asked, $text, $place)[$layer - 1]
        table = pd.DataFrame({"probability": found.probabilities}, index=found.words)
        print(table)
        came = None if found.came is None else asked.vocabulary.words[found.came]
        print("The figure:", save_figure(next_word_bars(found, found.probabilities.max(), came)))
        """,
        run=run,
        epoch=epoch,
        order=order,
        text=text,
        place=place,
        layer=layer,
    )


def entropies(readers: Sequence[tuple[str, int | None, int | None]], text: str, most: int) -> str:
    """Return code for the entropy before each of the first ``most`` tokens of ``text``, in nats."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.course import Course, course_lines
        from nlpviz.figures.page import save_figure
        from nlpviz.language.surprisal import entropies, opened
        from nlpviz.runs import open_run

        text, courses = $text, []
        for run, epoch, order in $readers:
            asked = opened(open_run(run), epoch, order)
            courses.append(Course(asked.title, entropies(asked, text)[:$most]))
        table = pd.DataFrame({one.title: one.values for one in courses})
        print(table)
        words = [token.word for token in asked.encode(text).read][:$most]
        print("The figure:", save_figure(course_lines(courses, words, "entropy before this word (nats)")))
        """,
        readers=list(readers),
        text=text,
        most=most,
    )


def swapped(readers: Sequence[tuple[str, int | None, int | None]], text: str, other: str, tokens: int) -> str:
    """Return code for how the surprisal of the last ``tokens`` tokens changes where ``text`` is ``other``, in nats."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.course import Course, course_lines
        from nlpviz.figures.page import save_figure
        from nlpviz.language.surprisal import opened, surprisal
        from nlpviz.runs import open_run

        courses = []
        for run, epoch, order in $readers:
            asked = opened(open_run(run), epoch, order)
            before, after = (surprisal(asked, text) for text in ($text, $other))
            courses.append(Course(asked.title, after.nats[-$tokens:] - before.nats[-$tokens:]))
        table = pd.DataFrame({one.title: one.values for one in courses})
        print(table)
        words = [token.word for token in before.encoded.read[-$tokens:]]
        print("The figure:", save_figure(course_lines(courses, words, "change in surprisal (nats)", signed=True)))
        """,
        readers=list(readers),
        text=text,
        other=other,
        tokens=tokens,
    )
