"""The formulas of the view on edits with the numbers of the page."""

from __future__ import annotations

from nlpviz.figures.numbers import number
from nlpviz.results.edits import EditSearch
from nlpviz.ui.edits import cache
from nlpviz.ui.edits.compared import TextPair
from nlpviz.ui.frame import escape_markdown


def reading(found: TextPair, search: EditSearch | None) -> str:
    """Return Markdown that works the bits of the page's edits, and names a search's best answer."""
    said = []
    if found.model is not None and found.words and found.added is not None:
        texts = (found.before.encoded.text, found.after.encoded.text)
        old, new = (cache.read_by(found.model, text) for text in texts)
        said.append(
            f"Here, with {escape_markdown(found.model.title)}: {new.bits:,.1f} − {new.words:,} × {old.mean:.2f} = "
            f"**{number(found.added, '.1f')} bits**."
        )
    elif found.model is None:
        said.append("No language model is used here, so no edit is filtered out and added bits count as 0.")
    if search is not None and search.found:
        best = search.found[0]
        said.append(
            f"The search’s first result is {escape_markdown(best.said)}, after which "
            f"{escape_markdown(search.class_names[search.predicted])} has a probability of {best.probability:.1%}."
        )
    return " ".join(said) or "Edit a word to see how many bits the edit adds."
