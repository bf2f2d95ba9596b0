"""What fits read of corpora, under names: texts as numbers of words, sentences, running text.

What one corpus gives is read, packed and kept once, whatever recipes read it: vocabularies and lengths are chosen when
a fit encodes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.sentences import sentences
from nlpviz.text.tokenizers import TOKENIZERS
from nlpviz.text.vocabulary import tokenize, words_of
from nlpviz.training import Options
from nlpviz.training.arrays import Arrays, numbered_as_arrays, numbered_of, rows_as_arrays
from nlpviz.training.streams import stream
from nlpviz.training.texts import SaysHeldOut, labelled_texts

Reader = Callable[[Path, Options], Arrays]
"""Reads a corpus; what it writes into the folder may be mapped by the arrays."""
Sources = Mapping[str, Callable[[], Arrays]]
"""What was read, by its name; each is loaded, or read where the corpus is, when it is called."""


class LabelledSource(NamedTuple):
    """One split of labelled texts.

    Attributes:
        texts: N texts as numbers of words.
        labels: int8 (N,), class indices.
        held_out: bool (N,), which texts the corpus itself holds out; None where it does not say.
    """

    texts: NumberedTexts
    labels: NDArray[np.int8]
    held_out: NDArray[np.bool_] | None


def reads_texts(corpus: str, *splits: str) -> dict[str, Reader]:
    """Return what reads the texts of some splits of ``corpus``, and their labels."""
    return {f"{corpus}-{split}": partial(_read_texts, corpus=corpus, split=split) for split in splits}


def texts_from(sources: Sources, corpus: str, split: str) -> LabelledSource:
    """Return the texts of a split."""
    arrays = sources[f"{corpus}-{split}"]()
    return LabelledSource(numbered_of(arrays, "texts"), arrays["labels"], arrays.get("held_out"))


def reads_sentences(corpus: str, *splits: str) -> dict[str, Reader]:
    """Return what reads where the sentences of the texts of some splits end."""
    return {f"{corpus}-{split}-sentences": partial(_read_sentences, corpus=corpus, split=split) for split in splits}


def sentence_numbers(sources: Sources, corpus: str, split: str) -> NDArray[np.int64]:
    """Return the number of each token's sentence in its text, from 0; (T,), text after text."""
    arrays = sources[f"{corpus}-{split}-sentences"]()
    tokens, counts = arrays["tokens.values"], arrays["tokens.lengths"].astype(np.int64)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(np.arange(len(tokens)) - first, tokens)


def reads_stream(corpus: str, tokenizer: str, *splits: str) -> dict[str, Reader]:
    """Return what reads the tokens of some splits of ``corpus``, each one text."""
    return {
        f"{corpus}-{split}-{tokenizer}": partial(_read_stream, corpus=corpus, split=split, tokenizer=tokenizer)
        for split in splits
    }


def stream_from(sources: Sources, corpus: str, tokenizer: str, split: str) -> NumberedTexts:
    """Return the tokens of a split."""
    return numbered_of(sources[f"{corpus}-{split}-{tokenizer}"](), "tokens")


def _read_texts(_: Path, options: Options, *, corpus: str, split: str) -> Arrays:
    read = labelled_texts(corpus, split)
    options.say(f"Tokenizing {len(read.texts):,} texts of {corpus}, split {split}")
    texts = NumberedTexts.of(words_of(read.texts))
    arrays = numbered_as_arrays("texts", texts) | {"labels": np.asarray(read.labels)}
    return arrays | ({"held_out": np.asarray(read.held_out)} if isinstance(read, SaysHeldOut) else {})


def _read_sentences(_: Path, options: Options, *, corpus: str, split: str) -> Arrays:
    read = labelled_texts(corpus, split)
    options.say(f"Parting {len(read.texts):,} texts of {corpus}, split {split}, into sentences")

    lengths = ([sentence.last - sentence.first for sentence in sentences(text, tokenize(text))] for text in read.texts)
    return rows_as_arrays("tokens", [np.array(row, dtype=np.int64) for row in lengths])


def _read_stream(_: Path, options: Options, *, corpus: str, split: str, tokenizer: str) -> Arrays:
    tokens = stream(corpus, split, TOKENIZERS[tokenizer]).tokens
    options.say(f"Numbering {len(tokens):,} tokens of {corpus}, split {split}")
    return numbered_as_arrays("tokens", NumberedTexts.of([tokens]))
