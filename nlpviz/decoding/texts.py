"""Texts in, translations out: words are looked up, searched for, and written down; unknown ones are copied.

Luong, Sutskever, Le, Vinyals and Zaremba (2015), *Addressing the Rare Word Problem in Neural Machine Translation*: an
unknown target word is replaced by the source word that it is aligned with, as it was typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpviz.decoding.search import Found, SearchSettings, search
from nlpviz.models import Translator
from nlpviz.text.parallel import JOINER, LanguagePair
from nlpviz.text.vocabulary import UNKNOWN, EncodedText

BATCH = 64


class Written(NamedTuple):
    """A translation as words.

    Attributes:
        words: in the vocabulary's spelling, the boundary among them; a copied one as it was typed.
        copied: for each word the place of the source token that it is a copy of, or None.
        text: put together.
    """

    words: tuple[str, ...]
    copied: tuple[int | None, ...]
    text: str


def write(found: Found, encoded: EncodedText, languages: LanguagePair) -> Written:
    """Return what was found as words, the unknown ones replaced through the alignment where there is one."""
    words, copied = [], []
    for step, word in enumerate(found.words):
        place = None
        if word == UNKNOWN and found.alignment is not None:
            place = int(np.argmax(found.alignment[step]))
            token = encoded.tokens[place]
            words.append(encoded.text[token.start : token.end].replace(JOINER, ""))
        else:
            words.append(languages.target.words[word])
        copied.append(place)
    return Written(tuple(words), tuple(copied), languages.written(words))


def translate_texts(
    model: Translator, languages: LanguagePair, texts: Sequence[str], settings: SearchSettings, max_length: int
) -> list[str]:
    """Return the best translation of each text; a text without a word has an empty one."""
    encoded = [languages.read(text, max_length) for text in texts]
    lengths = [len(one.ids) for one in encoded]
    order = sorted((place for place, length in enumerate(lengths) if length), key=lambda place: lengths[place])
    translations = [""] * len(texts)
    for first in range(0, len(order), BATCH):
        places = order[first : first + BATCH]
        results = search(model, [encoded[place].ids for place in places], settings)
        for place, result in zip(places, results, strict=True):
            translations[place] = write(result.found[0], encoded[place], languages).text
    return translations
