"""The numbers in a cell's equations: they recompute the state that the network had, for every cell and network."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from nlpviz.analysis.inspection.cell_steps import read_step
from nlpviz.analysis.inspection.states import read_states
from nlpviz.networks.architectures import architectures
from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier
from nlpviz.networks.cells import cells
from nlpviz.results.cell_step import CellStep
from nlpviz.runs import Run, TrainedModel

TEXT = "she watched the splendid film and the dreadful book of the day"
CONFIGS = {
    **{f"{name}, two layers": ("recurrent-network", {"cell": name, "layers": 2}) for name in cells()},
    "elman with ReLU": ("recurrent-network", {"cell": "elman", "settings": {"activation": "relu"}}),
    **{f"{name}, both ways": ("recurrent-network", {"cell": name, "bidirectional": True}) for name in ("gru", "lstm")},
    "qrnn": ("qrnn", {"layers": 2}),
    "tcn": ("tcn", {"layers": 3}),
    **{f"skip {name}": ("skip-rnn", {"cell": name, "layers": 2}) for name in ("gru", "lstm")},
    "skip, both ways": ("skip-rnn", {"bidirectional": True}),
}
CLOSE = {"rel": 1e-5, "abs": 2e-5}
NAMES = {
    r"\sigma": "sigma", r"\tanh": "tanh", r"\mathrm{ReLU}": "relu", r"\min": "min", r"\bigl(": "(", r"\bigr)": ")",
    r"\circ": "*", "[": "(", r"> \tfrac12]": "> 0.5)",
}  # fmt: skip
FUNCTIONS = {"sigma": lambda x: 1 / (1 + math.exp(-x)), "tanh": math.tanh, "relu": lambda x: max(x, 0.0), "min": min}


@pytest.fixture(params=CONFIGS.values(), ids=CONFIGS)
def trained(request: pytest.FixtureRequest, toy_classifiers: Callable[[str], Path]) -> TrainedModel:
    """A network of random weights over the toy's words, a little larger than at first, so that gates open and close."""
    architecture, config = request.param
    loaded = Run.open(toy_classifiers("qrnn")).load(0)
    kind = architectures()[architecture]
    torch.manual_seed(3)
    module = kind.build(kind.config(vocabulary_size=len(loaded.vocabulary), dimensions=12, units=8, **config)).eval()
    with torch.no_grad():
        for weights in module.parameters():
            weights.mul_(2).add_(0.1 * torch.randn(weights.shape))
    return replace(loaded, module=module)


def evaluated(line: str, step: CellStep) -> float:
    """Return what the right side of an equation comes to."""
    right = line.split(" = ", 1)[1]
    for symbol in sorted(step.numbers, key=len, reverse=True):
        whole = rf"(?<![\\\w]){re.escape(symbol)}(?![\w'])" if symbol[0] != "\\" else rf"{re.escape(symbol)}(?![\w'])"
        right = re.sub(whole, f"({sum(step.numbers[symbol])!r})", right)
    for tex, name in NAMES.items():
        right = right.replace(tex, name)
    return float(eval(re.sub(r"\) (?=\(|min)", ") * ", right), FUNCTIONS))  # noqa: S307 - an equation of the package


def test_each_equation_holds_and_leads_to_the_state(trained: TrainedModel) -> None:
    states = read_states(trained, TEXT)
    for layer in range(states.layers):
        for unit in range(0, states.units, 3):
            for position in (0, 1, len(states.states) - 1):
                step = read_step(trained, states, position, layer, unit)
                assert step.word == states.text.read[position].word
                for line in step.formula:
                    assert evaluated(line, step) == pytest.approx(
                        step.value(line.split(" = ")[0]), rel=1e-5, abs=2e-5
                    ), line
                held = step.value("h^l_t" if "h^l_t" in step.numbers else "h_t")
                assert held == pytest.approx(states.states[position, layer, unit], **CLOSE)
                for part in states.about:
                    shown = step.value(f"{part.symbol}_t" if part.symbol != r"\tilde u" else r"\tilde u_t")
                    assert shown == pytest.approx(states.parts[part.name][position, layer, unit], **CLOSE), part.name


