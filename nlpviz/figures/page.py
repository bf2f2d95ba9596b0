"""Figures and coloured texts as one HTML file that needs nothing else: it is opened without a server or a network.

plotly.js stands in it (2.2 MB), and a policy in it forbids the browser to fetch anything. It is read after the
texts and the still pictures were painted (``page.js``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import orjson

from nlpviz.figures.markdown import table_html
from nlpviz.figures.tokens import STYLE, literal
from nlpviz.figures.view import FigureView

_OWN_STYLE, *_SCRIPTS = (Path(__file__).with_name(name) for name in ("page.css", "frames.js", "mode_bar.js", "page.js"))
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'{more}; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
_ROWS = 100  # of a figure's table
_PLOTLY = Path(__file__).parents[2] / "static" / "plotly.min.js"
_WEBGL = ("scattergl", "scatter3d")  # plotly.js makes programs of text for them


class Section(NamedTuple):
    """A part of a page.

    Attributes:
        heading: plain text; empty for none.
        texts: HTML, every piece of text in it escaped, as :mod:`nlpviz.figures.tokens` makes it.
        figures: under the texts.
        columns: beside each other under the figures: each one's share of the width, and its parts.
    """

    heading: str
    texts: Sequence[str]
    figures: Sequence[FigureView]
    columns: Sequence[tuple[float, Sequence[Section]]] = ()

    def all_figures(self) -> Iterator[FigureView]:
        """Yield the figures, those in columns too."""
        yield from self.figures
        for _, parts in self.columns:
            for part in parts:
                yield from part.all_figures()


def page_html(title: str, sections: Sequence[Section], source: str, fonts: str = "") -> str:
    """Return the page.

    Args:
        title: plain text.
        sections: in order.
        source: plain text: where the numbers come from.
        fonts: rules in CSS that bring the fonts along.
    """
    style = fonts + "".join(sheet.read_text(encoding="utf-8") for sheet in (STYLE, _OWN_STYLE))
    body = "".join(map(_section, sections))
    script = "".join(file.read_text(encoding="utf-8") for file in _SCRIPTS)
    drawn = {trace.type for section in sections for view in section.all_figures() for trace in view.figure.data}
    policy = _POLICY.format(more=" 'unsafe-eval'" if drawn.intersection(_WEBGL) else "")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{literal(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style>'
        f"</head>\n<body><h1>{literal(title)}</h1>{body}<footer>{literal(source)}</footer>\n"
        f'<script type="text/plain" id="plotly">{_PLOTLY.read_text(encoding="utf-8")}</script>\n'
        f"<script>{script}</script></body></html>\n"
    )


def save_figure(view: FigureView) -> Path:
    """Write a figure as an HTML file into the current folder, named as the figure is, and return its path."""
    file = Path(f"{re.sub(r'[^a-zA-Z0-9.]+', '-', view.name)}.html").resolve()
    title = view.caption.partition(" · ")[0]
    file.write_text(
        page_html(title, [Section("", (), [view])], "Drawn by code copied from an nlpviz page."), encoding="utf-8"
    )
    return file


def _section(section: Section) -> str:
    figures = "".join(map(_figure, section.figures))
    heading = f"<h2>{literal(section.heading)}</h2>" if section.heading else ""
    columns = "".join(
        f'<div style="flex: {share:g} 1 0">{"".join(map(_section, parts))}</div>' for share, parts in section.columns
    )
    beside = f'<div class="columns">{columns}</div>' if columns else ""
    return f"<section>{heading}{''.join(section.texts)}{figures}{beside}</section>"


def _figure(view: FigureView) -> str:
    """Return a figure; in its JSON Plotly writes ``<`` as an escape, so that no text in it ends the script."""
    label = escape(view.alt, quote=True)
    still = f'<div class="still">{view.still}</div>' if view.still else ""
    frames = orjson.dumps(view.frames).decode().replace("<", "\\u003c") if view.frames else ""
    playback = f'<script type="application/json" class="frames">{frames}</script>' if frames else ""
    return (
        f'<figure role="img" aria-label="{label}"><div class="picture" style="height: {view.figure.layout.height}px">'
        f'{still}<div class="drawn"></div></div><script type="application/json">{view.figure.to_json(engine="orjson")}'
        f"</script>{playback}<figcaption>{literal(view.caption)}</figcaption></figure>{_numbers(view)}"
    )


def _numbers(view: FigureView) -> str:
    """Return the figure's table, its first rows, folded away."""
    columns = [list(values[:_ROWS]) for values in view.table.values()]
    count = len(next(iter(view.table.values())))
    rest = f", the first {_ROWS} of {count:,} rows" * (count > _ROWS)
    table = table_html(list(view.table), list(zip(*columns, strict=True)))
    return f"<details><summary>Data table{rest}</summary>{table}</details>" if count else ""
