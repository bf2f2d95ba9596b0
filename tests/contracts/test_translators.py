"""What every translator must do, whatever it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, cast

import pytest
import torch
from torch import nn

from nlpviz.networks.architectures import Decoded, DecoderState, Translator, translators
from nlpviz.text.vocabulary import PAD
from tests.promises import Promises

SETTINGS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "seq2seq": (
        {},
        {"score": "dot", "layers": 2},
        {"score": "concat", "cell": "lstm", "layers": 2, "reverse": True},
        {"attention": "none", "bidirectional": False, "reverse": True},
        {"attention": "local-m", "window": 2},
        {"attention": "local-p", "window": 2, "input_feeding": True, "cell": "lstm"},
    ),
    "transformer-translator": ({}, {"shared": True, "target_size": 12}),
}
CASES = [(name, changes) for name in translators() for changes in SETTINGS.get(name, ({},))]
SOURCE = torch.tensor([[4, 2, 9, 3, 3, 6], [5, 1, 7, 8, 0, 0], [10, 0, 0, 0, 0, 0], [7, 6, 5, 4, 3, 2]])
WORDS = torch.tensor([[2, 3, 4, 8, 5], [2, 7, 7, 1, 3], [2, 5, 3, 3, 9], [2, 2, 1, 6, 4]])


promise = Promises()


@pytest.mark.parametrize(
    ("name", "changes"), CASES, ids=["-".join([name, *map(str, changes.values())]) for name, changes in CASES]
)
def test_a_translator_keeps_its_promises(name: str, changes: Mapping[str, Any], subtests: pytest.Subtests) -> None:
    translator = build(name, changes)
    at_once, _ = translator.decode(WORDS, translator.start(SOURCE))
    promise.ask(subtests, translator=translator, at_once=at_once)


def build(name: str, changes: Mapping[str, Any]) -> Translator:
    """Return an architecture with random weights, in one of its variants."""
    architecture = translators()[name]
    torch.manual_seed(1)
    sizes = {"source_size": 12, "target_size": 10, "dimensions": 16}
    module = architecture.build(architecture.config(**{**sizes, **changes})).eval().requires_grad_(False)
    assert isinstance(module, Translator)
    return module


def rows(state: DecoderState, positions: list[int]) -> DecoderState:
    """Return some rows of a state."""
    return {name: tensor[positions] for name, tensor in state.items()}


@promise
def a_sentence_at_once_and_word_by_word_are_one(translator: Translator, at_once: Decoded) -> None:
    state = translator.start(SOURCE)
    for position in range(WORDS.shape[1]):
        step, state = translator.decode(WORDS[:, position : position + 1], state)
        torch.testing.assert_close(step.states[:, 0], at_once.states[:, position])
        for one, whole in zip(step[1:], at_once[1:], strict=True):
            assert (one is None) == (whole is None)
            if one is not None and whole is not None:
                torch.testing.assert_close(one[:, 0], whole[:, position])


@promise
def a_batch_equals_its_rows(translator: Translator, at_once: Decoded) -> None:
    vectors = translator.encode_source(SOURCE)
    for row, source in enumerate(SOURCE):
        alone = source[source != PAD].unsqueeze(0)
        decoded, _ = translator.decode(WORDS[row : row + 1], translator.start(alone))
        torch.testing.assert_close(decoded.states[0], at_once.states[row])
        torch.testing.assert_close(translator.encode_source(alone)[0], vectors[row])
        if decoded.alignment is not None and at_once.alignment is not None:
            length = alone.shape[1]
            torch.testing.assert_close(decoded.alignment[0], at_once.alignment[row, :, :length])
            assert not at_once.alignment[row, :, length:].any()


@promise
def rows_of_a_state_may_be_chosen_and_doubled(translator: Translator) -> None:
    _, state = translator.decode(WORDS[:, :2], translator.start(SOURCE))
    whole, _ = translator.decode(WORDS[:, 2:3], state)
    some, _ = translator.decode(WORDS[[2, 0, 0], 2:3], rows(state, [2, 0, 0]))
    torch.testing.assert_close(some.states, whole.states[[2, 0, 0]])


@promise
def words_ahead_change_nothing(translator: Translator, at_once: Decoded) -> None:
    changed = WORDS.clone()
    changed[:, 3:] = 5
    other, _ = translator.decode(changed, translator.start(SOURCE))
    torch.testing.assert_close(at_once.states[:, :3], other.states[:, :3])
    assert not torch.allclose(at_once.states[:, 3:], other.states[:, 3:])


@promise
def the_source_matters(translator: Translator) -> None:
    one, _ = translator.decode(WORDS[:1], translator.start(SOURCE[:1]))
    other, _ = translator.decode(WORDS[:1], translator.start(SOURCE[:1].flip(1)))
    assert not torch.allclose(one.states, other.states)


@promise
def padding_is_never_written(translator: Translator, at_once: Decoded) -> None:
    logits = translator.predict(at_once.states)
    assert (logits[..., PAD] == -torch.inf).all()
    assert logits[..., 1:].isfinite().all()
    candidates = torch.tensor([7, 1, 3])
    torch.testing.assert_close(translator.predict(at_once.states, candidates), logits[..., candidates])


@promise
def parameter_terms_are_the_number_of_parameters(translator: Translator) -> None:
    module = cast("nn.Module", translator)
    terms = cast("Any", translator).parameter_terms()
    assert sum(term.value for term in terms) == sum(weight.numel() for weight in module.parameters())
    for term in terms:
        assert eval(term.formula.replace(",", "").replace("×", "*")) == term.value, term  # noqa: S307


@promise
def a_long_source_is_read(translator: Translator) -> None:
    source = torch.randint(1, 12, (1, 300), generator=torch.Generator().manual_seed(0))
    decoded, _ = translator.decode(WORDS[:1], translator.start(source))
    assert decoded.states.isfinite().all()


@promise
def a_gradient_reaches_every_weight(translator: Translator) -> None:
    module = cast("nn.Module", deepcopy(translator)).train().requires_grad_(True)
    copy = cast("Translator", module)
    decoded, _ = copy.decode(WORDS, copy.start(SOURCE))
    copy.predict(decoded.states, torch.arange(1, 10)).logsumexp(-1).sum().backward()
    assert [name for name, weight in module.named_parameters() if weight.grad is None] == []
