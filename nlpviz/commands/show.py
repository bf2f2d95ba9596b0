"""``show FILE.json``: what somebody else's model says of a text, in words, or drawn on a page of its own."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.commands import Command, UsageError

if TYPE_CHECKING:
    from nlpviz.data.own_texts.foreign import Foreign
    from nlpviz.figures.page import Section
    from nlpviz.figures.view import FigureView
    from nlpviz.results.attention import TextAttention
    from nlpviz.results.explanation import Explanation

_SHOWN = 8
_HEADS = 12  # drawn one by one


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, help="JSON file with a text, its tokens, and scores or weights (see docs/other-models.md)"
    )
    parser.add_argument(
        "--html", type=Path, metavar="OUT", help="write one HTML file, which needs no internet connection"
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.data.own_texts.foreign import read_foreign

    shown = read_foreign(options.file)
    if options.html is None:
        print("\n".join(line for one in shown for line in _in_words(one)))
        return
    if options.html.exists() or not options.html.parent.is_dir():
        raise UsageError(f"{options.html} already exists, or its folder does not exist. Choose another name.")
    from nlpviz.figures.page import page_html
    from nlpviz.runs.files import write_text

    sections = [section for at, one in enumerate(shown, 1) for section in _sections(one, f"Text {at}: ", len(shown))]
    write_text(options.html, page_html(options.file.name, sections, f"read from {options.file.name}"))
    print(f"{options.html}: {len(shown)} text{'' if len(shown) == 1 else 's'} drawn")


def _in_words(one: Foreign) -> Iterator[str]:
    """Yield the strongest tokens by their scores and by their weights."""
    if one.explanation is not None:
        tokens, scores = one.explanation.encoded.read, one.explanation.scores
        said = ", ".join(f'"{tokens[at].word}" {scores[at]:+.3g}' for at in one.explanation.strongest(_SHOWN))
        known, target = one.explanation, one.explanation.class_names[one.explanation.target]
        yield f"{known.run}, {known.method} towards {target}: {said}"
    if one.attention is not None:
        tokens, weights = one.attention.text.read, one.attention.words
        said = ", ".join(f'"{tokens[at].word}" {weights[at]:.1%}' for at in one.attention.strongest(_SHOWN))
        yield f"{one.attention.run}, weights: {said}"


def _sections(one: Foreign, which: str, count: int) -> Iterator[Section]:
    """Yield the text coloured by its scores and by its weights, with bars, and what each token attends to."""
    from nlpviz.figures.page import Section

    before = which if count > 1 else ""
    if one.explanation is not None:
        texts, bars = _scores(one.explanation, one.unit)
        yield Section(f"{before}{one.explanation.method} of {one.explanation.run}", texts, bars)
    if one.attention is not None:
        yield Section(f"{before}attention of {one.attention.run}", *_weights(one.attention))


def _scores(known: Explanation, unit: str) -> tuple[list[str], list[FigureView]]:
    from nlpviz.figures.attribution.bars import token_bars
    from nlpviz.figures.tokens import legend_html, token_html

    return [token_html(known), legend_html(known, unit)], [token_bars([known], unit)]


def _weights(known: TextAttention) -> tuple[list[str], list[FigureView]]:
    from nlpviz.figures.attention.attended import AttendedText, full_scale
    from nlpviz.figures.attention.bars import word_bars
    from nlpviz.figures.attention.heads import HeadChoice
    from nlpviz.figures.attention.matrix import head_matrix
    from nlpviz.figures.attention.text import attended_html, attended_key_html

    text = AttendedText(known)
    scale = full_scale([text])
    figures = [word_bars([text])]
    if known.heads is not None:
        layers, heads = known.heads.shape[:2]
        every = [(layer, head) for layer in range(layers) for head in range(heads)]
        chosen = [(None, None), *(every[:_HEADS] if len(every) > 1 else [])]
        figures += [head_matrix([known], HeadChoice(layer, head)) for layer, head in chosen]
    return [attended_html(text, scale), attended_key_html(text, scale)], figures


COMMAND = Command("show", "show another model’s scores or attention for a text, from a JSON file", _add_arguments, _run)
