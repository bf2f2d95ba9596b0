"""What pages write, in the part of Markdown that they write it in, as HTML that stands by itself.

Paragraphs, headings, lists, tables, code, emphasis, links, and formulas, which become MathML. Everything else is text:
no markup of the source becomes markup of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import unescape
from xml.etree.ElementTree import Element, SubElement, tostring

from nlpviz.figures.tokens import literal, showable

_NOT_ESCAPED = r"(?:\\.|[^\\])+?"
_INLINE = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|`(?P<code>[^`]+)`|\$(?P<math>[^$\n]+)\$"
    rf"|\*\*(?P<strong>{_NOT_ESCAPED})\*\*|\*(?P<em>(?:\\.|[^\\*])+?)\*|\[(?P<text>(?:\\.|[^\\\]])*)\]\((?P<url>[^)\s]+)\)",
    re.DOTALL,
)
_BLOCKS = re.compile(
    r"(?P<fence>```.*?```)|(?P<math>\$\$.*?\$\$)|(?P<text>(?:(?!```|\$\$)(?!\n[ \t]*\n).)+)", re.DOTALL
)
_ITEM = re.compile(r"[ \t]*(?:[-*]|\d+\.)[ \t]+")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_RULE = re.compile(r"[ \t|:-]+")
_JOINER = "\u2060"
_BARS = ("|", "‖")
_PRIME = "′"


def html_of(markdown: str) -> str:
    """Return Markdown as HTML, every piece of text in it escaped."""
    return "".join(map(_block, _BLOCKS.finditer(markdown)))


def inline_html(markdown: str) -> str:
    """Return Markdown of one line as HTML without a paragraph round it."""
    parts, end = [], 0
    for match in _INLINE.finditer(markdown):
        parts += [literal(markdown[end : match.start()]), _piece(match)]
        end = match.end()
    return "".join([*parts, literal(markdown[end:])]).replace(_JOINER, "")


def table_html(
    headings: Sequence[str], rows: Sequence[Sequence[object]], written: Callable[[str], str] = literal
) -> str:
    """Return a table.

    Args:
        headings: of its columns.
        rows: from top to bottom.
        written: what makes HTML of a cell's text, which is plain by default: :func:`inline_html` if it is Markdown.
    """
    head = "".join(f'<th scope="col">{written(one)}</th>' for one in headings)
    body = "".join(f"<tr>{''.join(f'<td>{written(_cell(one))}</td>' for one in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def math_html(tex: str, *, block: bool = False) -> str:
    """Return a formula in TeX as MathML, which browsers draw by themselves; as it was typed if it is not TeX.

    Args:
        tex: without dollar signs.
        block: whether it stands in a line of its own.
    """
    from latex2mathml.converter import convert_to_element

    known = tex.replace("{aligned}", "{align*}")  # the converter knows this name of it
    try:
        root = convert_to_element(known, display="block" if block else "inline")
    except Exception:  # noqa: BLE001 - each mistake in a formula has an exception of its own, without a common base
        return f"<code>{literal(tex)}</code>"
    for node in root.iter():  # its signs are character references; as text they are escaped like any other
        node.text = showable(unescape(node.text)) if node.text else None
        if node.text in _BARS:  # as tall as a letter, unless TeX says left and right
            node.attrib.setdefault("stretchy", "false")
    for node in list(root.iter()):
        _lower_prime(node)
    return str(tostring(root, encoding="unicode", short_empty_elements=False))


def _lower_prime(node: Element) -> None:
    """Put a prime beside its letter: the sign stands high by itself, and as a superscript it would fly off."""
    if node.tag not in ("msup", "msubsup") or node[-1].text != _PRIME:
        return
    letter, *below, prime = node
    prime.tag = "mo"
    for child in (letter, *below, prime):
        node.remove(child)
    if below:
        row = SubElement(node, "mrow")
        row.extend((letter, prime))
        node.append(below[0])
        node.tag = "msub"
    else:
        node.extend((letter, prime))
        node.tag = "mrow"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _piece(match: re.Match[str]) -> str:
    kind, said = str(match.lastgroup), str(match[str(match.lastgroup)])
    if kind == "url":
        label = inline_html(match["text"])
        return f'<a href="{literal(said)}">{label}</a>' if said.startswith("https://") else label
    if kind == "escaped":
        return literal(said)
    if kind == "code":
        return f"<code>{literal(said)}</code>"
    if kind == "math":
        return math_html(said)
    return f"<{kind}>{inline_html(said)}</{kind}>"


def _block(match: re.Match[str]) -> str:
    said = match[0].strip()
    if not said:
        return ""
    if match["fence"]:
        return f"<pre><code>{literal(said.strip('`').partition(chr(10))[2].rstrip())}</code></pre>"
    if match["math"]:
        return math_html(said.strip("$").strip(), block=True)
    lines = [line for line in said.splitlines() if line.strip()]
    if heading := _HEADING.fullmatch(said):
        level = max(3, min(len(heading[1]) + 1, 6))
        return f"<h{level}>{inline_html(heading[2])}</h{level}>"
    if len(lines) > 1 and "|" in lines[0] and _RULE.fullmatch(lines[1]):
        return _table(lines)
    if _ITEM.match(lines[0]):
        return _list(lines)
    return f"<p>{inline_html(said)}</p>"


def _table(lines: Sequence[str]) -> str:
    rows = [[inline_html(cell.strip()) for cell in _cells(line)] for line in (lines[0], *lines[2:])]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(line: str) -> list[str]:
    return re.split(r"(?<!\\)\|", line.strip().strip("|"))


def _list(lines: Sequence[str]) -> str:
    items: list[str] = []
    for line in lines:
        if _ITEM.match(line) or not items:
            items.append(_ITEM.sub("", line, count=1))
        else:
            items[-1] += f" {line.strip()}"
    kind = "ol" if lines[0].lstrip()[:1].isdigit() else "ul"
    return f"<{kind}>{''.join(f'<li>{inline_html(item)}</li>' for item in items)}</{kind}>"
