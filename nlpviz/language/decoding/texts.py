"""Texts in, translations out: words are looked up, searched for, and written down; unknown ones are copied.

Luong, Sutskever, Le, Vinyals and Zaremba (2015), *Addressing the Rare Word Problem in Neural Machine Translation*: an
unknown target word is replaced by the source word that it is aligned with, as it was typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpviz.language.decoding.search import ScoredTranslation, SearchSettings, search
from nlpviz.networks.architectures import Translator
from nlpviz.text.parallel import JOINER, LanguagePair
from nlpviz.text.vocabulary import UNKNOWN, EncodedText

BATCH = 64


class Written(NamedTuple):
    """A translation as words.

    Attributes:
        words: in the vocabulary's spelling, the boundary among them; a copied one as it was typed.
        copied: for each word the position of the source token that it is a copy of, or None.
        text: put together.
    """

    words: tuple[str, ...]
    copied: tuple[int | None, ...]
    text: str


def write(translation: ScoredTranslation, encoded: EncodedText, languages: LanguagePair) -> Written:
    """Return what was found as words, the unknown ones replaced through the alignment where there is one."""
    words, copied = [], []
    for step, word in enumerate(translation.words):
        position = None
        if word == UNKNOWN and translation.alignment is not None:
            position = int(np.argmax(translation.alignment[step]))
            token = encoded.tokens[position]
            words.append(encoded.text[token.start : token.end].replace(JOINER, ""))
        else:
            words.append(languages.target.words[word])
        copied.append(position)
    return Written(tuple(words), tuple(copied), languages.written(words))


def translate_texts(
    model: Translator, languages: LanguagePair, texts: Sequence[str], settings: SearchSettings, max_length: int
) -> list[str]:
    """Return the best translation of each text; a text without a word has an empty one."""
    encoded = [languages.read(text, max_length) for text in texts]
    lengths = [len(one.ids) for one in encoded]
    order = sorted(
        (position for position, length in enumerate(lengths) if length), key=lambda position: lengths[position]
    )
    translations = [""] * len(texts)
    for first in range(0, len(order), BATCH):
        positions = order[first : first + BATCH]
        results = search(model, [encoded[position].ids for position in positions], settings)
        for position, result in zip(positions, results, strict=True):
            translations[position] = write(result.translations[0], encoded[position], languages).text
    return translations
