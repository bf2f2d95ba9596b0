"""How the test documents that a run keeps begin: short, plain, in one line."""

from __future__ import annotations

import re

from nlpviz.figures.tokens import showable
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of

LONGEST = 60  # characters
_BREAK = re.compile(r"(?:<[^<>]{0,20}>|\s)+")


def beginnings_of(run: Run) -> tuple[str, ...]:
    """Return the first :data:`LONGEST` characters of each document of a run; none where one of them is not there.

    Raises:
        DataError: if the corpus is not on this machine.
    """
    from nlpviz.training.texts import labelled_texts

    test = labelled_texts(str(run.corpus["name"]), "test")
    places, ids = {identifier: position for position, identifier in enumerate(test.ids)}, documents_of(run).ids
    if any(identifier not in places for identifier in ids):
        return ()
    return tuple(beginning(test.texts[places[identifier]]) for identifier in ids)


def beginning(text: str) -> str:
    """Return how ``text`` begins: in one line, without markup, cut between two words where it can be."""
    line = _BREAK.sub(" ", showable(text[: 4 * LONGEST])).strip()
    if len(line) < LONGEST and len(text) <= 4 * LONGEST:
        return line
    cut = line[: LONGEST - 1]
    return f"{cut[: cut.rfind(' ')].rstrip() if ' ' in cut[LONGEST // 2 :] else cut}…"
