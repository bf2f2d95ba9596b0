"""How the bar quotes the beginning of a text, and how a document is shown without colours."""

from __future__ import annotations

import pytest

from nlpviz.ui.texts import document_markdown, opener, quoted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2001: A Space Odyssey <br /><br />Twice", "“2001\\: A Space Odyssey Twice”"),
        ("One<BR>two", "“One two”"),
        ("a <b>bold</b> claim", "“a \\<b\\>bold\\<\\/b\\> claim”"),
        (" \n<br />", ""),
    ],
)
def test_a_line_ends_where_a_review_says_so_and_else_what_was_typed_is_quoted(text: str, said: str) -> None:
    assert quoted(text) == said
    assert opener(text) == (said.replace("\\", "") or "Choose or type a text")  # no Markdown


def test_a_long_text_ends_after_a_word() -> None:
    assert quoted("wonderful " * 40).endswith("wonderful …”")


def test_a_document_is_shown_in_the_paragraphs_that_it_holds() -> None:
    shown = document_markdown("Seen *twice*.<br /><br />Never again.<BR/> ")
    assert shown == "Seen \\*twice\\*\\.\n\nNever again\\."