def test_a_network_that_skips_is_tried_where_it_does(toy_classifiers: Callable[[str], Path]) -> None:
    """The equations above are held to both: a word that is read, and one that is not."""
    trained = Run.open(toy_classifiers("skip-rnn")).load(0)
    with torch.no_grad():
        cell: Any = trained.module.encoder.onward[0]  # type: ignore[union-attr]
        cell.gate_bias.fill_(-0.7)
    states = read_states(trained, TEXT)
    read = states.parts["update"][:, 0, 0]
    assert 0 < read.mean() < 1
    for position in range(len(read)):
        step = read_step(trained, states, position, 0, 1)
        for line in step.formula:
            assert evaluated(line, step) == pytest.approx(step.value(line.split(" = ")[0]), **CLOSE), line
        assert step.value("u_t") == read[position]
        assert step.value("h_t") == pytest.approx(states.states[position, 0, 1], **CLOSE)


def test_summands_are_the_weights_columns(toy_classifiers: Callable[[str], Path]) -> None:
    loaded = Run.open(toy_classifiers("qrnn")).load(0)
    module = RecurrentClassifier(
        architectures()["recurrent-network"].config(
            vocabulary_size=len(loaded.vocabulary), dimensions=12, units=8, cell="lstm", settings={"forget_bias": 1.5}
        )
    ).eval()
    trained = replace(loaded, module=module)
    states = read_states(trained, TEXT)
    step = read_step(trained, states, 4, 0, 5)
    cell: Any = module.encoder.onward[0]  # type: ignore[union-attr]
    x = module.embed(torch.from_numpy(states.text.row).unsqueeze(0))[0, 4].detach().numpy()
    columns = {"g": 5, "i": 13, "f": 21, "o": 29}  # blocks of 8 units
    for gate, column in columns.items():
        assert step.value(f"x_t W_{gate}") == pytest.approx(
            x @ cell.input_weights[:, column].detach().numpy(), abs=1e-6
        )
        by_state = states.states[3, 0] @ cell.recurrent_weights[:, column].detach().numpy()
        assert step.value(f"h_{{t-1}} U_{gate}") == pytest.approx(by_state, abs=1e-6)
    assert [step.value(f"b_{gate}") for gate in "gifo"] == [0, 0, 1.5, 0]
    assert step.value("c_{t-1}") == pytest.approx(states.parts["cell state"][3, 0, 5], abs=1e-6)


def test_what_is_not_there_has_no_step(trained: TrainedModel) -> None:
    states = read_states(trained, TEXT)
    for place in ((12, 0, 0), (-1, 0, 0), (0, states.layers, 0), (0, 0, states.units), (0, 0, -1)):
        with pytest.raises(IndexError, match="no such layer or unit"):
            read_step(trained, states, *place)
    with pytest.raises(IndexError):
        read_step(trained, read_states(trained, ""), 0, 0, 0)


def test_beginnings_of_a_text_are_texts(trained: TrainedModel) -> None:
    """What is said after each word, in one reading, is what the network says of that beginning by itself."""
    states, words = read_states(trained, TEXT), TEXT.split()
    np.testing.assert_array_equal(states.probabilities, states.after[-1])
    for count in (1, 2, 7, len(words)):
        alone = read_states(trained, " ".join(words[:count]))
        ids = torch.from_numpy(alone.text.row).unsqueeze(0)
        module: Any = trained.module
        with torch.inference_mode():
            positive = torch.sigmoid(module.classify(module.embed(ids), module.mask(ids)))[0, 0]
        assert states.after[count - 1, 1] == pytest.approx(float(positive), abs=1e-5)
