"""The pages' only way to language models: opened once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nlpviz.language.sampling import Sampling
from nlpviz.language.surprisal import Asked
from nlpviz.results.generated_text import Choices, TextBranch, WrittenText
from nlpviz.results.next_word import NextWord
from nlpviz.results.surprisal import Surprisal
from nlpviz.results.word_order import WordOrders
from nlpviz.ui import limits
from nlpviz.ui.cache import shared
from nlpviz.ui.language.choice import Reader
from nlpviz.ui.language.settings import Writer


@shared(limits.entries(12), "Loading the language model…")
def asked(reader: Reader) -> Asked:
    """Return a model, opened."""
    from nlpviz.language.surprisal import opened

    return opened(reader.run, reader.epoch, reader.order)


@shared(128)
def surprisal(reader: Reader, text: str) -> Surprisal:
    """Return how surprised a model was by each token of a text."""
    from nlpviz.language.surprisal import surprisal as read

    return read(asked(reader), text)


@shared(256)
def next_word(reader: Reader, text: str, place: int | None) -> NextWord:
    """Return what a model expects at a place of a text, None for its end."""
    from nlpviz.language.surprisal import next_word as expect

    return expect(asked(reader), text, place)


@shared(128)
def by_layer(reader: Reader, text: str, place: int | None) -> tuple[NextWord, ...]:
    """Return what each layer of a network would expect there; nothing where there are not several."""
    from nlpviz.language.surprisal import by_layer as expect

    return expect(asked(reader), text, place)


@shared(64, "Computing the surprisal…")
def entropies(reader: Reader, text: str) -> NDArray[np.float64]:
    """Return the entropy before each of the first tokens of a text, in nats."""
    from nlpviz.language.surprisal import entropies as read

    return read(asked(reader), text)


@shared(64, "Shuffling the words…")
def word_orders(reader: Reader, text: str) -> WordOrders:
    """Return how probable the first sentence of a text is, and its words in other orders."""
    from nlpviz.language.orders import word_orders as read

    return read(asked(reader), text)


def written(writer: Writer, branch: TextBranch) -> WrittenText:
    """Return what a model writes, from where a text leaves another one."""
    how = replace(writer.how, seed=branch.seed)
    return _written(writer.reader, writer.prompt, how, writer.length, branch.given)


@shared(256, "Sampling…")
def _written(reader: Reader, prompt: str, how: Sampling, length: int, given: tuple[int, ...]) -> WrittenText:
    from nlpviz.language.generation import write

    return write(asked(reader), prompt, how, length, given)


def choices(writer: Writer, text: WrittenText, place: int) -> Choices:
    """Return what the token at a place of a written text was drawn from."""
    return _choices(writer.reader, writer.prompt, writer.how, tuple(text.ids[: place + 1].tolist()))


@shared(256)
def _choices(reader: Reader, prompt: str, how: Sampling, ids: tuple[int, ...]) -> Choices:
    from nlpviz.language.generation import choices as weigh

    return weigh(asked(reader), prompt, how, ids)
