"""The glossary's tables are read as people read them."""

from __future__ import annotations

from nlpviz.ui.glossary import terms


def test_every_entry_has_a_meaning_even_without_symbol_and_source() -> None:
    assert [term.name for term in terms() if not term.meaning] == []
    entries = {term.name: term for term in terms()}
    assert entries["corpus"].symbol == entries["corpus"].source == ""
    assert "KL(q(z | x) ‖ p(z))" in entries["KL, KL divergence of a code"].meaning
