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


def perplexities(runs: Sequence[str], corpus: str, quantity: str) -> str:
    """Return code for what language models reach on their test text, the best first.

    Args:
        runs: all on the same text.
        corpus: its title, which the models' titles do without.
        quantity: that is drawn, a key of :data:`nlpviz.figures.language.perplexities.QUANTITIES`.
    """
    return written(
        """
        from dataclasses import replace

        import pandas as pd

        from nlpviz.figures.language.perplexities import perplexity_bars
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.language import measured_models

        models = [one for run in $runs for one in measured_models(open_run(run))]
        models = [replace(one, title=one.title.replace($on, "")) for one in models]
        models.sort(key=lambda one: one.loss)
        table = pd.DataFrame({"model": [one.title for one in models]})
        table["perplexity"] = [one.perplexity for one in models]
        table["nats per token"] = [one.loss for one in models]
        table["bits per character"] = [one.bits_per_character for one in models]
        print(table)
        print("The figure:", save_figure(perplexity_bars(models, $quantity, $corpus)))
        """,
        runs=list(runs),
        on=f" on {corpus}",
        quantity=quantity,
        corpus=corpus,
    )


def gains(run: str, other: str, title: str, grouping: str) -> str:
    """Return code for where a language model predicts a test text better than another, by a grouping of tokens.

    Args:
        run: the name of the first model's run.
        other: that of the other's, which need not be there any more.
        title: what the other is called.
        grouping: of the tokens.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.gains import gain_points, reached
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.gains import read_gains

        run = open_run($run)
        found = read_gains(run)[$other]
        groups = [one for one in found if one.grouping == $grouping]
        table = pd.DataFrame({"group": [one.group for one in groups]})
        table["tokens"] = [one.tokens for one in groups]
        table["gain (nats)"] = [one.gain for one in groups]
        table["from"] = [one.low for one in groups]
        table["to"] = [one.high for one in groups]
        print(table)
        print("The figure:", save_figure(gain_points(groups, run.title, $title, reached(found))))
        """,
        run=run,
        other=other,
        title=title,
        grouping=grouping,
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


def validation(runs: Sequence[str]) -> str:
    """Return code for the perplexity of networks on the validation text after each epoch, and of models that count."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.run_kinds import history
        from nlpviz.run_kinds.drawn.language import validation_curves
        from nlpviz.runs import open_run

        runs = [open_run(name) for name in $runs]
        rows = [(run.title, one.epoch, np.exp(one.validation_loss)) for run in runs for one in history(run)]
        table = pd.DataFrame(rows, columns=["model", "epoch", "perplexity"])
        print(table)
        print("The figure:", save_figure(validation_curves(runs)))
        """,
        runs=list(runs),
    )


def vocabularies(run: str, corpus: str) -> str:
    """Return code for the perplexity of n-grams on the test text of ``corpus`` when they know fewer words."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.language.perplexities import perplexity_by_vocabulary
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.language import smaller_vocabularies

        run = open_run($run)
        found = smaller_vocabularies(run)
        table = pd.DataFrame({"vocabulary": [one.vocabulary for one in found]})
        table["perplexity"] = [one.perplexity for one in found]
        table["share of test tokens that are <unk>"] = [one.unknown for one in found]
        print(table)
        print("The figure:", save_figure(perplexity_by_vocabulary(found, run.title, $corpus)))
        """,
        run=run,
        corpus=corpus,
    )
