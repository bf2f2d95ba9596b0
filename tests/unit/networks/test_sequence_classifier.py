"""Networks that read word by word, with every encoder and every reading of its states, in double precision."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Recurrent, WordByWord, architectures, padded
from nlpviz.networks.sequences import READINGS
from nlpviz.text.vocabulary import PAD
from nlpviz.training import accelerator_for
from nlpviz.training.fit import fit
from tests import toy

RNN = "recurrent-network"
ENCODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "lstm": (RNN, {"cell": "lstm", "layers": 2}),
    "bidirectional gru": (RNN, {"cell": "gru", "layers": 2, "bidirectional": True}),
    "elman": (RNN, {"cell": "elman"}),
    "gated": (RNN, {"cell": "gated"}),
    "qrnn": ("qrnn", {"layers": 2}),
    "tcn": ("tcn", {"layers": 2}),
    "skip gru": ("skip-rnn", {"layers": 2}),
    "bidirectional skip lstm": ("skip-rnn", {"cell": "lstm", "bidirectional": True}),
}
CAUSAL = [name for name in ENCODERS if "bidirectional" not in name]
TEXTS = [[2, 3, 4, 5, 6, 7, 8], [9, 3, 10], [], [5], [4, 4, 11, 2]]
IDS = padded([np.array(text, dtype=np.int64) for text in TEXTS])


def model(encoder: str, **changes: object) -> nn.Module:
    """Return a small network; its weights are drawn so wide that gates of every kind are open, closed and between."""
    torch.manual_seed(11)
    name, config = ENCODERS[encoder]
    architecture = architectures()[name]
    small = {"vocabulary_size": 12, "dimensions": 3, "units": 4, **config, **changes}
    built = architecture.build(architecture.config(**small)).double().eval()
    for weights in built.parameters():
        nn.init.normal_(weights, std=0.8)
    built.embedding.weight.data[PAD] = 0
    return built


def states_of(network: nn.Module, text: list[int]) -> Tensor:
    """Return the last layer's states (T, E) of one text."""
    ids = torch.tensor([text])
    return network.encoder(network.embed(ids), torch.tensor([len(text)]))[0]


@pytest.mark.parametrize("encoder", ENCODERS)
def test_what_the_protocols_ask(encoder: str) -> None:
    network = model(encoder)
    assert isinstance(network, WordByWord)
    assert isinstance(network, Recurrent) is (encoder != "tcn")
    assert network.causal is (encoder in CAUSAL)


@pytest.mark.parametrize(
    ("encoder", "layers"),
    [
        ("lstm", "recurrent layers (LSTM)"),
        ("qrnn", "quasi-recurrent layers"),
        ("tcn", "temporal blocks"),
        ("skip gru", "skipping recurrent layers (GRU)"),
    ],
)
def test_parameters_are_counted_by_what_they_belong_to(encoder: str, layers: str) -> None:
    terms = model(encoder).parameter_terms()  # type: ignore[operator]
    assert [term.name for term in terms] == ["word embeddings", layers, "output layer"]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("encoder", ENCODERS)
def test_a_text_is_read_off_its_own_states(encoder: str, reading: str) -> None:
    """In a batch as alone, with padding or without; an empty text has the embedding zero."""
    network = model(encoder, reading=reading)
    mask = network.mask(IDS)
    encoded = network.encode(network.embed(IDS), mask)
    for row, text in enumerate(TEXTS):
        if not text:
            assert not encoded[row].any()
            continue
        states = states_of(network, text)
        if reading == "mean":
            expected = sum(states) / len(text)
        elif reading == "max":
            expected = torch.stack([max(unit) for unit in states.T])
        elif network.causal:
            expected = states[-1]
        else:  # each direction has read the whole text at its own end
            expected = torch.cat([states[-1, :4], states[0, 4:]])
        torch.testing.assert_close(encoded[row], expected)
    torch.testing.assert_close(network(IDS), encoded @ network.output.weight.T + network.output.bias)
    wider = torch.cat([IDS, torch.full((len(IDS), 5), PAD)], dim=1)
    torch.testing.assert_close(network(wider), network(IDS))


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("encoder", ENCODERS)
def test_what_it_would_say_if_the_text_ended_here(encoder: str, reading: str) -> None:
    network = model(encoder, reading=reading, classes=3)
    after = network.classify_prefixes(network.embed(IDS), network.mask(IDS))
    assert after.shape == (*IDS.shape, 3)
    for row, text in enumerate(TEXTS):
        for end in range(1, len(text) + 1):
            torch.testing.assert_close(after[row, end - 1], network(torch.tensor([text[:end]]))[0])


@pytest.mark.parametrize("encoder", CAUSAL)
def test_no_state_depends_on_a_later_word(encoder: str) -> None:
    network = model(encoder)
    text, other = [2, 3, 4, 5, 6], [2, 3, 4, 9, 10]
    one, two = states_of(network, text), states_of(network, other)
    assert torch.equal(one[:3], two[:3])
    assert not torch.isclose(one[3:], two[3:]).all()


