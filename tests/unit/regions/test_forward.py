"""The steps of a text through the network, against the same steps written out; and that they add up."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.inspection.forward import forward_pass
from nlpviz.networks.architectures.cnn import CNN
from nlpviz.results.forward import ForwardPass
from nlpviz.runs import TrainedModel, open_run
from nlpviz.ui.regions.schematic import _payload
from tests.unit.regions.test_regions import CONFIGS, TEXTS, trained

pytestmark = pytest.mark.usefixtures("trained")


def model(config: dict[str, object]) -> TrainedModel:
    return trained(open_run("toy-cnn"), **config)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("text", TEXTS)
def test_the_steps_add_up_to_the_class_score(config: dict[str, object], text: str) -> None:
    result = forward_pass(model(config), text, target=1, most=4)
    assert abs(result.residual) < 1e-4
    assert len(result.filters) == 4
    amounts = [abs(one.amount) for one in result.filters]
    assert amounts == sorted(amounts, reverse=True)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_answers_are_dot_products_of_the_filter_with_each_window(config: dict[str, object]) -> None:
    one_model = model(config)
    network = one_model.module
    assert isinstance(network, CNN)
    result = forward_pass(one_model, TEXTS[0], target=1)
    kernels = {
        size: weight.numpy() for size, weight in zip(network.region_sizes, network.filter_weights(), strict=True)
    }
    biases = {size: branch.bias for size, branch in zip(network.region_sizes, network.convolutions, strict=True)}
    for one in result.filters:
        row = place_in_branch(network, one.id, one.size)
        for start, answer in enumerate(one.answers):
            window = result.vectors[start : start + one.size].T  # (D, h)
            expected = float((window * kernels[one.size][row]).sum()) + float(biases[one.size][row])
            assert answer == pytest.approx(expected, abs=1e-4)


def place_in_branch(network: CNN, position: int, size: int) -> int:
    """Return which filter of its branch stands at a place of the document embedding."""
    before = network.region_sizes.index(size) * network.config.filters * network.pooled
    return (position - before) // network.pooled


def test_max_pooling_takes_the_largest_answer() -> None:
    for one in forward_pass(model({}), TEXTS[0], target=1).filters:
        assert one.start == int(np.argmax(one.answers))
        assert one.activation == pytest.approx(max(0.0, float(one.answers.max())), abs=1e-5)


def test_filters_that_matter_most_are_shown() -> None:
    shown: ForwardPass = forward_pass(model({}), TEXTS[0], target=1, most=3)
    everyone = forward_pass(model({}), TEXTS[0], target=1, most=10_000)
    assert everyone.others == 0
    assert everyone.rest == pytest.approx(0.0, abs=1e-5)
    assert [one.id for one in shown.filters] == [one.id for one in everyone.filters[:3]]
    assert shown.others == len(everyone.filters) - 3


@pytest.mark.parametrize(("text", "dimensions"), [("film", 6), ("film", 20), ("", 6), ("good film", 6)])
def test_of_a_short_text_and_short_vectors_there_are_cells_as_well(text: str, dimensions: int) -> None:
    drawn = _payload(forward_pass(model({"dimensions": dimensions}), text, target=1))
    assert drawn["dimensions"] == sorted(set(drawn["dimensions"]))
    assert len(drawn["dimensions"]) == min(dimensions, 12)
    assert [len(cells) for cells in drawn["cells"]] == [min(dimensions, 12)] * len(text.split())


def test_a_text_without_a_word_has_no_filters() -> None:
    result = forward_pass(model({}), "", target=1)
    assert result.filters == ()
    assert abs(result.residual) < 1e-5
