"""Snippets whose runs may be language models, which are asked which of two words comes next."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent

from nlpviz.figures.snippets import Literal, written

Followed = Sequence[tuple[str, int, int]]
"""Runs with an epoch each, and the index of the class that is followed."""


def asked(
    code: str, words: Sequence[str], **values: Literal | Sequence[Literal] | Sequence[tuple[Literal, ...]]
) -> str:
    """Return ``code`` as :func:`nlpviz.figures.snippets.written` does.

    Args:
        code: that opens each of its runs by ``open_run(run)``.
        words: which each run is asked for; none for classifiers, which are asked for nothing.
        values: of the names in it.
    """
    if words:
        code = dedent(code).replace("open_run(run)", "ask(open_run(run), $words)")
        code = code.replace("from nlpviz.", "from nlpviz.language.logit_difference import ask\nfrom nlpviz.", 1)
        values["words"] = list(words)
    return written(code, **values)