@pytest.mark.parametrize("encoder", ENCODERS)
def test_the_last_layer_of_what_is_unrolled_is_what_is_read(encoder: str) -> None:
    network = model(encoder)
    embedded, mask = network.embed(IDS), network.mask(IDS)
    unrolled = network.unroll(embedded, mask)
    layers = network.encoder.layers
    assert unrolled.states.shape == (*IDS.shape, layers, network.encoder.size)
    assert not unrolled.states.requires_grad
    for row, text in enumerate(TEXTS):
        if text:
            torch.testing.assert_close(unrolled.states[row, : len(text), -1], states_of(network, text))
    assert list(unrolled.parts) == [part.name for part in network.parts]
    for part in network.parts:
        values = unrolled.parts[part.name]
        assert values.shape == unrolled.states.shape
        assert not part.is_gate or ((values >= 0) & (values <= 1)).all()


@pytest.mark.parametrize("encoder", [name for name in CAUSAL if name != "tcn"])
def test_advancing_is_reading(encoder: str) -> None:
    network, text = model(encoder), TEXTS[0]
    state, states = torch.zeros(network.state_size, dtype=torch.double), states_of(network, text)
    for word, expected in zip(network.embed(torch.tensor(text)), states, strict=True):
        state, shown = network.advance(word, state)
        torch.testing.assert_close(shown, expected)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_texts_without_words(encoder: str) -> None:
    network = model(encoder)
    nothing = torch.zeros(2, 0, dtype=torch.long)
    embedded, mask = network.embed(nothing), network.mask(nothing)
    assert torch.equal(network(nothing), network.output.bias.detach().expand(2, 1))
    assert network.classify_prefixes(embedded, mask).shape == (2, 0, 1)
    unrolled = network.unroll(embedded, mask)
    assert unrolled.states.shape == (2, 0, network.encoder.layers, network.encoder.size)
    assert all(values.shape == unrolled.states.shape for values in unrolled.parts.values())
    only_padding = torch.zeros(1, 3, dtype=torch.long)
    assert torch.equal(network(only_padding), network(nothing)[:1])


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("encoder", ENCODERS)
def test_terms_add_up_to_what_is_trained(encoder: str, static: bool) -> None:
    network = model(encoder, static=static)
    terms = network.parameter_terms()
    assert sum(term.value for term in terms) == sum(w.numel() for w in network.parameters() if w.requires_grad)
    assert [term.name == "word embeddings" for term in terms].count(True) == (not static)
    for term in terms:
        assert eval(re.sub(r"(?<=\d),(?=\d)", "", term.formula).replace("×", "*")) == term.value  # noqa: S307


@pytest.mark.parametrize("encoder", ENCODERS)
def test_whole_words_are_left_out_in_training_alone(encoder: str) -> None:
    network = model(encoder, word_dropout=0.5, dropout=0.0, layers=1)
    torch.testing.assert_close(network(IDS), network(IDS))
    answers = []
    for _ in range(2):
        answered = network.train()(IDS)
        answers.append(getattr(answered, "logits", answered))
    assert not torch.allclose(*answers)


@pytest.mark.parametrize(
    ("encoder", "changes", "message"),
    [
        ("lstm", {"cell": "peephole"}, "no recurrent cell 'peephole'; choose one of elman, gated, gru, lstm"),
        ("lstm", {"settings": {"update_bias": 1.0}}, "the cell 'lstm' has no setting update_bias"),
        ("skip gru", {"cell": "peephole"}, "no recurrent cell 'peephole'; choose one of elman, gated, gru, lstm"),
        ("elman", {"settings": {"activation": "sine"}}, "does not support the activation 'sine'"),
        *((name, {"reading": "first"}, "unknown reading 'first'; choose from last, mean, max") for name in ENCODERS),
    ],
)
def test_what_there_is_not_is_refused(encoder: str, changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model(encoder, **changes)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("architecture", "changes"),
    [
        (RNN, {"cell": "elman"}),
        (RNN, {"cell": "elman", "settings": {"activation": "relu"}}),
        (RNN, {"cell": "gated"}),
        (RNN, {"cell": "lstm"}),
        (RNN, {"cell": "lstm", "bidirectional": True, "layers": 2, "reading": "mean"}),
        ("skip-rnn", {"cell": "lstm"}),
        ("qrnn", {"layers": 2, "reading": "last"}),
    ],
    ids=str,
)
def test_a_planted_rule_is_learnt(architecture: str, changes: dict[str, object], tmp_path: Path) -> None:
    """The contracts ask this of every architecture as it is by default; here of the cells that are not."""
    known, train = architectures()[architecture], toy.labelled("train")
    torch.manual_seed(0)
    network = known.build(known.config(vocabulary_size=len(toy.vocabulary().words) + 2, units=32, **changes))
    fit(network, train, toy.labelled("test"), toy.with_fit(clip=1.0), tmp_path, accelerator_for("cpu"))
    records = network.eval()(padded(toy.labelled("test").ids))[:, 0] > 0
    assert (records.numpy() == toy.labelled("test").labels).mean() >= 0.95
