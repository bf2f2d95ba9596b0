"""The visitor's sentences with their translations: two columns of a file, or the lines of two files."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import streamlit as st

from nlpviz.data.own_texts import Opened, OwnTextsError, Source, open_running
from nlpviz.data.own_texts.pairs import FoundPairs, find_pairs, languages_in
from nlpviz.text.languages import title
from nlpviz.ui.frame import escape_markdown, explain_error
from nlpviz.ui.own_texts.chosen_file import SHOWN, ChosenFile, ChosenTexts, cell, named, pick_column, pick_file

_LONGEST_NAMES = 65


def pick_pairs(key: str, file: ChosenFile) -> ChosenTexts | None:
    """Return the sentences and translations that the visitor chose; None, with the reason on the page, without.

    Args:
        key: of the controls.
        file: of the sentences, and of the translations where it has columns.
    """
    files: tuple[ChosenFile, ...] = (file,)
    try:
        opened = open_running(Source(str(file.path)))
        if opened.table.running is None:
            found = _in_columns(key, file, opened)
        else:
            second = pick_file(f"{key}_second", "the translations, one per line")
            if second is None:
                st.info(
                    "Choose the file with the translations as well. Each of its lines must translate the same line "
                    "of the first file."
                )
                return None
            files = (file, second)
            found = find_pairs(Source(str(file.path)), str(second.path))
        both = found.source.languages
        names = ("," if any("-" in one for one in both) else "-").join(both)  # pt-BR has a hyphen of its own
        said = st.text_input(
            "Languages", names, max_chars=_LONGEST_NAMES, key=f"{key}_languages {file.token} {names}",
            help="The languages of the texts and the translations, such as en-fr, as the pages will show them.",
        )  # fmt: skip
        found = find_pairs(found.source.texts, found.source.translations, languages_in(said))
        read = tuple(open_running(replace(found.source.texts, path=str(one.path))) for one in files)
        _show_pairs(found, read)
    except OwnTextsError as problem:
        explain_error(named(str(problem), files))
        return None
    more = {"translations": found.source.translations, "languages": found.source.languages}
    return ChosenTexts(files, found.source.texts, read, more)


def _in_columns(key: str, file: ChosenFile, opened: Opened) -> FoundPairs:
    """Return the pairs in the two columns that the visitor chose.

    Raises:
        OwnTextsError: if they are one.
    """
    try:
        guessed = find_pairs(Source(str(file.path))).source
        first, second = guessed.texts.text, guessed.translations
    except OwnTextsError:
        if len(opened.columns) == 1:
            raise
        first, second = opened.columns[:2]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = pick_column(f"{key}_sentences", "Text", opened.columns, first, file)
        translations = pick_column(f"{key}_translations", "Translation", opened.columns, second, file)
    return find_pairs(Source(str(file.path), text), translations)


def _show_pairs(found: FoundPairs, read: tuple[Opened, ...]) -> None:
    """Show the first pairs, and say how they were read."""
    if len(read) == 1:
        rows = list(islice(read[0].rows(), SHOWN))
        sides = [[row.text for row in rows], [row.fields[found.source.translations] for row in rows]]
    else:
        sides = [list(islice(one.running(), SHOWN)) for one in read]
        sides = [side[: min(map(len, sides))] for side in sides]
    names = [title(language) for language in found.source.languages]
    st.dataframe(
        {name: [cell(text.strip()) for text in side] for name, side in zip(names, sides, strict=True)},
        hide_index=True,
        row_height=36,
    )
    st.caption(escape_markdown(" ".join((f"Read as {found.format}.", *found.guesses))))
