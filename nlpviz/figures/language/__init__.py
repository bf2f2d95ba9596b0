"""Figures of language models: texts by surprisal, distributions over words, perplexities."""

from __future__ import annotations


def file_name(kind: str, *titles: str) -> str:
    """Return the name of a figure's files: ``wikitext2-lstm-epoch-11-surprisal``."""
    return "-".join((*(title.replace(",", "").replace(" ", "-") for title in titles), kind))
