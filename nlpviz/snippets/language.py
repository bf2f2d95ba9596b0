"""Snippets of language models: the surprisal of each token, what comes next, what a model writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpviz.snippets import written

_CHOSEN = """
import pandas as pd

from nlpviz.language.asking import opened
from nlpviz.language.sampling import Sampling
from nlpviz.language.writing import choices, write
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
        _CHOSEN
        + """
table = pd.DataFrame({"before filtering": found.before, "after filtering": found.after}, index=found.words)
print(table)
""",
        **token._asdict(),
    )


def draws(token: ChosenToken) -> str:
    """Return code for how often tokens were drawn in a thousand draws, beside what is expected."""
    return written(
        _CHOSEN
        + """
table = pd.DataFrame({"probability after filtering": found.after}, index=found.words)
table["draws"] = found.draws.drawn
table["95% from"], table["95% to"] = found.draws.low, found.draws.high
table = table[found.after > 0]
print(table)
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
        from nlpviz.language.asking import opened, surprisal
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

        from nlpviz.language.asking import next_word, opened
        from nlpviz.runs import open_run

        found = next_word(opened(open_run($run), $epoch, $order), $text, $place)
        table = pd.DataFrame({"probability": found.probabilities}, index=found.words)
        print(table)
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

        from nlpviz.language.asking import opened
        from nlpviz.language.orders import word_orders
        from nlpviz.runs import open_run

        rows = []
        for run, epoch, order in $readers:
            found = word_orders(opened(open_run(run), epoch, order), $text)
            rows += [(found.title, value) for value in (found.typed, *found.shuffled)]
        table = pd.DataFrame(rows, columns=["model", "log-probability (nats)"])
        print(table)
        """,
        readers=list(readers),
        text=text,
    )


def perplexities(runs: Sequence[str], corpus: str) -> str:
    """Return code for what language models reach on their test text, the best first.

    Args:
        runs: all on the same text.
        corpus: its title, which the models' titles do without.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.language import measured_models

        models = [one for run in $runs for one in measured_models(open_run(run))]
        models.sort(key=lambda one: one.loss)
        table = pd.DataFrame({"model": [one.title.replace($corpus, "") for one in models]})
        table["perplexity"] = [one.perplexity for one in models]
        table["nats per token"] = [one.loss for one in models]
        table["bits per character"] = [one.bits_per_character for one in models]
        print(table)
        """,
        runs=list(runs),
        corpus=f" on {corpus}",
    )


def gains(run: str, other: str, grouping: str) -> str:
    """Return code for where a language model predicts a test text better than another, by a grouping of tokens."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.gains import read_gains

        groups = [one for one in read_gains(open_run($run))[$other] if one.grouping == $grouping]
        table = pd.DataFrame({"group": [one.group for one in groups]})
        table["tokens"] = [one.tokens for one in groups]
        table["gain (nats)"] = [one.gain for one in groups]
        table["from"] = [one.low for one in groups]
        table["to"] = [one.high for one in groups]
        print(table)
        """,
        run=run,
        other=other,
        grouping=grouping,
    )


def by_layer(reader: tuple[str, int | None, int | None], text: str, place: int | None, layer: int) -> str:
    """Return code for the likeliest words by the state of one layer of a network, from 1, decoded as the last one's."""
    run, epoch, order = reader
    return written(
        """
        import pandas as pd

        from nlpviz.language.asking import by_layer, opened
        from nlpviz.runs import open_run

        layers = by_layer(opened(open_run($run), $epoch, $order), $text, $place)
        found = layers[$layer - 1]
        table = pd.DataFrame({"probability": found.probabilities}, index=found.words)
        print(table)
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

        from nlpviz.language.asking import entropies, opened
        from nlpviz.runs import open_run

        columns = {}
        for run, epoch, order in $readers:
            columns[f"{run}, nats"] = entropies(opened(open_run(run), epoch, order), $text)[:$most]
        table = pd.DataFrame(columns)
        print(table)
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

        from nlpviz.language.asking import opened, surprisal
        from nlpviz.runs import open_run

        columns = {}
        for run, epoch, order in $readers:
            asked = opened(open_run(run), epoch, order)
            before, after = (surprisal(asked, text).nats[-$tokens:] for text in ($text, $other))
            columns[f"{run}, nats"] = after - before
        table = pd.DataFrame(columns)
        print(table)
        """,
        readers=list(readers),
        text=text,
        other=other,
        tokens=tokens,
    )


def validation(runs: Sequence[str]) -> str:
    """Return code for the perplexity of networks on the validation text after each epoch."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.kinds import history
        from nlpviz.runs import open_run

        runs = [open_run(name) for name in $runs]
        rows = [(run.title, one.epoch, np.exp(one.validation_loss)) for run in runs for one in history(run)]
        table = pd.DataFrame(rows, columns=["model", "epoch", "perplexity"])
        print(table)
        """,
        runs=list(runs),
    )


def vocabularies(run: str) -> str:
    """Return code for the perplexity of n-grams when fewer words are told apart."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.language import smaller_vocabularies

        found = smaller_vocabularies(open_run($run))
        table = pd.DataFrame({"vocabulary": [one.vocabulary for one in found]})
        table["perplexity"] = [one.perplexity for one in found]
        table["share of test tokens that are <unk>"] = [one.unknown for one in found]
        print(table)
        """,
        run=run,
    )
