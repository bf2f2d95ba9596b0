"""The pages' only way to language models: opened once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.language.sampling import Sampling
from nlpviz.language.surprisal import Asked
from nlpviz.results.generated_text import Choices, TextBranch, WrittenText
from nlpviz.results.next_word import NextWord
from nlpviz.results.surprisal import Surprisal
from nlpviz.results.word_order import WordOrders
from nlpviz.runs import open_run
from nlpviz.ui import limits
from nlpviz.ui.language.choice import Reader
from nlpviz.ui.language.settings import Writer


def asked(reader: Reader) -> Asked:
    """Return a model, opened."""
    return _asked(*_key(reader))


def surprisal(reader: Reader, text: str) -> Surprisal:
    """Return how surprised a model was by each token of a text."""
    return _surprisal(*_key(reader), text)


def next_word(reader: Reader, text: str, place: int | None) -> NextWord:
    """Return what a model expects at a place of a text, None for its end."""
    return _next_word(*_key(reader), text, place)


def by_layer(reader: Reader, text: str, place: int | None) -> tuple[NextWord, ...]:
    """Return what each layer of a network would expect there; nothing where there are not several."""
    return _by_layer(*_key(reader), text, place)


def entropies(reader: Reader, text: str) -> NDArray[np.float64]:
    """Return the entropy before each of the first tokens of a text, in nats."""
    return _entropies(*_key(reader), text)


def word_orders(reader: Reader, text: str) -> WordOrders:
    """Return how probable the first sentence of a text is, and its words in other orders."""
    return _word_orders(*_key(reader), text)


def written(writer: Writer, branch: TextBranch) -> WrittenText:
    """Return what a model writes, from where a text leaves another one."""
    how = replace(writer.how, seed=branch.seed)
    return _written(*_key(writer.reader), writer.prompt, how, writer.length, branch.given)


def choices(writer: Writer, text: WrittenText, place: int) -> Choices:
    """Return what the token at a place of a written text was drawn from."""
    return _choices(*_key(writer.reader), writer.prompt, writer.how, tuple(text.ids[: place + 1].tolist()))


def _key(reader: Reader) -> tuple[str, str, int | None, int | None]:
    return reader.run.name, reader.run.fingerprint, reader.epoch, reader.order


@st.cache_resource(max_entries=limits.entries(12), show_spinner="Loading the language model…")
def _asked(name: str, fingerprint: str, epoch: int | None, order: int | None) -> Asked:  # noqa: ARG001 - cache's key
    from nlpviz.language.surprisal import opened

    return opened(open_run(name), epoch, order)


@st.cache_data(max_entries=128, show_spinner=False)
def _surprisal(name: str, fingerprint: str, epoch: int | None, order: int | None, text: str) -> Surprisal:
    from nlpviz.language.surprisal import surprisal as read

    return read(_asked(name, fingerprint, epoch, order), text)


@st.cache_data(max_entries=256, show_spinner=False)
def _next_word(
    name: str, fingerprint: str, epoch: int | None, order: int | None, text: str, place: int | None
) -> NextWord:
    from nlpviz.language.surprisal import next_word as expect

    return expect(_asked(name, fingerprint, epoch, order), text, place)


@st.cache_data(max_entries=128, show_spinner=False)
def _by_layer(
    name: str, fingerprint: str, epoch: int | None, order: int | None, text: str, place: int | None
) -> tuple[NextWord, ...]:
    from nlpviz.language.surprisal import by_layer as expect

    return expect(_asked(name, fingerprint, epoch, order), text, place)


@st.cache_data(max_entries=64, show_spinner="Computing the surprisal…")
def _entropies(name: str, fingerprint: str, epoch: int | None, order: int | None, text: str) -> NDArray[np.float64]:
    from nlpviz.language.surprisal import entropies as read

    return read(_asked(name, fingerprint, epoch, order), text)


@st.cache_data(max_entries=64, show_spinner="Shuffling the words…")
def _word_orders(name: str, fingerprint: str, epoch: int | None, order: int | None, text: str) -> WordOrders:
    from nlpviz.language.orders import word_orders as read

    return read(_asked(name, fingerprint, epoch, order), text)


@st.cache_data(max_entries=256, show_spinner="Sampling…")
def _written(
    name: str, fingerprint: str, epoch: int | None, order: int | None,
    prompt: str, how: Sampling, length: int, given: tuple[int, ...],
) -> WrittenText:  # fmt: skip
    from nlpviz.language.generation import write

    return write(_asked(name, fingerprint, epoch, order), prompt, how, length, given)


@st.cache_data(max_entries=256, show_spinner=False)
def _choices(
    name: str, fingerprint: str, epoch: int | None, order: int | None, prompt: str, how: Sampling, ids: tuple[int, ...]
) -> Choices:
    from nlpviz.language.generation import choices as weigh

    return weigh(_asked(name, fingerprint, epoch, order), prompt, how, ids)
