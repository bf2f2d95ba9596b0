"""The pages' only way to language models: opened once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nlpviz.language.surprisal import Asked
from nlpviz.results.generated_text import Choices, TextBranch, WrittenText
from nlpviz.results.next_word import NextWord
from nlpviz.results.surprisal import Surprisal
from nlpviz.results.word_order import WordOrders
from nlpviz.ui import limits
from nlpviz.ui.cache import shared
from nlpviz.ui.calls import Call
from nlpviz.ui.language.choice import Reader
from nlpviz.ui.language.settings import Writer


@shared(limits.entries(12), "Loading the language model…")
def asked(reader: Reader) -> Call[Asked]:
    """Return a model, opened."""
    from nlpviz.language.surprisal import opened

    return Call(opened, reader.run, reader.epoch, reader.order)


@shared(128)
def surprisal(reader: Reader, text: str) -> Call[Surprisal]:
    """Return the surprisal of each token of a text."""
    from nlpviz.language.surprisal import surprisal

    return Call(surprisal, asked(reader), text)


@shared(256)
def next_word(reader: Reader, text: str, place: int | None) -> Call[NextWord]:
    """Return what a model expects at a place of a text, None for its end."""
    from nlpviz.language.surprisal import next_word

    return Call(next_word, asked(reader), text, place)


@shared(128)
def by_layer(reader: Reader, text: str, place: int | None) -> Call[tuple[NextWord, ...]]:
    """Return what each layer of a network would expect there; nothing where there are not several."""
    from nlpviz.language.surprisal import by_layer

    return Call(by_layer, asked(reader), text, place)


@shared(64, "Computing the surprisal…")
def entropies(reader: Reader, text: str) -> Call[NDArray[np.float64]]:
    """Return the entropy before each of the first tokens of a text, in nats."""
    from nlpviz.language.surprisal import entropies

    return Call(entropies, asked(reader), text)


@shared(64, "Shuffling the words…")
def word_orders(reader: Reader, text: str) -> Call[WordOrders]:
    """Return how probable the first sentence of a text is, and its words in other orders."""
    from nlpviz.language.orders import word_orders

    return Call(word_orders, asked(reader), text)


@shared(256, "Sampling…")
def written(writer: Writer, branch: TextBranch) -> Call[WrittenText]:
    """Return what a model writes, from where a text leaves another one."""
    from nlpviz.language.generation import write

    how = replace(writer.how, seed=branch.seed)
    return Call(write, asked(writer.reader), writer.prompt, how, writer.length, given=branch.given)


@shared(256)
def choices(writer: Writer, branch: TextBranch, place: int) -> Call[Choices]:
    """Return what the token at a place of a written text was drawn from."""
    from nlpviz.language.generation import choices

    ids = written(writer, branch).get("ids").at(slice(None, place + 1))
    return Call(choices, asked(writer.reader), writer.prompt, writer.how, ids)
