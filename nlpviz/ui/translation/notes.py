"""What a reader should know before believing a translation: what was unknown, copied, cut, or came to no end."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.results.alignment import Translation
from nlpviz.runs import Run
from nlpviz.text.languages import title, within
from nlpviz.text.parallel import GOES_ON, without_joiners
from nlpviz.text.vocabulary import UNKNOWN, shortened
from nlpviz.ui.frame import escape_markdown
from nlpviz.ui.translation import cache

_NAMED = 6  # words


def show(run: Run, result: Translation) -> None:
    """Show what a reader should know before believing a translation."""
    for note in notes(run, result):
        st.info(escape_markdown(note))


def notes(run: Run, result: Translation) -> list[str]:
    """Return what a reader should know before believing a translation, a sentence each."""
    best, encoded, units = result.hypotheses[0], result.encoded, f"{unit(run)}s"
    said = []
    unknown = [
        without_joiners(token.word)
        for token, token_id in zip(encoded.read, encoded.ids, strict=True)
        if token_id == UNKNOWN
    ]
    if unknown and 2 * len(unknown) >= len(encoded.ids):
        said.append(
            f"{len(unknown)} of {len(encoded.ids)} {units} are out of vocabulary: {_listed(unknown)}. The "
            f"network was trained on {within(result.source_language)} from {run.corpus['name']}, so this "
            f"translation is mostly a guess."
        )
    elif unknown:
        said.append(f"Out of vocabulary ({title(result.source_language)}): {_listed(unknown)}.")
    copies = [word for word, position in zip(best.shown, best.copied, strict=True) if position is not None]
    if copies:
        said.append(
            "The network predicted an unknown word, <unk>. It is replaced by the source word with the "
            f"most attention, underlined: {_listed(copies)}."
        )
    elif UNKNOWN in best.ids:
        said.append(
            "The network predicted an unknown word, <unk>. Without attention, no source word can be chosen to "
            "replace it."
        )
    if len(encoded.tokens) > len(encoded.ids):
        said.append(
            f"Truncated: the network reads the first {len(encoded.ids):,} of {len(encoded.tokens):,} {units} "
            f"and punctuation marks."
        )
    rows = [row for row in cache.bleu(run) if row.epoch == run.best_epoch]
    words = sum(not token.word.endswith(GOES_ON) for token in encoded.read)
    if len(rows) > 2 and words > 2 * rows[-1].shortest:
        said.append(
            f"This sentence has {words} words. Only {rows[-1].sentences:,} of {rows[0].sentences:,} test "
            f"sentences have {rows[-1].shortest} or more, so sentences of this length were probably rare in training."
        )
    if not best.ended:
        said.append(f"The network did not finish the sentence: decoding was stopped after {len(best.words)} {units}.")
    return said


def unit(run: Run) -> str:
    """Return what a run reads and writes one at a time: a word, or a piece of one."""
    return "piece" if run.recipe.get("subwords") else "word"


def _listed(words: Sequence[str]) -> str:
    each = list(dict.fromkeys(words))
    more = f" and {len(each) - _NAMED} more" if len(each) > _NAMED else ""
    return ", ".join(map(shortened, each[:_NAMED])) + more
