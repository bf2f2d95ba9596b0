"""Phrases on a page, each a point: what the encoder holds when it has read them."""

from __future__ import annotations

import re
from math import isnan
from typing import NamedTuple

import numpy as np
import streamlit as st

from nlpviz.data.sentences import sentences
from nlpviz.figures.numbers import number
from nlpviz.figures.translation.phrases import PhraseMap, phrase_map
from nlpviz.results.phrases import PhrasePlane, kinds_of_pairs
from nlpviz.runs import Run
from nlpviz.text.languages import within
from nlpviz.text.parallel import without_joiners
from nlpviz.text.vocabulary import UNKNOWN, shortened, tokenize
from nlpviz.ui import limits, plotly_view, texts
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, messages, takeaway
from nlpviz.ui.translation import cache, examples

MOST, LEAST = 60, 3
"""Phrases: of fewer there is no plane."""
_LONGEST = 10_000  # characters of all phrases together
_TYPED = "phrases"  # in the session
_READS = "en"  # the language of the example phrases
_NAMED = 6
_LONG = 60  # characters of a phrase in a sentence


class Phrases(NamedTuple):
    """Phrases and the number of each one's group, from 0."""

    texts: tuple[str, ...]
    groups: tuple[int, ...]


def ask(run: Run) -> Phrases:
    """Return the phrases in the box, one a line, in groups with an empty line between them; a chip of the bar opens it.

    The page ends, with a sentence, where they are too few.
    """
    ready = _ready(run)
    source = within(run.recipe["source"])
    begins = _TYPED not in st.session_state
    with st.popover("Phrases", icon=":material/edit_note:", width="stretch"):
        typed = st.text_area(
            f"Phrases in {source}: one per line; an empty line starts a new group (colour)", ready if begins else "",
            key=_TYPED, height=320, persist_state="session", max_chars=limits.most_characters(_LONGEST),
            placeholder=ready,
        )  # fmt: skip
        if not ready:
            st.caption(examples.why_none(run))
        elif typed != ready:
            st.button(
                "Restore the example phrases", key="ready_phrases", on_click=_take, args=(ready,), type="tertiary"
            )
    phrases = _known(run, parse(texts.readable(typed)))
    if len(phrases.texts) > MOST:
        messages().info(f"Too many phrases: the map shows the first {MOST} of {len(phrases.texts):,}.")
        phrases = Phrases(phrases.texts[:MOST], phrases.groups[:MOST])
    if len(phrases.texts) < LEAST:
        messages().info(f"The map needs at least {LEAST} different phrases. Type more, one per line.")
        st.stop()
    return phrases


def _ready(run: Run) -> str:
    """Return the example phrases, in a group for each meaning: who chases whom, who gives to whom.

    They are English. Where another language is read, those of the run are taken, each a group; ``""`` of none.
    """
    if run.recipe["source"] != _READS:
        return "\n\n".join(one.text for one in examples.of(run))
    groups: dict[tuple[str, bool], list[str]] = {}
    for one in sentences():
        if one.kind == "phrase":
            about, *rest = one.id.split("-")
            groups.setdefault((about.removesuffix("d"), "back" in rest), []).append(one.text)
    return "\n\n".join("\n".join(texts) for texts in groups.values())


def _take(ready: str) -> None:
    st.session_state[_TYPED] = ready


def parse(typed: str) -> Phrases:
    """Return the lines of a text, each once, with the numbers of the blocks in which they stand."""
    result: dict[str, int] = {}
    blocks = [block for block in re.split(r"\n\s*\n", typed) if block.strip()]
    for group, block in enumerate(blocks):
        for line in block.splitlines():
            if text := " ".join(line.split()):
                result.setdefault(text, group)
    return Phrases(tuple(result), tuple(result.values()))


