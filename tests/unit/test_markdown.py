"""Markdown of pages as HTML that stands by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from nlpviz.figures.markdown import html_of, inline_html, math_html, table_html


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
        (
            "$x_1 < y$",
            '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub>'
            "<mo>&lt;</mo><mi>y</mi></mrow></math>",
        ),
        ("$x^$", "<code>x^</code>"),
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
        "One\ntwo.\n\n$$\nb\n$$\n\nThree:\n\n- *a*\n  goes on\n- b\n\n1. c\n\n| h | i |\n|---|:-:|\n| 1 | \\| |\n\n"
        "### Head\n\n```python\nx = 1 < 2\n\ny\n```"
    )
    assert said == (
        '<p>One\ntwo.</p><math xmlns="http://www.w3.org/1998/Math/MathML" '
        'display="block"><mrow><mi>b</mi></mrow></math><p>Three:</p>'
        "<ul><li><em>a</em> goes on</li><li>b</li></ul><ol><li>c</li></ol>"
        '<table><thead><tr><th scope="col">h</th><th scope="col">i</th></tr></thead>'
        "<tbody><tr><td>1</td><td>|</td></tr></tbody></table><h4>Head</h4><pre><code>x = 1 &lt; 2\n\ny</code></pre>"
    )


def test_a_table_is_plain() -> None:
    assert table_html(["<a>"], [["<b>"], [0.123456], [None]]) == (
        '<table><thead><tr><th scope="col">&lt;a&gt;</th></tr></thead>'
        "<tbody><tr><td>&lt;b&gt;</td></tr><tr><td>0.1235</td></tr><tr><td></td></tr></tbody></table>"
    )


def test_a_formula_is_no_markup() -> None:
    html = math_html(r"\text{<script>alert(1)</script> &lt;b&gt; & c}")
    assert "<script" not in html
    assert "<b" not in html.replace("<mrow", "")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def written_formulas(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the formulas of the sources, each with its file."""
    for file in (*root.glob("nlpviz/**/*.py"), *root.glob("pages/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "latex":
                for argument in node.args:
                    if isinstance(argument, ast.Constant):
                        yield str(argument.value), file.name
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                for found in re.finditer(r"\$\$([^$]*\\[a-z][^$]*)\$\$|\$([^$\n]*\\[a-z]{3}[^$\n]*)\$", node.value):
                    yield found[1] or found[2], file.name


def test_every_formula_becomes_mathml(pytestconfig: pytest.Config) -> None:
    formulas = list(written_formulas(pytestconfig.rootpath))
    assert len(formulas) > 50
    left = [(tex, file) for tex, file in formulas if re.search(r"<code|\\|&amp;", math_html(tex))]
    assert not left


@pytest.mark.parametrize(
    ("tex", "drawn"),
    [
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "<mtr>"),
        ("B'", "<mrow><mi>B</mi><mo>′</mo></mrow>"),
        ("x'_t", "<msub><mrow><mi>x</mi><mo>′</mo></mrow><mi>t</mi></msub>"),
        (r"\lVert c \rVert_2", '<msub><mo stretchy="false">‖</mo><mn>2</mn></msub>'),
    ],
)
def test_what_the_converter_does_not_know_or_browsers_draw_badly(tex: str, drawn: str) -> None:
    html = math_html(tex)
    assert drawn in html
    assert "&amp;" not in html
