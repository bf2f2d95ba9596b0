"""What one setting changes: which runs differ in one alone, and what is drawn and said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from nlpviz.figures.translation.settings import setting_by_length, setting_differences
from nlpviz.networks.architectures.seq2seq import TRANSLATOR, Seq2Seq, Seq2SeqConfig
from nlpviz.results.bleu import BleuDifference, ChangedSetting, LengthDifference
from nlpviz.run_kinds.drawn.translators import changed_setting
from nlpviz.runs import Run
from nlpviz.stats.significance import Interval
from nlpviz.ui.translation import choice
from nlpviz.ui.translation.settings import changed_settings, setting_said


@pytest.fixture(scope="module")
def translator() -> Run:
    return choice.runs()["multi30k-en-fr-general"]


def altered(run: Run, **config: Any) -> Run:
    return replace(run, name="-".join(map(str, config.values())), config={**run.config, **config})


def test_runs_that_differ_in_one_setting_are_found_with_the_plainer_one_first(translator: Run) -> None:
    fed, none = altered(translator, input_feeding=True), altered(translator, attention="none")
    both = altered(translator, attention="none", reverse=True)
    found = changed_settings([fed, both, translator, none])
    assert [(first.name, second.name, setting) for first, second, setting in found] == [
        (translator.name, fed.name, "input_feeding"),
        (none.name, both.name, "reverse"),
        (none.name, translator.name, "attention"),
    ]


def test_runs_that_were_fitted_otherwise_are_not_compared(translator: Run) -> None:
    longer = {**translator.recipe, "fit": {**translator.recipe["fit"], "epochs": 99}}
    assert not changed_settings([translator, replace(altered(translator, reverse=True), recipe=longer)])


def test_the_setting_is_named_with_both_values(translator: Run) -> None:
    fed = replace(altered(translator, input_feeding=True), title="English to French, fed")
    found = changed_setting(translator, fed)
    assert (found.title, found.second) == ("input feeding: off → on", "fed")
    assert found.whole.difference == 0


def difference(value: float, low: float, high: float) -> BleuDifference:
    return BleuDifference(value, Interval(low, high), 0.01)


CLEAR, UNCLEAR = difference(2.0, 1.0, 3.0), difference(-0.5, -1.5, 0.5)
GROUPS = (LengthDifference(3, 8, 40, UNCLEAR), LengthDifference(9, 20, 60, CLEAR))
CHANGES = [
    ChangedSetting("a,b", "reverse", "off", "on", "plain", "<b>turned</b>", UNCLEAR, GROUPS[:1]),
    ChangedSetting("a,c", "input feeding", "off", "on", "plain", "fed", CLEAR, GROUPS),
]


def test_the_largest_gain_stands_first_and_what_may_be_chance_is_hollow() -> None:
    view = setting_differences(CHANGES, "a,b", "toy")
    (points,) = view.figure.data
    assert list(points.x) == [2.0, -0.5]
    assert list(points.customdata) == ["a,c", "a,b"]
    assert list(points.marker.size) == [10, 14]
    filled = [color == line for color, line in zip(points.marker.color, points.marker.line.color, strict=True)]
    assert filled == [True, False]
    assert "<b>" not in points.hovertext[1]
    assert view.table["from, BLEU"] == [1.0, -1.5]
    assert list(setting_by_length(CHANGES[1], "toy").figure.data[0].error_y.array) == [1.0, 1.0]


def test_a_sentence_says_no_more_than_the_intervals() -> None:
    assert setting_said(CHANGES[0])[0] == (
        "From {first} to {second}: {whole} BLEU, not significant. "
        "The difference is significant in {apart} of {groups} length groups."
    )
    sentence, pieces = setting_said(CHANGES[1])
    assert ": {whole} BLEU, significant. " in sentence
    assert (pieces["apart"], pieces["groups"]) == (1, len(CHANGES[1].by_length))


def test_an_encoder_of_both_ways_is_the_same_network_when_the_source_is_reversed() -> None:
    """So reversal is compared where the encoder reads one way: here its two directions need only change places."""
    config = Seq2SeqConfig(20, 20, dimensions=6, units=8, attention="none")
    torch.manual_seed(0)
    forwards = Seq2Seq(config).eval()
    backwards = Seq2Seq(replace(config, reverse=True)).eval()
    weights = forwards.state_dict()
    swapped = {name: weights[name.removesuffix("_reverse")] for name in weights if name.endswith("_reverse")}
    swapped |= {name.removesuffix("_reverse"): weights[name] for name in weights if name.endswith("_reverse")}
    backwards.load_state_dict({**weights, **swapped})
    half = torch.arange(8).roll(4)  # the decoder gets the directions' last states side by side
    with torch.no_grad():
        state = backwards.start(torch.tensor([[5, 6, 7, 8], [9, 3, 0, 0]]))
        expected = forwards.start(torch.tensor([[5, 6, 7, 8], [9, 3, 0, 0]]))
        np.testing.assert_allclose(state["hidden"][..., half], expected["hidden"], atol=1e-6)
        np.testing.assert_allclose(state["annotations"][..., half], expected["annotations"], atol=1e-6)
    assert TRANSLATOR.config is Seq2SeqConfig