def _known(run: Run, phrases: Phrases) -> Phrases:
    """Return the phrases that have a word; say which have none, and which have words that the network does not know."""
    languages = cache.languages(run)
    read = [languages.read(text, run.max_length) for text in phrases.texts]
    kept = [position for position, one in enumerate(read) if len(one.ids)]
    unknown = dict.fromkeys(
        without_joiners(token.word) for one in read for token in one.read if token.word not in languages.source
    )
    if unknown:
        named = ", ".join(escape_markdown(shortened(word)) for word in list(unknown)[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        messages().info(f"Out of vocabulary, all read as `<unk>`: {named}{more}.")
    return Phrases(
        tuple(phrases.texts[position] for position in kept), tuple(phrases.groups[position] for position in kept)
    )


def _same(run: Run, phrases: Phrases) -> str:
    """Return why all phrases are one to the network; nothing where they are not."""
    languages = cache.languages(run)
    read = {tuple(languages.read(text, run.max_length).ids.tolist()) for text in phrases.texts}
    if len(read) > 1:
        return ""
    (ids,) = read
    if UNKNOWN not in ids:
        return "it reads the same words in each"
    return "all their words are out of vocabulary" if set(ids) == {UNKNOWN} else "they differ only in unknown words"


def held(run: Run) -> str:
    """Return what of a run's encoder stands for a phrase."""
    return "mean of the encoder’s annotations" if "heads" in run.config else "encoder’s last hidden state"


def show(run: Run, epoch: int, phrases: Phrases) -> None:
    """Show where the phrases lie, and say which are nearest to each other and which share is not seen.

    Phrases that are all the same to the network lie nowhere: a sentence says so.
    """
    if same := _same(run, phrases):
        st.info(f"For this network, these phrases are identical: {same}. There is nothing to map.")
        return
    found = cache.phrase_plane(run, epoch, phrases.texts)
    plane, groups = found(), np.array(phrases.groups)
    where = found.get("coordinates"), found.get("share")
    drawn = Call(PhraseMap, run.name, epoch, held(run), phrases.texts, groups, *where)
    one, other = plane.nearest
    cosine = number(plane.cosine, signed=False)
    nearest = f"The two most similar of {len(phrases.texts)} phrases have a cosine of {cosine}."
    takeaway("{verdict}", verdict=words_or_meaning(plane, phrases) or nearest)
    plotly_view.show(Call(phrase_map, drawn), key="phrase_map")
    answer(
        "Most similar{kind}: *{one}* and *{other}* (cosine {cosine}).",
        one=shortened(phrases.texts[one], _LONG),
        other=shortened(phrases.texts[other], _LONG),
        cosine=cosine,
        kind=kind_of_pair(phrases, one, other),
    )
    answer(
        "The map shows {share:.0%} of the variance of {size:,} dimensions; cosines use all dimensions.",
        share=plane.share,
        size=plane.dimensions,
    )


def kind_of_pair(phrases: Phrases, one: int, other: int) -> str:
    """Return what two phrases have in common, to follow on their names; nothing where that is neither group nor words.

    Phrases of one group are to mean the same: that is what the visitor is asked for, and how the ready ones stand.
    """
    if phrases.groups[one] == phrases.groups[other]:
        return ", same group"
    same = _words(phrases.texts[one]) == _words(phrases.texts[other])
    return ", same words in different groups" if same else ""


def words_or_meaning(plane: PhrasePlane, phrases: Phrases) -> str:
    """Return which lie nearer to each other on average, phrases of one group or of the same words; else nothing."""
    kinds = kinds_of_pairs(plane.cosines, phrases.groups, [_words(text) for text in phrases.texts])
    if isnan(kinds.of_one_group) or isnan(kinds.of_same_words):
        return ""
    group, words = (number(value, signed=False) for value in kinds)
    if group == words:
        return f"Phrases cluster by meaning and by words equally: mean cosine {group}."
    if kinds.of_one_group > kinds.of_same_words:
        return f"Phrases cluster by meaning more than by words: mean cosine {group} compared with {words}."
    return f"Phrases cluster by words more than by meaning: mean cosine {words} compared with {group}."


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a phrase, sorted; marks are none."""
    return tuple(sorted(token.word for token in tokenize(text) if any(map(str.isalnum, token.word))))
