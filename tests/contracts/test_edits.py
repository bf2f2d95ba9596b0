"""What the search for edits and input reduction promise, on every classifier that is found."""

from __future__ import annotations

import pytest

from nlpviz.analysis.attribution.edit_search import search_edits
from nlpviz.analysis.attribution.first_order import probabilities
from nlpviz.analysis.attribution.input_reduction import reduce_input
from nlpviz.results.edits import Settings
from nlpviz.runs import TrainedModel
from nlpviz.text.edits import apply
from tests import toy
from tests.promises import Promises

ODD = ("", " \n", "…", "zzz", "dreadful", "<br />", "dreadful. " * 40)


promise = Promises()


def test_a_network_is_edited(trained: TrainedModel, subtests: pytest.Subtests) -> None:
    promise.ask(subtests, trained=trained)


@promise
def edits_turn_the_prediction_and_a_reduction_keeps_it(trained: TrainedModel) -> None:
    for text in toy.read("test").texts[:2]:
        found = search_edits(trained, text, Settings(most=2))
        for one in found.found:
            assert apply(text, one.edits, trained.vocabulary.tokens) == one.text
            (answer,) = probabilities(trained, [trained.encode(one.text).row])
            assert int(answer.argmax()) != found.predicted
        reduction = reduce_input(trained, text)
        assert reduction is not None
        assert reduction.predicted == trained.run.class_names[found.predicted]
        (answer,) = probabilities(trained, [trained.encode(text).row[list(reduction.places)]])
        assert int(answer.argmax()) == found.predicted


@promise
def whatever_is_typed_is_answered(trained: TrainedModel) -> None:
    for text in ODD:
        search_edits(trained, text, Settings(most=1, seconds=2))
        reduction = reduce_input(trained, text, seconds=2)
        assert (reduction is None) == (not len(trained.encode(text).ids))
