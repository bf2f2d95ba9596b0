"""What a page's script shows, heard as it goes to the browser, in the order in which the page has it.

Streamlit hands each element on as a message with its path on the page. What is listened to is the run of one script in
its own thread: other visitors and fragments that run later are not heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from streamlit.runtime.scriptrunner import get_script_run_ctx

from nlpviz.figures.markdown import html_of, inline_html, table_html
from nlpviz.figures.tokens import literal

if TYPE_CHECKING:  # what draws is not needed before a figure is there
    from streamlit.proto.Block_pb2 import Block as BlockProto
    from streamlit.proto.Element_pb2 import Element
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    from nlpviz.figures.view import FigureView

_EDITOR = "nlpviz_editor"  # the key of the box in which a text is typed: what it holds are controls, too
_MAIN = 0  # the part of the page that is neither menu nor foot
_ROWS = 100  # of a table
_LEVELS = {"h2": "h2", "h3": "h3"}
Path = tuple[int, ...]


class PagePart(NamedTuple):
    """What stands on a page: HTML, every text in it escaped, or a figure, or columns beside each other.

    Attributes:
        html: empty for none.
        figure: None for none.
        columns: each one's share of the width, and its parts.
        key: names the figure on its page.
    """

    html: str = ""
    figure: FigureView | None = None
    columns: tuple[tuple[float, tuple[PagePart, ...]], ...] = ()
    key: str = ""


class Heard:
    """What was shown so far: each element at its path, the last one that stood there."""

    def __init__(self) -> None:
        """Begin without any."""
        self._parts: dict[Path, PagePart | Callable[[], PagePart]] = {}  # what is written is, once it is asked for
        self._closed: set[Path] = set()  # popovers and the text's box: what they hold are controls
        self._titled: set[Path] = set()  # expanders and tabs
        self._shares: dict[Path, float] = {}  # columns
        self._next: PagePart | None = None

    def follow(self, part: PagePart) -> None:
        """Take this as what the next component or piece of HTML shows."""
        self._next = part

    def hear(self, message: ForwardMsg) -> None:
        """Note the element or block of a message."""
        path = tuple(message.metadata.delta_path)
        if message.WhichOneof("type") != "delta" or path[:1] != (_MAIN,):
            return
        delta = message.delta
        if delta.WhichOneof("type") == "add_block":
            self._block(path, delta.add_block.WhichOneof("type") or "", delta.add_block)
        elif delta.WhichOneof("type") == "new_element":
            self._element(path, delta.new_element)

    def draws(self) -> bool:
        """Return whether a figure or a coloured text is on the page."""
        open_ones = (part for path, part in self._parts.items() if not self._is_closed(path))
        return any(one.figure is not None or "nlpviz-" in one.html for one in open_ones if isinstance(one, PagePart))

    def parts(self) -> list[PagePart]:
        """Return what stands on the page, from top to bottom."""
        shown = {
            path: part() if callable(part) else part
            for path, part in sorted(self._parts.items(), key=lambda item: item[0])
            if not self._is_closed(path) and not self._is_bare(path)
        }
        kept = {path: part for path, part in shown.items() if part.html or part.figure is not None}
        return list(self._laid_out(kept, 0))

    def _laid_out(self, shown: Mapping[Path, PagePart], depth: int) -> Iterator[PagePart]:
        """Yield parts that have the first ``depth`` steps of their paths in common; those in columns as one part."""
        for row, within in groupby(shown.items(), lambda one: self._row(one[0], depth)):
            if row is None:
                yield from (part for _, part in within)
                continue
            end = len(row) + 1
            columns = tuple(
                (self._shares[column], tuple(self._laid_out(dict(inside), end)))
                for column, inside in groupby(within, lambda one, end=end: one[0][:end])  # type: ignore[misc]
            )
            if len(columns) == 1:  # beside it are controls alone
                yield from columns[0][1]
            else:
                yield PagePart(columns=columns)

    def _row(self, path: Path, depth: int) -> Path | None:
        """Return the row of the outermost column, below ``depth``, in which a part stands; None if in none."""
        return next((path[: end - 1] for end in range(depth + 1, len(path)) if path[:end] in self._shares), None)

    def _is_closed(self, path: Path) -> bool:
        return any(path[:length] in self._closed for length in range(1, len(path)))

    def _is_bare(self, path: Path) -> bool:
        """Return whether a part of the page has a title and nothing under it, as one that is folded has."""
        return path in self._titled and not any(other[: len(path)] == path for other in self._parts if other != path)

    def _clear(self, path: Path) -> None:
        """Forget what stood at a place, and within it."""
        for within in [one for one in self._parts if one[: len(path)] == path]:
            del self._parts[within]

    def _block(self, path: Path, kind: str, block: BlockProto) -> None:
        self._clear(path)
        self._closed.discard(path)
        self._titled.discard(path)
        self._shares.pop(path, None)
        if kind in ("popover", "dialog") or block.id.endswith(_EDITOR):
            self._closed.add(path)
        elif kind == "column":
            self._shares[path] = block.column.weight
        elif kind in ("expandable", "tab"):
            self._titled.add(path)
            label = str(getattr(block, kind).label)
            self._parts[path] = lambda: PagePart(f"<h3>{inline_html(label)}</h3>" if label else "")

    def _element(self, path: Path, element: Element) -> None:
        kind = element.WhichOneof("type")
        self._clear(path)
        if kind in ("bidi_component", "html"):
            part, self._next = self._next, None
            if part is not None:
                self._parts[path] = part
        elif kind in _WRITTEN:
            self._parts[path] = lambda: PagePart(_WRITTEN[kind](element))


def listen(heard: Heard) -> Callable[[], None]:
    """Let ``heard`` hear what the script of this thread shows, if there is one; return what ends that."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return lambda: None
    vars(context).pop("enqueue", None)  # of a run of the script that did not come to its end
    send = context.enqueue

    def enqueue(message: ForwardMsg) -> None:
        heard.hear(message)
        send(message)

    context.enqueue = enqueue  # type: ignore[method-assign,assignment]
    return lambda: vars(context).pop("enqueue", None)


