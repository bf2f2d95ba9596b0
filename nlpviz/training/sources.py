"""Named corpus data that fits read: texts as word numbers, sentences, running text.

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
from nlpviz.training.arrays import Arrays, numbered_as_arrays, numbered_of
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


def sentence_numbers(sources: Sources, corpus: str, split: str, texts: NumberedTexts) -> NDArray[np.int64]:
    """Return the number of each token's sentence in its text, from 0; (T,), for the texts of a split."""
    ends = np.array([_is_mark(word) for word in texts.words], dtype=bool)[texts.ids]
    ends[np.cumsum(sources[f"{corpus}-{split}-sentences"]()["unlike"].astype(np.int64))] ^= True
    ended: NDArray[np.int64] = np.append(0, np.cumsum(ends))
    numbers: NDArray[np.int64] = ended[:-1] - np.repeat(ended[texts.ends - texts.lengths], texts.lengths)
    return numbers


def _is_mark(word: str) -> bool:
    """Return whether a sentence is likely to end with a token."""
    return set(word) <= set(".!?")


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
    options.say(f"Tokenizing {len(read.texts):,} texts of {corpus} ({split} split)")
    texts = NumberedTexts.of(words_of(read.texts))
    arrays = numbered_as_arrays("texts", texts) | {"labels": np.asarray(read.labels)}
    return arrays | ({"held_out": np.asarray(read.held_out)} if isinstance(read, SaysHeldOut) else {})


def _read_sentences(_: Path, options: Options, *, corpus: str, split: str) -> Arrays:
    """Return at which tokens a sentence ends without a mark, or goes on with it: how far each is from the one before.

    Of reviews these take a fifth of what lengths of sentences would.
    """
    read = labelled_texts(corpus, split)
    options.say(f"Splitting {len(read.texts):,} texts of {corpus} ({split} split) into sentences")
    unlike = [np.zeros(0, dtype=bool)]
    for text in read.texts:
        tokens = tokenize(text)
        wrong = np.array([_is_mark(token.word) for token in tokens], dtype=bool)
        wrong[[sentence.last - 1 for sentence in sentences(text, tokens)]] ^= True
        unlike.append(wrong)
    return {"unlike": np.diff(np.flatnonzero(np.concatenate(unlike)), prepend=0)}


def _read_stream(_: Path, options: Options, *, corpus: str, split: str, tokenizer: str) -> Arrays:
    tokens = stream(corpus, split, TOKENIZERS[tokenizer]).tokens
    options.say(f"Encoding {len(tokens):,} tokens of {corpus} ({split} split)")
    return numbered_as_arrays("tokens", NumberedTexts.of([tokens]))
