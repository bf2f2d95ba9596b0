"""Figures and coloured texts as one HTML file that needs nothing else: it is opened without a server or a network.

plotly.js is in it, packed (1.0 MB instead of 2.2), and a policy in it forbids the browser to fetch anything. It is
unpacked and read after the texts and the still pictures were painted (``page.js``).
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

import orjson

from nlpviz import places
from nlpviz.figures import theme
from nlpviz.figures.markdown import table_html
from nlpviz.figures.tokens import STYLE, literal
from nlpviz.figures.view import FigureView

_OWN_STYLE, *_SCRIPTS = (
    Path(__file__).with_name(name) for name in ("page.css", "frames.js", "mode_bar.js", "recolour.js", "page.js")
)
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'{more}; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
_ROWS = 100  # of a figure's table
_PLOTLY = places.APP / "static" / "plotly.min.js"
_ON_DARK = theme.ON_DARK | {theme.INK: theme.INK_ON_DARK, theme.SURFACE: theme.SURFACE_ON_DARK}
_WEBGL = ("scattergl", "scatter3d")  # plotly.js makes programs of text for them


class Section(NamedTuple):
    """A part of a page.

    Attributes:
        heading: plain text; empty for none.
        texts: HTML, every piece of text in it escaped, as :mod:`nlpviz.figures.tokens` makes it.
        figures: under the texts.
        columns: beside each other under the figures: each one's share of the width, and its parts.
        folded: plain text that unfolds the part; empty for one that is open.
    """

    heading: str
    texts: Sequence[str]
    figures: Sequence[FigureView]
    columns: Sequence[tuple[float, Sequence[Section]]] = ()
    folded: str = ""

    def all_figures(self) -> Iterator[FigureView]:
        """Yield the figures, those in columns too."""
        yield from self.figures
        for _, parts in self.columns:
            for part in parts:
                yield from part.all_figures()


def page_html(title: str, sections: Sequence[Section], source: str, rules: str = "") -> str:
    """Return the page.

    Args:
        title: plain text.
        sections: in order.
        source: plain text: where the numbers come from.
        rules: more CSS, such as what brings the fonts along; figures follow its ``color-scheme``.
    """
    style = "".join(sheet.read_text(encoding="utf-8") for sheet in (STYLE, _OWN_STYLE)) + rules
    body = "".join(map(_section, sections))
    script = "".join(file.read_text(encoding="utf-8") for file in _SCRIPTS)
    drawn = {trace.type for section in sections for view in section.all_figures() for trace in view.figure.data}
    policy = _POLICY.format(more=" 'unsafe-eval'" if drawn.intersection(_WEBGL) else "")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{literal(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style>'
        f"</head>\n<body><h1>{literal(title)}</h1>{body}<footer>{literal(source)}</footer>\n"
        f'<script type="text/plain" id="plotly">{_packed_plotly()}</script>\n'
        f'<script type="application/json" id="on-dark">{orjson.dumps(_ON_DARK).decode()}</script>\n'
        f"<script>{script}</script></body></html>\n"
    )


@cache
def _packed_plotly() -> str:
    return base64.b64encode(gzip.compress(_PLOTLY.read_bytes(), mtime=0)).decode()


def save_figure(view: FigureView) -> Path:
    """Write a figure to an HTML file in the current folder and return its path.

    The file opens offline in any browser: it includes plotly.js, the caption and the table of the numbers.

    Args:
        view: a figure from one of the modules of ``nlpviz.figures``.

    Example:
        >>> from nlpviz.attribution import explain
        >>> from nlpviz.figures.attribution.bars import token_bars
        >>> from nlpviz.figures.page import save_figure
        >>> from nlpviz.runs import open_run
        >>> explanation = explain(open_run("imdb-cnn").load(), "A waste of time.", "occlusion")
        >>> save_figure(token_bars([explanation], "log-odds")).name
        'imdb-cnn-epoch-7-occlusion.html'
    """
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
    inside = f"{heading}{''.join(section.texts)}{figures}{beside}"
    if section.folded:
        inside = f'<details class="folded"><summary>{literal(section.folded)}</summary>{inside}</details>'
    return f"<section>{inside}</section>"


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
