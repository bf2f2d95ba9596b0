"""A figure as a page that needs neither server nor network: plotly.js, words and provenance are in it."""

from __future__ import annotations

from html import escape

from plotly.io import to_html

from nlpviz.figures.view import FigureView


def page_of(view: FigureView) -> str:
    """Return a figure as a page of HTML, with its words for those who cannot see it and its provenance below."""
    drawn = to_html(
        view.figure, include_plotlyjs=True, full_html=False, config={"scrollZoom": True, "displaylogo": False}
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(view.name)}</title>\n"
        "<style>body { margin: 16px auto; max-width: 1100px; font: 15px/1.5 system-ui, sans-serif; color: #16181D; }"
        " figure { margin: 0; } figcaption { color: #5B6270; }</style>\n"
        f'<figure><div role="img" aria-label="{escape(view.alt)}">{drawn}</div>\n'
        f"<figcaption>{escape(view.caption)}</figcaption></figure>\n</html>\n"
    )
