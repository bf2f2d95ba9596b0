"""Pictures of written texts: branches that part and never cross, what was cut, and nothing that is not escaped."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.figures.language.branches import branch_tree, named
from nlpviz.figures.language.choices import draw_dots, filtered_bars
from nlpviz.figures.language.generated_text import written_html
from nlpviz.results.generated_text import Choices, Draws, TextBranch, WrittenText
from nlpviz.text.tokenizers import EOS
from nlpviz.text.vocabulary import EncodedText, Token

MARKUP = '<img src=x onerror="alert(1)">'
LENGTH = 8


def written(*words: str, given: int = 0) -> WrittenText:
    count = len(words)
    return WrittenText(
        "toy", 1, "toy, epoch 1", "word", np.arange(count), words, tuple(f" {word}" for word in words),
        np.linspace(0, 1, count), np.linspace(0, 1, count), np.full(count, 3), np.zeros(count, bool), given,
    )  # fmt: skip


BRANCHES = [
    TextBranch(),
    TextBranch(0, 5, (0,) * 6, 1),
    TextBranch(0, 2, (0,) * 2, 0, seed=1),
    TextBranch(2, 6, (0,) * 7, 1),
    TextBranch(0, 5, (0,) * 6, 1),
    TextBranch(0, 0, (0,), 1),
]
TEXTS = [written(*(f"{MARKUP}{text}.{place}" for place in range(LENGTH))) for text in range(len(BRANCHES))]


def corners(figure: object) -> list[list[tuple[float, float]]]:
    """Return the lines of the first trace, each as its corners."""
    thin = figure.data[0]  # type: ignore[attr-defined]
    lines: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(thin.x, thin.y, strict=True):
        if x is None:
            lines.append([])
        else:
            lines[-1].append((x, y))
    return [line for line in lines if line]


def test_no_line_of_the_tree_crosses_another() -> None:
    lines = corners(branch_tree(BRANCHES, TEXTS, 3).figure)
    assert len(lines) == len(BRANCHES)
    assert sorted(line[-1][1] for line in lines) == list(range(len(BRANCHES))), "each text has a row"
    for (x, top), (_, bottom), _ in (line for line in lines if len(line) == 3):
        for other in lines:
            (start, row), (end, _) = other[-2:]
            assert not (top < row < bottom and start < x < end)


@pytest.mark.parametrize("chosen", range(len(BRANCHES)))
def test_the_thick_line_leads_from_the_beginning_to_the_chosen_end(chosen: int) -> None:
    view = branch_tree(BRANCHES, TEXTS, chosen)
    thick, ends = view.figure.data[1], view.figure.data[3]
    depth, number = 1, BRANCHES[chosen].parent
    while number is not None:
        depth, number = depth + 1, BRANCHES[number].parent
    assert list(thick.x).count(None) == depth
    row = ends.y[list(ends.customdata).index(str(chosen))]
    assert (ends.x[0], row) in zip(thick.x, thick.y, strict=True)


def test_tokens_stand_where_texts_part() -> None:
    nodes = branch_tree(BRANCHES, TEXTS, 0).figure.data[2]
    found = {
        (text, word.split(":")[0].rpartition(".")[2])
        for text, word in zip(nodes.customdata, nodes.hovertext, strict=True)
    }
    assert found == {
        ("0", "0"), ("0", "2"), ("0", "5"), ("1", "5"), ("2", "2"), ("2", "6"), ("3", "6"), ("4", "5"), ("5", "0"),
    }  # fmt: skip


def test_branches_say_how_they_came_to_be() -> None:
    assert named(BRANCHES, TEXTS, 0) == "1 · the first text"
    assert named(BRANCHES, TEXTS, 2) == "3 · text 1 up to word 2, then resampled with seed 1"
    assert named(BRANCHES, TEXTS, 3).startswith("4 · text 3 up to word 6, then “<img")
    assert named(BRANCHES, TEXTS, 5).startswith("6 · the prompt, then “<img")
    table = branch_tree(BRANCHES, TEXTS, 0).table
    assert list(table["branches from text"]) == [None, 1, 1, 3, 1, 1]
    assert list(table["at word"]) == [None, 6, 3, 7, 6, 1]


def shown(count: int, cut: int) -> Choices:
    before = np.linspace(0.2, 0.01, count)
    after = np.where(np.arange(count) < count - cut, before, 0)
    low, high = np.full(count, 1), np.where(after > 0, 400, 0)
    drawn = np.where(after > 0, 300, 0)
    drawn[0] = 500
    return Choices(
        "toy, epoch 1", "word", 4, np.arange(count), (MARKUP, *(f"w{one}" for one in range(1, count))), before,
        after / after.sum(), 1, 50, count - cut, float(before[after == 0].sum()),
        Draws(1_000, 0, drawn, low, high, 3.0, 2, 0.2),
    )  # fmt: skip


@pytest.mark.parametrize(("count", "cut"), [(1, 0), (5, 2), (12, 11)])
def test_what_was_cut_is_hatched_and_what_is_left_is_drawn(count: int, cut: int) -> None:
    choices = shown(count, cut) if count > 1 else shown(2, 1)
    before, after, points, kept, gone = filtered_bars(choices).figure.data
    assert [shape == "/" for shape in before.marker.pattern.shape] == (choices.after == 0).tolist()
    assert list(before.customdata) == list(points.customdata) == [str(one) for one in choices.ids]
    assert kept.x[0] + gone.x[0] == pytest.approx(1)
    assert gone.x[0] == pytest.approx(choices.cut)
    np.testing.assert_allclose(after.x, choices.after)
    _, expected, share = draw_dots(choices).figure.data
    assert len(expected.x) == len(share.x) == int((choices.after > 0).sum())
    assert share.marker.symbol[0] == "x", "outside its band"


def test_nothing_in_the_pictures_is_markup() -> None:
    views = [branch_tree(BRANCHES, TEXTS, 1), filtered_bars(shown(5, 2)), draw_dots(shown(5, 2))]
    for view in views:
        assert "<img" not in view.figure.to_json()
        assert "<img" in view.alt + str(view.table), "these are plain text"


def test_a_written_text_is_escaped_and_its_tokens_can_be_clicked() -> None:
    typed = f"{MARKUP} end"
    prompt = EncodedText(typed, (Token("<", 0, 1), Token("end", 31, 34)), np.array([1, 2]), 2)
    text = written(MARKUP, EOS, "b")
    html = written_html(prompt, text, TextBranch(0, 2, (1, 2, 3), 1), 2.0, 1, "2")
    assert "<img" not in html
    assert html.count("data-id=") == 3
    assert [f'data-id="2-{number}"' in html for number in (1, 2, 3)] == [True] * 3
    assert html.count("nlpviz-forced") == html.count("nlpviz-read-chosen") == 1
    assert "probability 0 under the model" in html
    assert "↵" in html


def test_of_a_long_prompt_the_end_is_shown() -> None:
    typed = "a" * 2_000 + " end"
    prompt = EncodedText(typed, (Token("a" * 2_000, 0, 2_000), Token("end", 2_001, 2_004)), np.array([1, 2]), 2)
    html = written_html(prompt, written("b"), TextBranch(), 1.0, None, "1")
    assert "… a" in html
    assert html.count("a") < 700
    assert "end</span>" in html
