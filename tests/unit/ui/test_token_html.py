"""Coloured text: what was typed, all of it, and no markup but ours."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from nlpviz.figures import theme
from nlpviz.figures.tokens import MAX_TOKENS, blanked, legend_html, seen_html, seen_line, showable, token_html
from nlpviz.results.explanation import Explanation
from nlpviz.text.vocabulary import EncodedText, Vocabulary, tokenize

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</div></span><style>*{display:none}</style>",
    "<br /><br />",
    "&lt;b&gt; &amp; &#60;",
    "don't",
    ":-)",
    "👩‍🚀🏽",
    "שלום עולם",
    "\u202eevil\u202c",
    "null\x00byte\x1b[31m",
    "\ud800",
    "one\r\ntwo\rthree\n\n  four\t",
    "é e\u0301",
)
texts = some.lists(some.sampled_from(HOSTILE) | some.text(max_size=20), max_size=8).map(" ".join)


class Parsed(HTMLParser):
    """The tags of some HTML, with their attributes, and the text of its first element."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.depth, self.text = 0, ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        assert tag in {opened for opened, _ in self.tags}
        self.depth -= 1

    def handle_data(self, data: str) -> None:
        self.text += data

    def titles(self) -> list[str]:
        """Return the titles of all but the marks of line ends."""
        return [
            str(attributes["title"])
            for _, attributes in self.tags
            if "title" in attributes and attributes.get("class") != "nlpviz-break"
        ]


def without_breaks(text: str) -> str:
    """Return ``text`` without line ends that are written as markup, or shown in its place."""
    return re.sub(r"↵\n|<[ ]{0,9}/?[ ]{0,9}br[ ]{0,9}/?[ ]{0,9}>", "", text, flags=re.IGNORECASE)


def encoded(text: str, max_length: int = 50, unknown: frozenset[str] = frozenset()) -> EncodedText:
    words = [word for word in dict.fromkeys(token.word for token in tokenize(text)) if word not in unknown]
    return Vocabulary(words, [1] * len(words)).encode(text, max_length)


def explanation(of: EncodedText, scores: list[float], signed: bool = True) -> Explanation:
    return Explanation(
        run="toy", epoch=1, method='gradient "x"', encoded=of, scores=np.array(scores, np.float32),
        matrix=np.zeros((len(scores), 2), np.float32), signed=signed, target=1, class_names=("bad", "<good>"),
        probabilities=np.array([0.2, 0.8], np.float32), class_score=1.4,
    )  # fmt: skip


@given(text=texts, max_length=some.integers(0, 12), signed=some.booleans(), data=some.data())
def test_text_is_kept_and_no_markup_is_made(text: str, max_length: int, signed: bool, data: some.DataObject) -> None:
    of = encoded(text, max_length)
    numbers = some.floats(-5, 5, width=32) | some.just(float("nan"))
    scores = data.draw(some.lists(numbers, min_size=len(of.ids), max_size=len(of.ids)))
    parsed = Parsed(token_html(explanation(of, scores, signed)))
    assert without_breaks(parsed.text) == without_breaks(showable(text))
    assert parsed.depth == 0
    assert {tag for tag, _ in parsed.tags} <= {"div", "span"}
    assert {name for _, attributes in parsed.tags for name in attributes} <= {
        "class", "title", "style", "role", "aria-label", "dir", "data-note",
    }  # fmt: skip
    assert len(parsed.titles()) == len(of.ids)


@given(text=texts, max_length=some.integers(0, 12))
def test_what_the_model_saw_makes_no_markup(text: str, max_length: int) -> None:
    of = encoded(text, max_length)
    parsed = Parsed(seen_html(of))
    assert {tag for tag, _ in parsed.tags} <= {"p", "div", "span", "sup"}
    assert len(parsed.titles()) == len(of.tokens)
    parsed.text.encode("utf-8")  # no half of a surrogate pair is left, which could not be sent


@given(text=some.text(some.characters(exclude_categories=("Cc", "Cs")), max_size=30))
def test_only_control_signs_are_left_out(text: str) -> None:
    assert showable(text) == text.replace("\ufffe", "").replace("\uffff", "")


@given(text=texts)
def test_blanked_text_is_as_long_and_shown_as_it_is(text: str) -> None:
    kept, count = blanked(text)
    assert len(kept) == len(text)
    assert sum(old != new for old, new in zip(text, kept, strict=True)) == count
    assert kept.replace("\r\n", "\n").replace("\r", "\n") == showable(kept)
    assert "\ufffd" not in kept


def test_scores_stand_in_the_titles_and_sign_is_more_than_hue() -> None:
    html = token_html(explanation(encoded("Good, not bad"), [2.0, 0.0, -1.25, 0.01]))
    parsed = Parsed(html)
    assert parsed.titles() == ["good: +2", ",: 0", "not: −1.25", "bad: +0.01"]
    classes = [attributes.get("class") for _, attributes in parsed.tags[1:]]
    assert classes == ["nlpviz-for", "", "nlpviz-against", ""]  # weak ones are left without colour
    styles = [attributes["style"] for _, attributes in parsed.tags[1:] if "style" in attributes]
    assert styles == ["--nlpviz-share:55.0%", "--nlpviz-share:34.4%"]