def _heading(element: Element) -> str:
    tag = _LEVELS.get(element.heading.tag)
    return f"<{tag}>{inline_html(element.heading.body)}</{tag}>" if tag else ""  # the title is the file's own


def _table(element: Element) -> str:
    """Return the first rows of a table; what is a list of numbers in a cell, drawn on the page, is left out."""
    import pyarrow as pa

    is_plain = element.WhichOneof("type") == "dataframe"
    frame = element.dataframe.arrow_data if is_plain else element.table.arrow_data
    table = pa.ipc.open_stream(frame.data).read_all()
    plain = [at for at, field in enumerate(table.schema) if not pa.types.is_nested(field.type)]
    kept = table.select(plain).slice(0, _ROWS)
    columns = [column.to_pylist() for column in kept.columns]
    rest = f"<p>Only the first {_ROWS} of {len(table):,} rows are shown.</p>" * (len(table) > _ROWS)
    return table_html(kept.column_names, list(zip(*columns, strict=True)), literal if is_plain else inline_html) + rest


def _markdown(element: Element) -> str:
    kind, body = element.markdown.element_type, element.markdown.body
    if kind == element.markdown.CAPTION:
        return f'<div class="note">{html_of(body)}</div>'
    return html_of(body)


_WRITTEN: dict[str | None, Callable[[Element], str]] = {
    "heading": _heading,
    "markdown": _markdown,
    "dataframe": _table,
    "table": _table,
    "alert": lambda element: f'<div class="note">{html_of(element.alert.body)}</div>',
    "metric": lambda element: f"<p>{inline_html(element.metric.label)}: <b>{inline_html(element.metric.body)}</b></p>",
    "code": lambda element: html_of(f"```\n{element.code.code_text}\n```"),
}
"""What is written of an element of each kind; controls, links to pages and progress say nothing in a file."""
