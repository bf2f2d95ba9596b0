"""The figures of translation: what they draw is the result's numbers, worked here by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from nlpviz.analysis.inspection.phrases import cosines, phrase_plane
from nlpviz.figures import theme
from nlpviz.figures.translation.alignments import SOURCE, TARGET, Aligned, Chosen, shown_words
from nlpviz.figures.translation.beam_tree import beam_tree, best_path, greedy_leaves
from nlpviz.figures.translation.bleu import RunBleu, bleu_by_epoch, bleu_by_length, bleu_by_run
from nlpviz.figures.translation.lines import alignment_lines, joined
from nlpviz.figures.translation.matrix import alignment_matrix
from nlpviz.figures.translation.phrases import PhraseMap, phrase_map
from nlpviz.figures.translation.text import translation_html
from nlpviz.figures.translation.word import choice_bars, within_window, word_weights
from nlpviz.figures.view import FigureView
from nlpviz.results.alignment import Alternative, BeamNode, BeamTree, Hypothesis, NodeStatus, Translation
from nlpviz.results.history import EpochBleu, TranslatorEpoch
from nlpviz.text.vocabulary import EncodedText, Token

TEXT = "The red <b>dog</b>"
TOKENS = (Token("the", 0, 3), Token("red", 4, 7), Token("<b>dog</b>", 8, 18))
WEIGHTS = np.array([[0.9, 0.06, 0.04], [0.0, 0.1, 0.9], [0.02, 0.93, 0.05], [0.3, 0.3, 0.4]], dtype=np.float32)
CENTRES = np.array([0.0, 1.5, 1.0, 2.0], dtype=np.float32)
WINDOW = 1


def translation(*, local: bool = False, attends: bool = True, tree: BeamTree | None = None) -> Translation:
    """Return "Le chien <i> (end)" of "The red <b>dog</b>"."""
    best = Hypothesis(
        words=("le", "chien", "<i>", "</s>"),
        ids=(3, 4, 5, 2),
        text="Le chien <i>",
        log_probabilities=np.log(np.array([0.5, 0.25, 0.125, 1.0], dtype=np.float32)),
        alignment=WEIGHTS.copy() if attends else None,
        centres=CENTRES.copy() if local else None,
        score=-1.0,
        copied=(None,) * 4,
    )
    choices = (Alternative("￭chat", float(np.log(0.6)), 7), Alternative("chien", float(np.log(0.25)), 4))
    return Translation(
        run="toy",
        epoch=2,
        encoded=EncodedText(TEXT, TOKENS, np.array([2, 3, 1]), 20),
        source_language="en",
        target_language="fr",
        width=2,
        penalty=1.0,
        hypotheses=(best,),
        window=WINDOW if local else None,
        alternatives=(choices,) * 4,
        tree=tree,
    )


def traces(view: FigureView, kind: str) -> list[Any]:
    return [trace for trace in view.figure.data if trace.type == kind]


# ------------------------------------------------------------------------------------------------------- the alignment


def test_matrix_holds_the_weights_and_the_bars_their_sums() -> None:
    view = alignment_matrix(Aligned(translation()))
    (cells,) = traces(view, "heatmap")
    np.testing.assert_array_equal(cells.z, WEIGHTS)
    assert (cells.zmin, cells.zmax) == (0, 1), "a weight has one colour in all matrices"
    assert [row[0] for row in cells.customdata] == ["target-1", "target-2", "target-3", "target-4"]
    entropy, coverage = traces(view, "bar")
    by_hand = [-sum(p * np.log(p) for p in row if p > 0) for row in WEIGHTS / WEIGHTS.sum(axis=1, keepdims=True)]
    np.testing.assert_allclose(entropy.x, by_hand, rtol=1e-5)
    np.testing.assert_allclose(coverage.y, [1.22, 1.39, 1.39], rtol=1e-5)
    assert list(coverage.customdata) == ["source-1", "source-2", "source-3"]
    assert list(view.table["weight"]) == WEIGHTS.ravel().tolist()
    assert "chien at <b>dog</b> 90%" in view.alt


def test_what_was_typed_is_no_markup() -> None:
    view = alignment_matrix(Aligned(translation()))
    assert list(view.figure.layout.xaxis.ticktext) == [
        "The",
        "red",
        "&lt;b&gt;dog&lt;/b&gt;",
    ]
    assert list(view.figure.layout.yaxis.ticktext)[2:] == ["&lt;i&gt;", "(end)"]
    for drawn in (view, alignment_lines(Aligned(translation())), word_weights(Aligned(translation()), 2)):
        assert "<i>" not in str(drawn.figure.to_dict()).replace("<i>source</i>", "").replace("<i>target</i>", "")


@pytest.mark.parametrize(
    ("chosen", "x", "y"),
    [(Chosen(TARGET, 1), (-0.5, 2.5), (0.5, 1.5)), (Chosen(SOURCE, 2), (1.5, 2.5), (-0.5, 3.5))],
)
def test_a_chosen_word_is_framed(chosen: Chosen, x: tuple[float, float], y: tuple[float, float]) -> None:
    (frame,) = alignment_matrix(Aligned(translation()), chosen).figure.layout.shapes
    assert ((frame.x0, frame.x1), (frame.y0, frame.y1)) == (x, y)


def test_whose_weights_are_drawn_is_said_where_a_network_has_several_attentions() -> None:
    of = "layer 2 of 3, mean of 4 heads"
    several, one = (Aligned(replace(translation(), alignment_of=which)) for which in (of, None))
    for draw in (alignment_matrix, alignment_lines, lambda aligned: word_weights(aligned, 1)):
        view = draw(several)
        assert f" · attention: {of} · " in view.caption
        assert f" (attention: {of}): " in view.alt
        assert of not in draw(one).caption + draw(one).alt
    assert "attention" not in choice_bars(several.translation, 1).caption, "no weight is drawn there"


def test_local_attention_shows_its_centres_and_windows() -> None:
    view = alignment_matrix(Aligned(translation(local=True)), bare=True)
    windows, centres = traces(view, "scatter")
    assert list(centres.x) == [0.0, 1.5, 1.0, 2.0]
    reach = [(windows.x[6 * row], windows.x[6 * row + 1]) for row in range(4)]
    # p ± 1 as far as there are words: 0..1, 1..2, 0..2, 1..2; half a cell round each
    assert reach == [(-0.5, 1.5), (0.5, 2.5), (-0.5, 2.5), (0.5, 2.5)]
    assert not traces(view, "bar")


def test_lines_join_what_weighs_enough() -> None:
    aligned = Aligned(translation())
    pairs = [(0, 0), (1, 1), (1, 2), (2, 1), (3, 0), (3, 1), (3, 2)]  # at least 8%
    assert sorted(joined(aligned, None)) == pairs
    assert joined(aligned, None)[-1] == (2, 1), "the largest weight is drawn last, on top"
    assert sorted(joined(aligned, Chosen(TARGET, 0))) == [(0, 0), (0, 1), (0, 2)], "from 1% on for a chosen word"
    assert sorted(joined(aligned, Chosen(SOURCE, 0))) == [(0, 0), (2, 0), (3, 0)]


def test_words_of_the_lines_can_be_clicked() -> None:
    view = alignment_lines(Aligned(translation()), Chosen(TARGET, 1))
    source, target = [trace for trace in view.figure.data if trace.mode == "markers+text"]
    assert list(source.customdata) == ["source-1", "source-2", "source-3"]
    assert list(target.customdata) == [f"target-{position}" for position in range(1, 5)]
    assert target.text[1] == "<b>chien</b>"
    assert source.y[0] - target.y[0] == 0.5, "the shorter column stands in the middle"


def test_gaussian_times_softmax_is_the_weight() -> None:
    aligned = Aligned(translation(local=True))
    # row 1: p = 1.5, D = 1, σ = 1/2: both words half a word away get exp(-1/2), the first lies outside
    np.testing.assert_allclose(aligned.gaussian(1), [0, np.exp(-0.5), np.exp(-0.5)], rtol=1e-6)
    np.testing.assert_allclose(within_window(aligned, 1)[1:], WEIGHTS[1, 1:] / np.exp(-0.5), rtol=1e-6)
    view = word_weights(aligned, 1)
    ring = next(trace for trace in traces(view, "scatter") if trace.name == "softmax over the window")
    np.testing.assert_allclose(ring.y, WEIGHTS[1, 1:] / np.exp(-0.5), rtol=1e-6)
    shade, line = view.figure.layout.shapes
    assert (shade.x0, shade.x1, line.x0) == (0.5, 2.5, 1.5)
    assert "p = 2.50" in view.alt, "people count words from 1"


def test_global_attention_has_no_window() -> None:
    view = word_weights(Aligned(translation()), 1)
    assert not view.figure.layout.shapes
    np.testing.assert_array_equal(traces(view, "bar")[0].y, WEIGHTS[1])


def test_choices_are_probabilities_and_the_written_word_stands_out() -> None:
    view = choice_bars(translation(), 1)
    (bars,) = traces(view, "bar")
    np.testing.assert_allclose(bars.x, [0.6, 0.25], rtol=1e-6)
    assert list(bars.customdata) == ["1", "2"]
    assert list(bars.marker.line.width) == [0, 2]
    assert list(view.table["word"]) == ["chat", "chien"]


def test_the_written_word_stands_out_by_its_id_and_not_by_its_spelling() -> None:
    result = translation()
    copy = replace(
        result.hypotheses[0], words=("le", "chat", "<i>", "</s>"), ids=(3, 1, 5, 2), copied=(None, 2, None, None)
    )
    unknown = Alternative("<unk>", float(np.log(0.1)), 1)
    result = replace(result, hypotheses=(copy,), alternatives=((*result.alternatives[0], unknown),) * 4)
    (bars,) = traces(choice_bars(result, 1), "bar")
    assert list(bars.marker.line.width) == [0, 0, 2], "the unknown word was written, which is spelt as another one"


def test_a_copied_word_is_marked_in_the_text() -> None:
    best = replace(translation().hypotheses[0], copied=(None, None, 2, None))
    assert translation_html(best) == (
        '<p dir="auto">Le chien <span class="nlpviz-copied" title="out of vocabulary, copied from source '
        'word 3">&lt;i&gt;</span></p>'
    )
    both = replace(best, copied=(0, None, 2, None))
    assert translation_html(both).count('class="nlpviz-copied"') == 2
    assert 'source word 1">Le</span> chien <span' in translation_html(both), "the capital is the sentence's"
    assert translation_html(translation().hypotheses[0]) == '<p dir="auto">Le chien &lt;i&gt;</p>'


def test_a_long_word_is_shortened_wherever_it_is_drawn() -> None:
    result = translation(local=True)
    text = f"The red {'x' * 100_000}"
    tokens = (*TOKENS[:2], Token("x" * 100_000, 8, len(text)))
    best = replace(result.hypotheses[0], words=("le", "chien", "x" * 100_000, "</s>"), copied=(None, None, 2, None))
    result = replace(result, encoded=replace(result.encoded, text=text, tokens=tokens), hypotheses=(best,))
    aligned = Aligned(result)
    assert aligned.source[2] == aligned.target[2] == f"{'x' * 39}…"
    views = (alignment_matrix(aligned), alignment_lines(aligned), word_weights(aligned, 2), choice_bars(result, 2))
    for view in views:
        drawn = f"{view.figure.to_json()}{view.alt}{view.caption}{[list(column) for column in view.table.values()]}"
        assert "x" * 39 in drawn
        assert "x" * 40 not in drawn


def test_ids_name_words_that_are_there() -> None:
    result = translation()
    assert shown_words(result) == ("le", "chien", "<i>", "(end)")
    assert Chosen.of("target-4", result) == (TARGET, 3)
    assert Chosen.of("source-3", result) == (SOURCE, 2)
    for nothing in ("", "target-0", "target-5", "source-4", "target-x", "left-1", "target"):
        assert Chosen.of(nothing, result) is None


def test_without_attention_there_is_nothing_to_align() -> None:
    with pytest.raises(ValueError, match="no alignment"):
        Aligned(translation(attends=False))


# ------------------------------------------------------------------------------------------------------------ the beam


def tree() -> BeamTree:
    """Return a search of width 2 in three steps; greedy search goes on from what step 2 dropped."""
    rows = [  # parent, step, word, log-probability, total, fate
        (-1, 0, "le", -0.1, -0.1, NodeStatus.KEPT),
        (-1, 0, "un", -0.5, -0.5, NodeStatus.KEPT),
        (1, 1, "chat", -0.2, -0.7, NodeStatus.KEPT),
        (0, 1, "chien", -0.7, -0.8, NodeStatus.KEPT),
        (0, 1, "roi", -0.75, -0.85, NodeStatus.PRUNED),
        (1, 1, "bois", -2.0, -2.5, NodeStatus.PRUNED),
        (2, 2, "</s>", -0.1, -0.8, NodeStatus.ENDED),
        (3, 2, "</s>", -0.3, -1.1, NodeStatus.ENDED),
        (4, 2, "</s>", -0.4, -1.25, NodeStatus.GREEDY),
    ]
    nodes = tuple(
        BeamNode(parent, step, word, log, total, total, status, id=number)
        for number, (parent, step, word, log, total, status) in enumerate(rows)
    )
    return BeamTree(width=2, penalty=1.0, nodes=nodes, ends=(6, 7), greedy=(0, 4, 8))


def lines(view: FigureView, name: str) -> list[tuple[float, ...]]:
    """Return each line of a trace as (x from, x to, step from, step to)."""
    (trace,) = [trace for trace in view.figure.data if trace.name == name]
    return [(trace.x[n], trace.x[n + 1], int(trace.y[n]), round(trace.y[n + 1])) for n in range(0, len(trace.x), 3)]


def words(view: FigureView) -> dict[str, tuple[float, int]]:
    """Return where each node is drawn, by what a click on it hands on."""
    marks: list[go.Scatter] = [trace for trace in view.figure.data if trace.mode == "markers+text"]
    return {
        number: (float(x), int(y))
        for trace in marks
        for number, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }


def test_kept_words_stand_by_rank_pruned_ones_to_the_right_greedy_ones_to_the_left() -> None:
    view = beam_tree(translation(tree=tree()), until=3)
    drawn = words(view)
    assert {number: drawn[number] for number in "012367"} == {
        "0": (0, 0), "1": (1, 0), "2": (0, 1), "3": (1, 1), "6": (0, 2), "7": (1, 2),
    }  # fmt: skip
    assert drawn["4"][0] > 2
    assert drawn["5"][0] > drawn["4"][0]
    assert drawn["8"][0] < 0


def test_paths_through_the_tree() -> None:
    view = beam_tree(translation(tree=tree()), until=3)
    assert best_path(tree()) == (1, 2, 6)
    assert lines(view, "best translation") == [(1, 0, 0, 1), (0, 0, 1, 2)]
    assert [line[2:] for line in lines(view, "greedy search")] == [(0, 1), (1, 2)]
    assert len(lines(view, "kept")) == 4
    assert len(lines(view, "pruned")) == 2
    assert greedy_leaves(tree()) == 1
    assert "Greedy search leaves the beam at step 2." in view.alt
    assert "8 candidates scored, 6 kept" in view.alt


def test_the_tree_grows_step_by_step_in_a_figure_of_one_size() -> None:
    first, whole = (beam_tree(translation(tree=tree()), until=until) for until in (1, 3))
    assert set(words(first)) == {"0", "1"}
    assert first.figure.layout.height == whole.figure.layout.height
    assert first.figure.layout.yaxis.range == whole.figure.layout.yaxis.range
    assert len(whole.table["step"]) == 9
    assert whole.table["hypothesis"][6] == "un chat (end)"


def test_a_pruned_word_on_the_greedy_path_is_drawn_even_where_none_is_asked_for() -> None:
    drawn = words(beam_tree(translation(tree=tree()), until=3, pruned=0))
    assert "4" in drawn
    assert "5" not in drawn


@pytest.mark.parametrize("pruned", [0, 1, 2, 8])
@pytest.mark.parametrize("greedy", [(0, 4, 8), (1, 5)], ids=["first pruned", "second pruned"])
def test_every_word_has_a_place_of_its_own_within_the_figure(pruned: int, greedy: tuple[int, ...]) -> None:
    result = translation(tree=replace(tree(), greedy=greedy))
    views = [beam_tree(result, until, pruned) for until in (1, 2, 3)]
    drawn = words(views[-1])
    assert set(map(str, greedy)) <= set(drawn)
    assert len(set(drawn.values())) == len(drawn)
    left, right = views[-1].figure.layout.xaxis.range
    assert all(left + 0.5 <= x <= right - 0.5 for x, _ in drawn.values())
    assert all(view.figure.layout.xaxis.range == (left, right) for view in views), "it does not jump from step to step"


# ---------------------------------------------------------------------------------------------------- BLEU and phrases


def measured(name: str, bleu: float) -> RunBleu:
    history = tuple(TranslatorEpoch(epoch, 1.0, 1.0, bleu * epoch / 2, 0.0, 1.0) for epoch in range(3))
    rows = (EpochBleu(2, 3, 17, 30, bleu), EpochBleu(2, 1, 8, 10, bleu + 5), EpochBleu(2, 9, 200, 20, bleu - 5))
    return RunBleu(name, name.title(), 2, history, rows)


def test_bleu_by_run_epoch_and_length() -> None:
    runs = [measured("dot", 40.0), measured("none", 20.0)]
    bars = traces(bleu_by_run(runs[::-1], "none", "toy"), "bar")[0]
    assert list(bars.customdata) == ["dot", "none"], "the best first"
    assert list(bars.x) == [40.0, 20.0]
    assert list(bars.marker.line.width) == [0, 2]
    none, dot = traces(bleu_by_epoch(runs, "toy"), "scatter")
    assert (list(dot.x), list(dot.y), list(none.y)) == ([0, 1, 2], [0.0, 20.0, 40.0], [0.0, 10.0, 20.0])
    assert dot.marker.size[2] > dot.marker.size[0], "the chosen epoch stands out"
    by_length = bleu_by_length(runs, "toy", "dot")
    none, dot = traces(by_length, "scatter")
    assert (list(dot.x), list(dot.y)) == (["3–8", "9–17"], [45.0, 35.0])
    assert list(by_length.figure.layout.xaxis.ticktext) == ["3–8<br>(10)", "9–17<br>(20)"]
    assert (dot.line.color, none.line.color) == (theme.POSITIVE, theme.GREY), "the chosen one is in colour"
    assert dot.line.width > none.line.width, "and told apart by more than that"


def test_phrases_have_a_label_where_there_is_room_and_else_a_number() -> None:
    same = np.array([[0.0, 0.0], [1.0, 1.0], *[[0.5, 0.5]] * 12], dtype=np.float32)
    phrases = tuple(f"phrase <{position}> that is rather long" for position in range(len(same)))
    groups = np.array([0, 1, *[0] * 12])
    view = phrase_map(PhraseMap("toy", 1, "mean of its annotations", phrases, groups, same, 0.9))
    assert "epoch 1 · mean of its annotations · PCA" in view.caption
    first, second = traces(view, "scatter")
    assert first.text[0].startswith("phrase &lt;0&gt;")
    assert second.text[0].startswith("phrase &lt;1&gt;")
    assert first.text[-1] == "14"
    assert first.marker.symbol != second.marker.symbol
    assert list(view.table["phrase"]) == list(phrases)


@pytest.mark.parametrize("seed", range(6))
def test_the_number_of_a_phrase_stands_where_no_label_is(seed: int) -> None:
    """At 640 x 430 pixels: letters 6 wide, lines 16 high, beside a point."""
    points = np.random.default_rng(seed).random((12, 2)).astype(np.float32)
    phrases = tuple(f"phrase {position} that is rather long" for position in range(12))
    view = phrase_map(PhraseMap("toy", 1, "mean of its annotations", phrases, np.zeros(12, dtype=int), points, 0.9))
    (drawn,) = traces(view, "scatter")
    ends = np.array([view.figure.layout.xaxis.range, view.figure.layout.yaxis.range]).T
    boxes = []
    for text, side, at in zip(drawn.text, drawn.textposition, (points - ends[0]) / (ends[1] - ends[0]), strict=True):
        lines, (up, right) = text.split("<br>"), side.split()
        size = np.array([6 * max(map(len, lines)), 16 * len(lines)])
        way = np.array([{"left": -1, "center": 0, "right": 1}[right], {"bottom": -1, "middle": 0, "top": 1}[up]])
        middle = at * (640, 430) + way * (size / 2 + 7)
        boxes.append((text.isdigit(), middle - size / 2, middle + size / 2))
    assert any(number for number, *_ in boxes)
    for (number, low, high), (_, other, top) in permutations(boxes, 2):
        assert not (number and (low < top).all() and (other < high).all())


def test_cosines_are_taken_round_the_mean() -> None:
    states = np.array([[3.0, 1.0], [1.0, 1.0], [2.0, 2.0], [2.0, 0.0]], dtype=np.float32)  # the mean is (2, 1)
    np.testing.assert_allclose(cosines(states)[0], [1, -1, 0, 0], atol=1e-6)


def test_the_plane_holds_most_variance_and_names_the_nearest_phrases() -> None:
    states = np.array([[4, 0, 0], [-4, 0, 0], [0, 2, 0], [0, -2, 0], [8, 0, 1], [-8, 0, -1]], dtype=np.float32)
    plane = phrase_plane(states)
    squares = np.linalg.svd(states - states.mean(axis=0), compute_uv=False) ** 2
    assert plane.share == pytest.approx(squares[:2].sum() / squares.sum(), abs=1e-6)
    assert np.square(plane.coordinates).sum(axis=0) == pytest.approx(squares[:2], rel=1e-5)
    assert set(plane.nearest) in ({0, 4}, {1, 5})
    assert plane.cosine == pytest.approx(8 / np.sqrt(65), abs=1e-6)
    assert plane.dimensions == 3
