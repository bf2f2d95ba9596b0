"""A translation as HTML in which the words are marked that were copied, for the network has no word of its own there.

The class is styled by ``nlpviz/ui/translation.css``: an underline, so that the mark is seen without colours.
"""

from __future__ import annotations

from nlpviz.figures.tokens import literal
from nlpviz.results.alignment import Hypothesis


def translation_html(best: Hypothesis) -> str:
    """Return the text of a translation as a paragraph; a copied word says in its tooltip where it comes from."""
    pieces, done = [], 0
    for start, end, source in best.copies:
        title = f"out of vocabulary, copied from source word {source + 1}"
        word = f'<span class="nlpviz-copied" title="{title}">{literal(best.text[start:end])}</span>'
        pieces += [literal(best.text[done:start]), word]
        done = end
    return f'<p dir="auto">{"".join(pieces)}{literal(best.text[done:])}</p>'
