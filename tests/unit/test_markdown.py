"""Markdown of pages as HTML that stands by itself."""

from __future__ import annotations

import pytest

from nlpviz.figures.markdown import html_of, inline_html, table_html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**a** *b* `c`", "<strong>a</strong> <em>b</em> <code>c</code>"),
        (r"\*a\* \\ \`b", r"*a* \ `b"),
        (r"**not \***", "<strong>not *</strong>"),
        ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
        ("-\u2060>", "-&gt;"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        (r"\<b\>", "&lt;b&gt;"),
        ("$x_1 * y * z$", "<code>x_1 * y * z</code>"),
        ("[here](https://example.org/a)", '<a href="https://example.org/a">here</a>'),
        ("[here](javascript:alert)", "here"),
        ("", ""),
        ("\\", "\\"),
        ("2 * 3 * 4 **", "2 <em> 3 </em> 4 **"),
    ],
)
def test_a_line_is_written_as_it_is_read(markdown: str, html: str) -> None:
    assert inline_html(markdown) == html


def test_blocks() -> None:
    said = html_of(
        "One\ntwo.\n\n$$\na < b\n$$\n\nThree:\n\n- *a*\n  goes on\n- b\n\n1. c\n\n| h | i |\n|---|:-:|\n| 1 | \\| |\n\n"
        "### Head\n\n```python\nx = 1 < 2\n\ny\n```"
    )
    assert said == (
        '<p>One\ntwo.</p><pre class="formula"><code>a &lt; b</code></pre><p>Three:</p>'
        "<ul><li><em>a</em> goes on</li><li>b</li></ul><ol><li>c</li></ol>"
        '<table><thead><tr><th scope="col">h</th><th scope="col">i</th></tr></thead>'
        "<tbody><tr><td>1</td><td>|</td></tr></tbody></table><h4>Head</h4><pre><code>x = 1 &lt; 2\n\ny</code></pre>"
    )


def test_a_table_is_plain() -> None:
    assert table_html(["<a>"], [["<b>"], [0.123456], [None]]) == (
        '<table><thead><tr><th scope="col">&lt;a&gt;</th></tr></thead>'
        "<tbody><tr><td>&lt;b&gt;</td></tr><tr><td>0.1235</td></tr><tr><td></td></tr></tbody></table>"
    )
