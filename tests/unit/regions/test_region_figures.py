"""Pictures of regions, n-grams and filters hold the numbers worked by hand here, and tell sign by more than hue."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from nlpviz.figures import theme
from nlpviz.figures.numbers import number
from nlpviz.figures.regions.bars import SHOWN, RankedRegions, in_training, region_bars, strongest
from nlpviz.figures.regions.class_score import score_steps
from nlpviz.figures.regions.filters import Filters, filter_map
from nlpviz.figures.regions.one_filter import Activations, activation_histogram, filter_ngrams
from nlpviz.figures.regions.top_ngrams import NgramRanking, longest_ngrams, ngram_by_epoch, ranking_bars, row_id
from nlpviz.results.regions import STEPS, Branch, PredictiveRegions
from nlpviz.results.survey import UNCOUNTED, FilterNgram, FilterSummary, RankedNgram
from nlpviz.text.vocabulary import Vocabulary, tokenize

TEXT = "Good film, bad end"
UNSEEN = ("good", "film")


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def result(epoch: int = 1, times: float = 1.0, text: str = TEXT) -> PredictiveRegions:
    """Words: good +1, bad −0.5 − 0.75; pairs: good film +0.25, ", bad" +0.125; the fourth filter answers nothing."""
    words = list(dict.fromkeys(token.word for token in tokenize(text)))
    encoded = Vocabulary(words, [1] * len(words)).encode(text, 50)
    branches = (
        Branch(
            1, floats(2, 0, 0.5, 3, 1) * times, np.array([0, 3, 3]), floats(2, 1, 3),
            floats(1.0, -0.5, -0.75) * times,
        ),
        Branch(2, floats(1, 0, 4, 0), np.array([0, 2, -1]), floats(1, 0.5, 0), floats(0.25, 0.125, 0) * times),
    )  # fmt: skip
    return PredictiveRegions(
        run="toy", epoch=epoch, encoded=encoded, target=1, class_names=("bad", "<good>"),
        probabilities=floats(0.45, 0.55), class_score=0.125 + 0.125 * times, bias=0.125, branches=branches,
    )  # fmt: skip


def ranked(epoch: int = 1, rank: str = "contribution", times: float = 1.0) -> RankedRegions:
    of = result(epoch, times)
    return RankedRegions(
        of, rank, tuple(of.ranked(rank)), {region.words: 0 if region.words == UNSEEN else 3 for region in of.regions}
    )


def bars(drawn: go.Figure) -> dict[str, tuple[float, str]]:
    """Return length and note of each bar, by its id."""
    bar, _ = drawn.data
    return {key: (float(x), note) for key, x, note in zip(bar.customdata, bar.x, bar.text, strict=True)}


def test_bars_are_the_contributions_with_how_often_each_stood_in_training() -> None:
    assert bars(region_bars(ranked(), 1.25).figure) == {
        "1-3": (-1.25, "−1.25 · 3×"), "1-0": (1.0, "+1.00 · 3×"), "2-0": (0.25, "+0.25 · never"),
        "2-2": (0.125, "+0.12 · 3×"),
    }  # fmt: skip


def test_bars_of_the_norm_have_no_sign_and_count_losers() -> None:
    view = region_bars(ranked(rank="norm"), 4.0)
    assert bars(view.figure)["2-2"] == (4.0, "4.00 · 3×")
    assert bars(view.figure)["1-4"] == (1.0, "1.00 · 3×"), "it wins no filter"
    assert view.figure.data[0].marker.color == theme.MAGNITUDE
    assert view.figure.layout.xaxis.range[1] > 4


def test_sign_is_told_by_hatching_and_by_the_side_of_the_words() -> None:
    bar, labels = region_bars(ranked(), 1.25).figure.data
    assert list(bar.marker.pattern.shape) == ["/", "", "", ""]
    assert list(labels.textposition) == ["middle right", "middle left", "middle left", "middle left"]
    assert list(labels.customdata) == list(bar.customdata), "words can be clicked, and stepped through by keyboard"


def test_the_chosen_bar_stands_out() -> None:
    bar, labels = region_bars(ranked(), 1.25, "2-0").figure.data
    assert list(bar.marker.line.width) == [0, 0, 2, 0]
    assert [label for label in labels.text if "<b>" in label] == ["\u00a0<b>good film</b>\u00a0"]


def test_checkpoints_have_one_scale_and_headings() -> None:
    shown = [ranked(0, times=0.01), ranked(1), ranked(2, times=4.0)]
    assert strongest(shown) == 5.0
    layouts = [region_bars(one, strongest(shown)).figure.layout for one in shown]
    assert {layout.xaxis.range for layout in layouts} == {(-10.0, 10.0)}
    assert [note.text for note in layouts[0].annotations] == ["<i>1 word</i>", "<i>2 words</i>"]
    assert [note.y for note in layouts[0].annotations] == [0, 3], "over their bars"


def test_table_has_a_row_for_each_region() -> None:
    table = region_bars(ranked(), 1.25).table
    assert table["n-gram"] == ["bad", "good", "good film", ", bad"]
    assert (table["start"][0], table["end"][0]) == (11, 14)
    np.testing.assert_allclose(table["contribution"], [-1.25, 1, 0.25, 0.125])
    assert table["filters won"] == [2, 1, 1, 1]
    assert table["occurrences in training"] == [3, 3, 0, 3]


def test_an_ngram_that_is_there_twice_has_one_bar() -> None:
    of = result(text="bad bad bad bad bad")
    shown = RankedRegions(of, "norm", tuple(of.ranked("norm")), dict.fromkeys((r.words for r in of.regions), UNCOUNTED))
    assert [(size, len(members)) for size, members in shown.shown()] == [(1, 1), (2, 1)]
    assert shown.shown()[0][1][0].norm == 3, "the strongest of them"
    assert bars(region_bars(shown, strongest([shown])).figure)["1-3"] == (3.0, "3.00"), (
        "nothing is said of counts that are not known"
    )


def test_a_text_without_regions() -> None:
    empty = PredictiveRegions(
        run="toy", epoch=1, encoded=Vocabulary([], []).encode("", 5), target=1, class_names=("bad", "good"),
        probabilities=floats(0.5, 0.5), class_score=0.1, bias=0.1, branches=(),
    )  # fmt: skip
    assert "no region" in region_bars(RankedRegions(empty, "norm", (), {}), 0.0).alt
    assert [step.name for step in empty.steps()] == ["bias"]


def test_markup_in_words_is_escaped() -> None:
    of = result(text="<3 & x y <br />z")
    shown = RankedRegions(of, "norm", tuple(of.ranked("norm")), dict.fromkeys((r.words for r in of.regions), 0))
    drawn = [region_bars(shown, strongest([shown])).figure, score_steps(of).figure]
    assert not any("<3" in str(trace.to_plotly_json()) for view in drawn for trace in view.data)


def test_words_for_counts_and_numbers() -> None:
    assert [in_training(times) for times in (UNCOUNTED, 0, 1, 1234)] == [
        "", "never occurs in training", "occurs once in training", "occurs 1,234 times in training",
    ]  # fmt: skip
    assert (number(-0.914), number(0.2), number(2.5, signed=False)) == ("−0.91", "+0.20", "2.50")


def test_steps_lead_from_the_bias_to_the_score() -> None:
    view = score_steps(result())
    climbed, total = view.figure.data
    np.testing.assert_allclose(climbed.x, [0.125, -1.25, 1.0, 0.25, 0.125])
    np.testing.assert_allclose(climbed.base, [0, 0.125, -1.125, -0.125, 0.125])
    np.testing.assert_allclose(total.x, [0.25])
    written = [note.text for note in view.figure.layout.annotations]
    assert written == ["+0.12", "−1.25", "+1.00", "+0.25", "+0.12", "<b>+0.25</b>"]
    assert view.figure.layout.yaxis.ticktext[-1] == "<b>&lt;good&gt; 55%</b>"
    np.testing.assert_allclose(view.table["running total, log-odds"][-2:], [0.25, 0.25])


def test_weak_regions_share_a_step_each_way() -> None:
    amounts = floats(8, -7, 6, -5, 4, -3, 2, 1, -0.5)
    text = " ".join("abcdefghi")
    of = PredictiveRegions(
        run="toy", epoch=1, encoded=Vocabulary(list("abcdefghi"), [1] * 9).encode(text, 9), target=0,
        class_names=("bad", "good"), probabilities=floats(0.9, 0.1), class_score=5.5, bias=0.0,
        branches=(Branch(1, abs(amounts), np.arange(9), abs(amounts), amounts),),
    )  # fmt: skip
    climbed = of.steps()
    assert [step.name for step in climbed][STEPS + 1 :] == ["2 others for", "1 other against"]
    assert [step.amount for step in climbed][STEPS + 1 :] == [3.0, -0.5]
    assert [step.id for step in climbed] == ["", "1-0", "1-1", "1-2", "1-3", "1-4", "1-5", "", ""]
    assert sum(step.amount for step in climbed) == pytest.approx(of.class_score)


def test_only_so_many_bars_of_each_size() -> None:
    amounts = floats(*range(1, 31))
    words = [f"w{position}" for position in range(30)]
    branches = tuple(Branch(size, amounts[: 31 - size], np.arange(29), amounts[:29], amounts[:29]) for size in (1, 2))
    of = PredictiveRegions(
        run="toy", epoch=1, encoded=Vocabulary(words, [1] * 30).encode(" ".join(words), 50), target=0,
        class_names=("bad", "good"), probabilities=floats(1, 0), class_score=0.0, bias=0.0, branches=branches,
    )  # fmt: skip
    shown = RankedRegions(of, "contribution", tuple(of.ranked("contribution")), {r.words: 1 for r in of.regions})
    assert len(bars(region_bars(shown, strongest([shown])).figure)) == 2 * SHOWN


def row(ngram: str, contribution: float, support: int, seen: int = 5) -> RankedNgram:
    return RankedNgram(len(ngram.split()), ngram, contribution, support, 0.75, seen, "test/1")


ROWS = (
    row("good", 0.5, 100),
    row("fine", 1.0, 10),
    row("bad", -2.0, 20),
    row("poor", -0.1, 1000),
    row("a mess", -1.0, 4),
)


def test_the_board_is_mirrored_at_zero_strongest_first() -> None:
    drawn = ranking_bars(NgramRanking("toy", 1, ROWS, "mean"), "good", "logit", 2.0).figure
    assert list(bars(drawn)) == ["1 fine", "1 good", "1 bad", "1 poor", "2 a mess"]
    assert bars(drawn)["1 bad"] == (-2.0, "−2.00 · 20 · 75%")
    assert drawn.layout.xaxis.range[0] == -drawn.layout.xaxis.range[1]


def test_the_board_by_sums() -> None:
    drawn = ranking_bars(NgramRanking("toy", 1, ROWS, "total"), "good", "logit", 100.0).figure
    assert bars(drawn)["1 poor"] == (pytest.approx(-100), "−100 · 1,000 · 75%")
    assert list(bars(drawn)) == ["1 good", "1 fine", "1 poor", "1 bad", "2 a mess"]


def test_the_boards_table_holds_all_rows() -> None:
    view = ranking_bars(NgramRanking("toy", 1, ROWS, "mean"), "good", "logit", 2.0)
    assert "to the score of good, logit" in view.caption
    assert "mean contribution (logit)" in view.alt
    table = view.table
    assert table["n-gram"] == ["fine", "good", "poor", "a mess", "bad"]
    np.testing.assert_allclose(table["sum"], [10, 50, -100, -4, -40])


def test_the_longest_ngrams_with_enough_documents_are_the_strongest_each_way() -> None:
    rows = [row("a b", 1.0, 50), row("c d", 3.0, 40), row("e f", -2.0, 60), row("g h", -9.0, 5), row("bad", -5.0, 90)]
    found = longest_ngrams("toy", 1, rows, support=30, count=1)
    assert [one.ngram for one in found.rows] == ["c d", "e f"]
    assert not longest_ngrams("toy", 1, rows, support=100, count=1).rows


def test_an_ngram_by_epoch_has_gaps_where_the_board_is_silent() -> None:
    rows = {0: ROWS[1:], 1: ROWS, 2: [row("good", 0.7, 90)]}
    view = ngram_by_epoch("toy", "good", "logit", row_id(ROWS[0]), rows)
    np.testing.assert_allclose(view.figure.data[0].y, [np.nan, 0.5, 0.7])
    assert view.figure.layout.yaxis.title.text == "logit"
    assert view.table["documents"] == [None, 100, 90]
    assert row_id(ROWS[4]) == "2 a mess"


def summary(position: int, weight: float, alive: float = 0.5, correlation: float = 0.0) -> FilterSummary:
    ngrams = (FilterNgram("a <b> mess", 2.5, 3), FilterNgram("a bad film", 1.25, 40)) if alive else ()
    return FilterSummary(1, position, 3, position, weight, alive, 2 * alive, 0, correlation, ngrams)


FILTERS = Filters(
    "toy", 1, (summary(0, 0.2), summary(1, -0.3, correlation=0.9), summary(2, 0.1, alive=0), summary(3, -0.1))
)


def test_filters_lie_at_weight_and_activity_and_flags_are_symbols() -> None:
    positive, negative, dead, ring = filter_map([FILTERS], "good", "3-3").figure.data
    assert (list(positive.x), list(positive.y), list(positive.marker.symbol)) == ([0.2], [1.0], ["circle"])
    assert list(negative.x) == [-0.3, -0.1]
    assert list(negative.marker.symbol) == ["diamond-open", "diamond"], "a duplicate is hollow"
    assert (list(dead.customdata), list(dead.y), list(dead.marker.symbol)) == (["3-2"], [0], ["x"])
    assert (list(ring.x), list(ring.y)) == ([-0.1], [1.0])
    assert "&lt;b&gt;" in positive.hovertext[0]


def test_the_legend_names_each_kind_once_also_where_the_first_panel_lacks_it() -> None:
    alive = Filters("toy", 0, FILTERS.summaries[:2])
    drawn = filter_map([alive, FILTERS], "good").figure
    named = [trace.name for trace in drawn.data if trace.showlegend]
    assert sorted(named) == ["against good", "dead", "for good"]
    assert drawn.layout.xaxis.range == drawn.layout.xaxis2.range


def test_a_filters_ngrams() -> None:
    view = filter_ngrams("toy", FILTERS.summaries[0], 2.5)
    assert list(bars(view.figure).values()) == [(2.5, "2.50 · 3"), (1.25, "1.25 · 40")]
    assert view.table["documents"] == [3, 40]
    assert "none" in filter_ngrams("toy", FILTERS.summaries[2], 0.0).alt


def test_the_histogram_counts_every_document_of_each_label() -> None:
    values = np.random.default_rng(0).gamma(1.0, size=200).astype(np.float32)
    values[:50] = 0
    labels = np.arange(200) % 2
    view = activation_histogram([Activations("toy", 1, values, labels)], "3-0", ("bad", "good"))
    bad, good = view.figure.data
    assert (sum(bad.y), sum(good.y)) == (100, 100)
    width = values.max() / 24
    assert bad.y[0] == sum((values < width) & (labels == 0))
    assert (bad.marker.pattern.shape, good.marker.pattern.shape) == ("/", "")


def test_the_histogram_of_a_dead_filter() -> None:
    silent = Activations("toy", 1, np.zeros(4, np.float32), np.array([0, 1, 0, 1]))
    assert [bar.y[0] for bar in activation_histogram([silent], "3-0", ("bad", "good")).figure.data] == [2, 2]
