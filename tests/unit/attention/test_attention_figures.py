"""Attention as text, bars, matrices and lines: what is drawn is what was computed, and every word is escaped."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest

from nlpviz.figures import theme
from nlpviz.figures.attention.attended import AttendedText, folds, full_scale
from nlpviz.figures.attention.bars import sentence_bars, word_bars
from nlpviz.figures.attention.effect import agreement_dots, effect_dots
from nlpviz.figures.attention.grid import blocks, head_grid
from nlpviz.figures.attention.heads import FROM, TO, WHOLE, WINDOW, HeadChoice, windows
from nlpviz.figures.attention.lines import MOST, head_lines, lines
from nlpviz.figures.attention.matrix import head_matrix
from nlpviz.figures.attention.survey import agreement_boxes, change_shares, shares
from nlpviz.figures.attention.text import attended_html, attended_key_html
from nlpviz.figures.tokens import STRONGEST
from nlpviz.results.attention import head_measures
from nlpviz.results.attention_effect import Agreement, AttentionEffect, AttentionSurvey, Intervention
from tests.attention import CLASSES, SENTENCES, WEIGHTS, WITHIN, encode, hierarchical, pooled, self_attending

LONG = " ".join(f"word{number}" for number in range(100))


def plain(html: str) -> str:
    """Return what a reader sees of HTML."""
    return unescape(re.sub(r"<[^>]+>", "", html))


def typed(html: str) -> str:
    """Return what stands in the coloured texts of HTML, one after the other."""
    return "".join(plain(part) for part in re.findall(r'<div class="nlpviz-text"[^>]*>(.*?)</div>', html, re.DOTALL))


# ------------------------------------------------------------------------------------------------------- as text


@pytest.mark.parametrize("fold", [True, False])
def test_the_text_stands_there_as_it_was_typed(fold: bool) -> None:
    assert typed(attended_html(AttendedText(hierarchical()), 1.0, fold=fold)) == SENTENCES
    for text in (SENTENCES, "<script>alert(1)</script> fine\n\n<br />end", "", " ", "\0"):
        html = attended_html(AttendedText(pooled(text)), 1.0)
        assert typed(html) == text.replace("\0", "").replace("<br />", "↵\n")
        assert "<script" not in html
        assert "<b>" not in html


def test_the_three_views() -> None:
    result, within, sizes = hierarchical(), np.concatenate(WITHIN), [len(row) for row in WITHIN]
    sentence = np.repeat(WEIGHTS, sizes)
    np.testing.assert_allclose(AttendedText(result, "words").weights, within * sentence, rtol=1e-6)
    np.testing.assert_allclose(AttendedText(result, "within").weights, within, rtol=1e-6)
    np.testing.assert_allclose(AttendedText(result, "emphasis").weights, within * np.sqrt(sentence), rtol=1e-6)
    flat = AttendedText(pooled("good film"), "emphasis")
    assert np.array_equal(flat.weights, flat.result.words), "without sentences there is one view"


def test_colours_are_shares_of_the_scale() -> None:
    shown = AttendedText(pooled("good bad film", np.array([0.6, 0.3, 0.1], np.float32)))
    assert full_scale([shown]) == pytest.approx(0.6)
    marked = re.findall(r'title="(\w+): ([\d.]+)% of the text"[^>]*--nlpviz-share:([\d.]+)%', attended_html(shown, 0.6))
    assert [(word, float(weight)) for word, weight, _ in marked] == [("good", 60), ("bad", 30), ("film", 10)]
    assert [float(share) for _, _, share in marked] == pytest.approx(
        [100 * STRONGEST * part for part in (1, 0.5, 1 / 6)], abs=0.1
    )
    assert "60.0%: share of the document vector" in plain(attended_key_html(shown, 0.6))


def test_unknown_words_are_marked() -> None:
    assert re.search(
        r'class="nlpviz-unknown[^>]*title="moving: [^>]*read as &lt;unk&gt;',
        attended_html(AttendedText(hierarchical()), 1.0),
    )


def test_light_sentences_fold_away_together() -> None:
    sentences = hierarchical(weights=(0.01, 0.98, 0.01)).sentences
    assert folds(sentences) == [(True, [0]), (False, [1]), (True, [2])]
    assert folds(sentences, opened=2) == [(True, [0]), (False, [1, 2])]
    assert folds(hierarchical(weights=(0.02, 0.03, 0.95)).sentences) == [(True, [0, 1]), (False, [2])]
    assert folds(hierarchical(weights=(1 / 3, 1 / 3, 1 / 3)).sentences) == [(False, [0, 1, 2])]
    html = attended_html(AttendedText(hierarchical(weights=(0.02, 0.03, 0.95))), 1.0)
    (summary,) = re.findall(r"<summary>(.*?)</summary>", html)
    assert summary == "2 sentences, 5.0% of the weight"
    inside = re.search(r"<details[^>]*>(.*)</details>", html, re.DOTALL)
    assert inside
    assert "dull" in inside[1]
    assert "<details" not in attended_html(AttendedText(hierarchical()), 1.0, fold=False)


def test_each_sentence_has_its_weight_beside_it() -> None:
    html = attended_html(AttendedText(hierarchical()), 1.0, fold=False, selected=1)
    assert re.findall(r"<span>([\d.]+%)</span></span>", html) == ["8.0%", "90.0%", "2.0%"]
    assert re.findall(r'nlpviz-weight-bar" style="width:([\d.]+)%', html) == ["8.9", "100.0", "2.2"]
    assert html.count("nlpviz-sentence-selected") == 1


def test_what_was_not_read_is_struck_off() -> None:
    html = attended_html(AttendedText(pooled("one two three four", max_length=2)), 1.0)
    assert typed(html) == "one two three four"
    assert re.search(r'<span class="nlpviz-cut"[^>]*> three four</span>', html)


# ------------------------------------------------------------------------------------------------------- as bars


def test_bars_of_words_are_their_weights_in_reading_order() -> None:
    shown = [AttendedText(pooled(LONG, epoch=epoch)) for epoch in (0, 3)]
    view = word_bars(shown)
    positions = sorted(shown[1].strongest(14))
    for bar, text in zip(view.figure.data, shown, strict=True):
        np.testing.assert_array_equal(bar.x, text.weights[positions])
    assert view.figure.layout.xaxis.range == view.figure.layout.xaxis2.range
    np.testing.assert_array_equal(view.table["weight, epoch 3"], shown[1].weights)


def test_weights_that_mean_different_things_have_scales_of_their_own() -> None:
    flat = pooled(SENTENCES)
    shown = [AttendedText(one, "emphasis") for one in (hierarchical(), flat)]
    view = word_bars(shown)
    first, second = view.figure.layout.xaxis, view.figure.layout.xaxis2
    assert (first.title.text, second.title.text) == ("√sentence weight × word weight", "share of the document vector")
    assert (first.tickformat, second.tickformat) == (".2g", ".0%")
    positions = sorted(shown[1].strongest(14))
    assert second.range[1] == pytest.approx(1.08 * flat.words[positions].max())
    assert all("%" not in hover for hover in view.figure.data[0].hovertext)
    np.testing.assert_array_equal(view.table["√sentence weight × word weight, han, epoch 1"], shown[0].weights)


def test_bars_of_words_go_as_far_as_all_models_read() -> None:
    view = word_bars([AttendedText(pooled(LONG, max_length=99)), AttendedText(pooled(LONG, epoch=2, max_length=5))])
    assert len(view.figure.data[0].x) == 5
    assert np.isnan(view.table["weight, epoch 2"]).sum() == 94


def test_bars_of_sentences_are_their_weights_beside_an_equal_share() -> None:
    view = sentence_bars([hierarchical(0), hierarchical(1)], selected=2)
    assert view.figure.data[0].x.tolist() == pytest.approx(WEIGHTS)
    assert list(view.figure.data[0].customdata) == ["1", "2", "3"]
    assert list(view.figure.data[0].marker.line.width) == [0, 0, 2]
    assert [line.x0 for line in view.figure.layout.shapes] == pytest.approx([1 / 3, 1 / 3])
    assert "<b>" not in "".join(view.figure.data[0].y)
    assert list(view.table["tokens"]) == [len(row) for row in WITHIN]
    assert "sentence 2 90.0%" in view.alt


def test_the_heaviest_of_300_sentences_are_shown() -> None:
    from dataclasses import replace

    from nlpviz.results.attention import AttendedSentence

    count = 300
    text = "a. " * count
    encoded = encode(text)
    encoded = type(encoded)(text, encoded.tokens, np.full(2 * count, 2), 2 * count)
    weights = np.random.default_rng(0).dirichlet(np.ones(count)).astype(np.float32)
    parts = tuple(AttendedSentence(2 * n, 2 * n + 2, 3 * n, 3 * n + 2, float(weights[n])) for n in range(count))
    words = np.repeat(weights / 2, 2)
    result = replace(
        hierarchical(), text=encoded, words=words, within=np.full(2 * count, 0.5, np.float32), sentences=parts
    )
    view = sentence_bars([result], selected=7)
    wanted = sorted({*np.argsort(-weights)[:20].tolist(), 7})
    assert [int(number) - 1 for number in view.figure.data[0].customdata] == wanted
    assert len(view.table["weight, epoch 1"]) == count
    assert typed(attended_html(AttendedText(result), 1.0)) == text


@pytest.mark.parametrize("text", ["", "?", "one"])
def test_bars_of_hardly_any_word(text: str) -> None:
    view = word_bars([AttendedText(pooled(text))])
    assert len(view.figure.data[0].x) == len(view.table["token"])


# ------------------------------------------------------------------------------------------------- self-attention


def test_windows_cover_every_word() -> None:
    assert windows(0) == [(0, 0)]
    assert windows(WHOLE) == [(0, WHOLE)]
    for count in (WHOLE + 1, 80, 81, 400):
        result = windows(count)
        assert {position for first, last in result for position in range(first, last)} == set(range(count))
        assert all(last - first == WINDOW for first, last in result)


def test_a_choice_is_a_head_a_layers_mean_or_the_mean_of_all() -> None:
    result = self_attending("a b c d")
    assert result.heads is not None
    np.testing.assert_array_equal(HeadChoice(1, 2).matrix(result), result.heads[1, 2])
    np.testing.assert_allclose(HeadChoice(1).matrix(result), result.heads[1].mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(HeadChoice(None, 2).matrix(result), result.heads[:, 2].mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(HeadChoice().matrix(result).sum(axis=1), 1, rtol=1e-5)
    with pytest.raises(ValueError, match="no self-attention"):
        HeadChoice().matrix(pooled("a b"))


def test_the_matrix_shows_the_words_of_the_window() -> None:
    result, choice = self_attending(LONG), HeadChoice(0, 1, 20, 60, FROM, 30)
    assert result.heads is not None
    view = head_matrix([result], choice)
    np.testing.assert_array_equal(view.figure.data[0].z, result.heads[0, 1, 20:60, 20:60])
    assert view.figure.data[0].customdata[0][5] == "from-21"
    assert view.figure.layout.yaxis.ticktext[10] == "<b>word30</b>"
    (frame,) = view.figure.layout.shapes
    assert (frame.y0, frame.y1) == (9.5, 10.5)
    (frame,) = head_matrix([result], HeadChoice(0, 1, 20, 60, TO, 30)).figure.layout.shapes
    assert (frame.x0, frame.x1) == (9.5, 10.5)
    assert not head_matrix([result], HeadChoice(0, 1, 20, 60, TO, 90)).figure.layout.shapes, "a word outside"
    assert "words 21 to 60 of 100" in view.caption
    assert view.table["weight, epoch 1"][41] == pytest.approx(result.heads[0, 1, 21, 21])


def test_lines_join_the_heaviest_pairs_or_those_of_one_word() -> None:
    matrix = np.array([[0.5, 0.495, 0.005], [0.2, 0.3, 0.5], [0.0, 0.0, 1.0]], np.float32)
    assert lines(matrix, HeadChoice())[-1] == (2, 2)
    assert set(lines(matrix, HeadChoice())) == {(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 2)}
    assert lines(matrix, HeadChoice(position=1)) == [(1, 0), (1, 1), (1, 2)]
    assert lines(matrix, HeadChoice(position=2, side=TO)) == [(1, 2), (2, 2)]
    assert lines(matrix, HeadChoice(first=5, position=6)) == [(1, 0), (1, 1), (1, 2)], (
        "places count from the text's start"
    )
    even = np.full((40, 40), 0.025, np.float32)
    assert len(lines(even, HeadChoice())) == MOST


def test_lines_and_matrix_hand_on_the_same_words() -> None:
    result, choice = self_attending("a <b> bad film"), HeadChoice()
    drawn = head_lines([result], choice).figure
    left, right = drawn.data[-2:]
    assert list(left.customdata) == ["from-1", "from-2", "from-3"]
    assert list(right.customdata) == ["to-1", "to-2", "to-3"]
    best = int(HeadChoice().matrix(result)[0].argmax())
    assert left.hovertext[0].startswith(f"a attends to {['a', 'bad', 'film'][best]} ")
    assert {row[0] for row in head_matrix([result], choice).figure.data[0].customdata} == set(left.customdata)
    strokes = drawn.data[:-2]
    assert [trace.line.width for trace in strokes] == sorted(trace.line.width for trace in strokes)


def test_words_are_escaped_in_every_picture() -> None:
    result = self_attending("a&b < c > d && <<")
    for view in (head_matrix([result], HeadChoice()), head_lines([result], HeadChoice())):
        labels = [*(view.figure.layout.yaxis.ticktext or ()), *(view.figure.data[-1].text or ())]
        assert not [label for label in map(str, labels) if re.search(r"<(?!/?b>)|&(?!amp;|lt;|gt;|#)", label)]


def test_blocks_keep_rows_that_sum_to_one() -> None:
    result = self_attending(LONG)
    assert result.heads is not None
    small = blocks(result.heads, 7)
    assert small.shape == (2, 3, 7, 7)
    np.testing.assert_allclose(small.sum(axis=-1), 1, rtol=1e-5)
    starts = np.linspace(0, 100, 8).astype(int)
    expected = result.heads[1, 2, starts[2] : starts[3], starts[4] : starts[5]].sum(axis=1).mean()
    assert small[1, 2, 2, 4] == pytest.approx(expected, rel=1e-5)
    assert blocks(result.heads, 100) is result.heads


def test_what_a_head_does_is_measured() -> None:
    heads = np.zeros((1, 3, 4, 4), np.float32)
    heads[0, 0] = np.eye(4)
    heads[0, 1] = 1 / 4
    heads[0, 2] = np.eye(4, k=-1)
    heads[0, 2, 0, 0] = 1
    measured = head_measures(heads)
    assert measured.on_itself.tolist() == [[1, 0.25, 0.25]]
    assert measured.before[0].tolist() == pytest.approx([0, 3 / 16, 0.75])
    assert measured.after[0].tolist() == pytest.approx([0, 3 / 16, 0])
    assert measured.distance[0].tolist() == pytest.approx([0, 1.25, 0.75])
    assert measured.entropy[0].tolist() == pytest.approx([0, np.log(4), 0], abs=1e-6)


def test_the_table_of_heads_has_a_row_for_each() -> None:
    result = self_attending("one two three")
    assert result.heads is not None
    table, measured = head_grid(result, HeadChoice()).table, head_measures(result.heads)
    assert list(zip(table["layer"], table["head"], strict=True)) == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    for name, values in zip(list(table)[2:], measured, strict=True):
        assert table[name].tolist() == values.ravel().tolist(), name


def test_every_head_is_small_and_names_itself() -> None:
    view = head_grid(self_attending(LONG), HeadChoice(1, 0))
    assert [trace.customdata[0][0] for trace in view.figure.data] == ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]
    widths = [view.figure.layout[f"xaxis{number}"].linewidth for number in range(1, 7)]
    assert widths == [1, 1, 1, 2, 1, 1]
    with pytest.raises(ValueError, match="no self-attention"):
        head_grid(pooled("a b"), HeadChoice())


@pytest.mark.parametrize("text", ["", "?", "one two"])
def test_self_attention_of_hardly_any_word(text: str) -> None:
    result = [self_attending(text, epoch) for epoch in (0, 1)]
    for view in (
        head_matrix(result, HeadChoice()),
        head_lines(result, HeadChoice()),
        head_grid(result[0], HeadChoice()),
    ):
        assert view.alt
        assert len({len(column) for column in view.table.values()}) == 1


# ------------------------------------------------------------------------------------------- does attention matter?


def test_long_words_are_shortened_where_they_stand_with_every_other() -> None:
    result = [self_attending(" ".join(f"{number}{'x' * 1_660}" for number in range(60)))]
    for draw in (head_matrix, head_lines):
        view = draw(result, HeadChoice())
        assert len(view.figure.to_json()) < 600_000
        assert sum(map(len, view.table["key"])) < 60 * 60 * 20


UNIFORM, SHUFFLED = Intervention("uniform"), Intervention("shuffled")
TOP, RANDOM = Intervention("top", 1), Intervention("random", 1)


def effect(epoch: int = 1, positive: float = 0.8) -> AttentionEffect:
    """Return the effect on a text of three words, with two draws of what is drawn."""

    def answers(*shares: float) -> np.ndarray:
        return np.array([[1 - share, share] for share in shares], np.float32)

    return AttentionEffect(
        run="rnn", epoch=epoch, encoded=encode("good <b> film !"), class_names=CLASSES,
        probabilities=answers(positive)[0],
        answers={UNIFORM: answers(0.7), SHUFFLED: answers(0.6, 0.9), TOP: answers(0.3), RANDOM: answers(0.8, 0.75)},
        weights=np.array([0.7, 0.2, 0.1], np.float32), saliency=np.array([1, 2, 3], np.float32),
        leave_one_out=np.array([0.5, -0.25, 0.0], np.float32), agreement=Agreement(-1.0, 0.3, None), seed=0,
    )  # fmt: skip


def test_dots_are_the_probabilities_of_the_reference_class() -> None:
    view = effect_dots([effect(0, positive=0.4), effect(1)])
    own, random, top = view.figure.data[3:]
    assert list(own.x) == pytest.approx([0.8, 0.7, 0.6, 0.9])
    assert list(own.y) == ["original weights", "uniform", "shuffled", "shuffled"]
    assert (list(random.x), list(top.x)) == (pytest.approx([0.8, 0.75]), pytest.approx([0.3]))
    assert set(random.y) == set(top.y) == {"1 word removed"}
    assert view.figure.data[0].x[0] == pytest.approx(0.4), "the class that the last epoch predicts, at every epoch"
    assert [line.x0 for line in view.figure.layout.shapes] == pytest.approx([0.4, 0.8])
    assert len(view.table["draw"]) == 2 * (1 + 1 + 2 + 1 + 2)


def test_agreement_is_drawn_word_by_word() -> None:
    view = agreement_dots([effect()])
    dots = view.figure.data[0]
    np.testing.assert_allclose(dots.x, [0.7, 0.2, 0.1], rtol=1e-6)
    np.testing.assert_allclose(dots.y, [0.5, -0.25, 0], rtol=1e-6)
    assert "tau +0.30" in view.alt


def test_panels_of_different_classes_say_so() -> None:
    view = agreement_dots([effect(0, positive=0.4), effect(1)])
    assert [note.text for note in view.figure.layout.annotations] == [
        "<b>Epoch 0: negative</b>",
        "<b>Epoch 1: &lt;positive&gt;</b>",
    ]
    assert view.table["class"] == ["negative"] * 3 + ["<positive>"] * 3


def survey(epoch: int = 1) -> AttentionSurvey:
    """Return a survey of four documents, of which one has too few words for one intervention."""
    change = np.array([[0.0, 0.6], [0.02, 0.3], [0.1, 0.0], [0.5, np.nan]], np.float32)
    flipped = np.array([[0, 1], [0, 0.5], [0, 0], [1, np.nan]], np.float32)
    agreement = np.array([[0.5, np.nan, np.nan], [0.1, 0.2, 0.3], [0.3, np.nan, np.nan], [np.nan] * 3], np.float32)
    return AttentionSurvey(
        "rnn", epoch, ("a", "b", "c", "d"), np.array([9, 8, 7, 1], np.int32), (UNIFORM, TOP), change, flipped, agreement
    )


def test_shares_are_parted_at_the_edges() -> None:
    assert shares(survey().changes(UNIFORM)).tolist() == [0.25, 0.25, 0.25, 0, 0.25]
    assert shares(survey().changes(TOP)).tolist() == pytest.approx([1 / 3, 0, 0, 1 / 3, 1 / 3])
    assert shares(np.zeros(0, np.float32)).tolist() == [0] * 5


def test_bars_of_shares_end_with_how_often_the_class_changes() -> None:
    view = change_shares([survey(0), survey(1)])
    bars, ends = view.figure.data[:5], view.figure.data[5]
    assert [bar.x[0] for bar in bars] == [0.25, 0.25, 0.25, 0, 0.25]
    assert list(ends.text) == ["25.0%", "50.0%"]
    assert list(bars[0].y) == ["uniform", "top 1 removed"]
    assert list(view.table["documents"]) == [4, 3, 4, 3]
    assert view.table["share of changed predictions"][0] == 0.25


def test_boxes_hold_the_documents_that_have_an_order() -> None:
    view = agreement_boxes([survey()])
    assert [len(box.x) for box in view.figure.data] == [1, 1, 1], "all three of the same reviews"
    assert "attention and saliency median 0.10" in view.alt
    assert view.table["document"] == ["b"]
    assert "over 1 test documents" in view.caption


@pytest.mark.parametrize(
    "colours",
    [
        [one for _, one in theme.WEIGHT_SCALE],
        [theme.MAGNITUDE, theme.MUTED],
    ],
    ids=["matrix", "marks"],
)
def test_colours_have_a_dark_twin(colours: list[str]) -> None:
    assert set(colours) <= theme.ON_DARK.keys()