def test_blue_stands_behind_what_speaks_for_the_target_and_vermillion_behind_what_speaks_against() -> None:
    of = explanation(encoded("good bad"), [1.0, -1.0])
    for html in (token_html(of), legend_html(of, "log-odds")):
        style = Parsed(html).tags[0][1]["style"]
        for name, colour in (("for", theme.POSITIVE), ("against", theme.NEGATIVE), ("size", theme.MAGNITUDE)):
            assert f"--nlpviz-{name}:light-dark({colour},{theme.ON_DARK[colour]})" in str(style)
    tags = Parsed(legend_html(of, "log-odds")).tags
    (ramp,) = (str(one["style"]) for _, one in tags if "nlpviz-ramp-signed" in str(one.get("class")))
    assert ramp.index("--nlpviz-against") < ramp.index("transparent,") < ramp.index("--nlpviz-for")


def test_style_sheet_gives_each_class_its_own_swatch(pytestconfig: pytest.Config) -> None:
    sheet = (pytestconfig.rootpath / "nlpviz/figures/tokens.css").read_text()
    for name in ("for", "against", "size"):
        (rule,) = re.findall(rf"^\.nlpviz-{name} {{(.*?)^}}", sheet, re.MULTILINE | re.DOTALL)
        assert f"var(--nlpviz-{name})" in rule


@pytest.mark.parametrize("markup", ["<br />", "<br>", "< BR/>"])
def test_a_line_ends_where_br_stands_and_the_tokens_stay_where_they_are(markup: str) -> None:
    text = f"Good.{markup}{markup}Bad"
    parsed = Parsed(token_html(explanation(encoded(text), [1.0, 0.5, -1.0])))
    assert parsed.text == "Good.↵\n↵\nBad"
    assert parsed.titles() == ["good: +1", ".: +0.5", "bad: −1"]
    marks = [attributes["title"] for _, attributes in parsed.tags if attributes.get("class") == "nlpviz-break"]
    assert len(marks) == 2
    assert all("the model does not read" in str(mark) for mark in marks)
    assert [token.word for token in tokenize(text)] == ["good", ".", "bad"], "that is so: no token is made of it"


@pytest.mark.parametrize("other", ["<b>", "<hr />", "<brown>", "&lt;br&gt;"])
def test_other_markup_is_shown_as_it_was_typed(other: str) -> None:
    of = encoded(f"good {other} film")
    assert Parsed(token_html(explanation(of, [1.0] * len(of.ids)))).text == f"good {other} film"


def test_scale_is_shared_between_pictures_that_are_compared() -> None:
    html = token_html(explanation(encoded("good"), [1.0]), scale=4.0)
    assert "--nlpviz-share:13.8%" in html


@pytest.mark.parametrize("scores", [[0.0, 0.0], [float("nan"), float("inf")]])
def test_scores_without_a_scale_draw_nothing(scores: list[float]) -> None:
    assert "--nlpviz-share" not in token_html(explanation(encoded("good film"), scores))


def test_magnitudes_have_one_hue() -> None:
    html = token_html(explanation(encoded("good film"), [1.0, 0.5], signed=False))
    assert "nlpviz-size" in html
    assert "nlpviz-against" not in Parsed(html).tags[1][1]["class"]
    assert Parsed(html).titles() == ["good: 1", "film: 0.5"]


def test_unknown_and_cut_off_tokens_are_marked() -> None:
    of = encoded("a zzyzx film, cut here", max_length=3, unknown=frozenset({"zzyzx"}))
    html = token_html(explanation(of, [1.0, -1.0, 0.5]))
    assert "read as &lt;unk&gt;" in html
    assert html.count("nlpviz-unknown") == 1
    assert 'data-note="✂ truncated: the model did not read the rest">, cut here</span></div>' in html


def test_nothing_is_cut_when_everything_was_read() -> None:
    assert "nlpviz-cut" not in token_html(explanation(encoded("all read"), [1.0, 1.0]))


def test_long_text_ends_in_a_count() -> None:
    of = encoded("word " * (MAX_TOKENS + 1234), max_length=400)
    for html in (token_html(explanation(of, [1.0] * 400)), seen_html(of)):
        assert "and 1,234 more tokens, not shown" in html
        assert html.count("word") < 3 * MAX_TOKENS


def test_empty_text() -> None:
    assert Parsed(token_html(explanation(encoded(""), []))).text == ""
    assert seen_line(encoded("")) == "0 tokens read · 0 known · 0 unknown · 0 cut off · 50 padding"


def test_counts_of_what_the_model_saw() -> None:
    of = encoded("a zzyzx film, cut here", max_length=3, unknown=frozenset({"zzyzx"}))
    assert seen_line(of) == "3 tokens read · 2 known · 1 unknown · 3 cut off · 0 padding"
    html = seen_html(of)
    assert 'title="zzyzx: unknown">zzyzx<sup> ?</sup>' in html
    assert html.count("✂</sup>") == 3


def test_legend_names_the_target_and_has_zero_in_the_middle() -> None:
    signed = legend_html(explanation(encoded("good film"), [1.0, -2.0]), "log-odds")
    assert "−2, evidence against <b>&lt;good&gt;</b>" in signed
    assert "+2, evidence for <b>&lt;good&gt;</b>" in signed
    assert "nlpviz-ramp-signed" in signed
    unsigned = legend_html(explanation(encoded("good film"), [1.0, 2.0], signed=False), "<share>", scale=3.0)
    assert "3 &lt;share&gt;" in unsigned
    assert "nlpviz-ramp-signed" not in unsigned
