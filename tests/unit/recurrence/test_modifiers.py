"""What a modifier does: found in a network that turns the next word's sign, not found in one that only adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from nlpviz.analysis.inspection.modifiers import modifier_effects, pushes
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.sequences import SequenceEncoder, StepwiseClassifier
from nlpviz.results.dynamics import Contexts
from nlpviz.results.modifiers import MODIFIERS, VALENCE, factor
from nlpviz.runs import Run, TrainedModel
from nlpviz.text.vocabulary import Vocabulary

OTHERS = ("door", "house", "river")


@dataclass(frozen=True)
class PlainConfig:
    """Sizes of a network made by hand."""

    vocabulary_size: int
    dimensions: int = 2
    reading: str = "last"
    dropout: float = 0.0
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2


class Turning(SequenceEncoder):
    """A total of what words are worth; one that turns (its second entry) multiplies the next word by 1 − 2 × it."""

    state_size = 2

    def __init__(self) -> None:
        """Build it."""
        super().__init__(1, 1)

    def advance(self, inputs: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return total and turn after a word, and the total."""
        total = state[..., :1] + inputs[..., :1] * (1 - 2 * state[..., 1:])
        return torch.cat([total, inputs[..., 1:]], dim=-1), total

    def term(self) -> ParameterCount:
        """Return none."""
        return ParameterCount("0", 0)


def network(run: Run, turns: dict[str, float]) -> TrainedModel:
    """Return a network in which praise is worth 1, blame −2, and the words of ``turns`` turn the next one."""
    words = [*VALENCE, *MODIFIERS, *OTHERS]
    vocabulary = Vocabulary(words, range(len(words), 0, -1))
    module = StepwiseClassifier(PlainConfig(len(vocabulary)), Turning()).eval().requires_grad_(False)
    module.embedding.weight.zero_()
    for position, word in enumerate(VALENCE):
        module.embedding.weight[vocabulary.id(word), 0] = 1.0 if position < 10 else -2.0
    for word, turn in turns.items():
        module.embedding.weight[vocabulary.id(word), 1] = turn
    module.output.weight.fill_(0.5)
    module.output.bias.fill_(0.1)
    return TrainedModel(replace(run, name="by-hand"), 1, module, vocabulary)


@pytest.fixture
def run(toy_classifiers: Callable[[str], Path]) -> Run:
    """A run, for its name."""
    return Run.open(toy_classifiers("recurrent-network"))


def contexts(totals: Sequence[float]) -> Contexts:
    """Return states with these totals, in which no turn is due."""
    states = np.array([[total, 0.0] for total in totals], dtype=np.float32)
    return Contexts(states, 0.5 * states[:, 0] + np.float32(0.1))


def test_a_word_that_turns_the_next_one_is_found(run: Run) -> None:
    trained = network(run, {"not": 1.0, "hardly": 0.5, "very": -0.5})
    found = modifier_effects(trained, contexts([-1, 0, 3]), 1, OTHERS)
    assert found is not None
    assert found.contexts == 3
    assert np.allclose(found.plain, [0.5] * 10 + [-1.0] * 10, atol=1e-6)
    factors = dict(zip(found.modifiers, found.factors().tolist(), strict=True))
    expected = dict.fromkeys(MODIFIERS, 1.0) | {"not": -1.0, "hardly": 0.0, "very": 2.0}
    assert factors == pytest.approx(expected, abs=1e-5)
    assert found.band() == pytest.approx((1.0, 1.0), abs=1e-5)
    assert np.allclose(found.word_bands(), found.plain, atol=1e-5)


def test_none_is_found_where_words_only_add_up(run: Run) -> None:
    found = modifier_effects(network(run, {}), contexts([0, 1]), 1, OTHERS)
    assert found is not None
    assert np.allclose(found.factors(), 1, atol=1e-5)


def test_a_typed_word_is_asked_as_a_kept_one_is(run: Run) -> None:
    trained = network(run, {"river": 1.0})
    assert np.allclose(pushes(trained, contexts([2, 0]), 1, ["good", "bad"], "river"), [-0.5, 1.0], atol=1e-6)
    assert np.allclose(pushes(trained, contexts([2, 0]), 1, ["good", "bad"], "unheard-of"), [0.5, -1.0], atol=1e-6)


def test_nothing_is_said_without_words_or_a_null(run: Run) -> None:
    trained = network(run, {})
    assert modifier_effects(trained, contexts([0]), 1, ()) is None
    few = TrainedModel(trained.run, 1, trained.module, Vocabulary(["good", "not", "door"], [3, 2, 1]))
    assert modifier_effects(few, contexts([0]), 1, ["door"]) is None


def test_a_factor_is_a_slope_through_zero() -> None:
    plain, modified = np.array([1.0, -2.0, 0.5]), np.array([[1.0, -2.0, 0.5], [-0.5, 1.0, -0.25], [1, 1, 1]])
    slopes = [np.linalg.lstsq(plain[:, None], row, rcond=None)[0][0] for row in modified]
    assert np.allclose(factor(plain, modified), slopes)
