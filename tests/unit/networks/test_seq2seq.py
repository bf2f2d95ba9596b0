"""The recurrent encoder-decoder beside the formulas of Tixier (2018), section 7.1, worked word by word in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from nlpviz.networks.architectures.seq2seq import Seq2Seq, Seq2SeqConfig

SIZES: Mapping[str, Any] = {"source_size": 11, "target_size": 9, "dimensions": 6, "units": 8}
KINDS: Mapping[str, Mapping[str, Any]] = {
    "dot": {"score": "dot"},
    "general": {"score": "general"},
    "concat": {"score": "concat"},
    "local-m": {"attention": "local-m", "window": 2},
    "local-p": {"attention": "local-p", "window": 2},
    "local-p-dot": {"attention": "local-p", "score": "dot", "window": 1},
    "none": {"attention": "none"},
}
SOURCE = torch.tensor([[4, 2, 9, 3, 3], [5, 1, 7, 0, 0], [10, 0, 0, 0, 0]])
WORDS = torch.tensor([[2, 3, 4, 8], [2, 7, 7, 1], [2, 5, 3, 3]])


def model(seed: int = 0, **changes: Any) -> Seq2Seq:
    torch.manual_seed(seed)
    return Seq2Seq(Seq2SeqConfig(**{**SIZES, **changes})).eval().requires_grad_(False)


def array(tensor: torch.Tensor) -> NDArray[np.float64]:
    return tensor.double().numpy()


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(scores - scores.max())
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares


def gru(cell: torch.nn.GRU, inputs: NDArray[np.float64], state: NDArray[np.float64], suffix: str) -> list[Any]:
    """Return the states of one direction of one layer, as PyTorch defines a GRU."""
    weights = {name: array(value) for name, value in cell.named_parameters()}
    states = []
    for row in inputs:
        left = weights[f"weight_ih_{suffix}"] @ row + weights[f"bias_ih_{suffix}"]
        right = weights[f"weight_hh_{suffix}"] @ state + weights[f"bias_hh_{suffix}"]
        (r1, z1, n1), (r2, z2, n2) = np.split(left, 3), np.split(right, 3)
        reset, update = 1 / (1 + np.exp(-r1 - r2)), 1 / (1 + np.exp(-z1 - z2))
        state = (1 - update) * np.tanh(n1 + reset * n2) + update * state
        states.append(state)
    return states


def by_hand(net: Seq2Seq, source: list[int], words: list[int]) -> tuple[Any, Any, Any]:
    """Return attentional states (T, D), alignment (T, S) and centres (T,), one word at a time, places from 1."""
    config, half = net.config, net.config.units // 2
    vectors = array(net.source_embedding.weight)[source]
    onward = gru(net.encoder, vectors, np.zeros(half), "l0")
    backward = gru(net.encoder, vectors[::-1], np.zeros(half), "l0_reverse")[::-1]
    annotations = np.array([np.concatenate(both) for both in zip(onward, backward, strict=True)])
    first = np.concatenate([onward[-1], backward[0]])
    states = gru(net.decoder, array(net.embedding.weight)[words], first, "l0")
    attended, alignments, centres = [], [], []
    for time, state in enumerate(states, start=1):
        if net.attention is None:
            attended.append(np.tanh(array(net.combine.weight) @ state))
            continue
        parts = {name: array(value) for name, value in net.attention.named_parameters()}
        if config.score == "dot":
            scores = np.array([state @ one for one in annotations])
        elif config.score == "general":
            scores = np.array([state @ parts["matrix.weight"] @ one for one in annotations])
        else:
            both = [np.concatenate([state, one]) for one in annotations]
            scores = np.array([parts["vector.weight"][0] @ np.tanh(parts["matrix.weight"] @ one) for one in both])
        length = len(source)
        if config.attention == "global":
            weights = softmax(scores)
        else:
            if config.attention == "local-m":
                centre = float(min(time, length))
            else:
                hidden = np.tanh(parts["place_matrix.weight"] @ state)
                centre = length / (1 + np.exp(-(parts["place_vector.weight"][0] @ hidden)))
            weights = np.zeros(length)
            inside = [position for position in range(1, length + 1) if abs(position - centre) <= config.window]
            shares = softmax(scores[[position - 1 for position in inside]])
            for position, share in zip(inside, shares, strict=True):
                sigma = config.window / 2
                weights[position - 1] = share * np.exp(-((position - centre) ** 2) / (2 * sigma**2))
            centres.append(centre)
        alignments.append(weights)
        attended.append(np.tanh(array(net.combine.weight) @ np.concatenate([weights @ annotations, state])))
    return np.array(attended), np.array(alignments), np.array(centres)


@pytest.mark.parametrize("kind", KINDS)
def test_each_attention_is_that_of_the_formulas(kind: str) -> None:
    net = model(**KINDS[kind])
    decoded, _ = net.decode(WORDS, net.start(SOURCE))
    for row, words in enumerate(WORDS.tolist()):
        source = [word for word in SOURCE[row].tolist() if word]
        states, alignment, centres = by_hand(net, source, words)
        np.testing.assert_allclose(decoded.states[row].numpy(), states, atol=1e-5)
        if kind == "none":
            assert decoded.alignment is None
        else:
            assert decoded.alignment is not None
            np.testing.assert_allclose(decoded.alignment[row, :, : len(source)].numpy(), alignment, atol=1e-5)
            assert not decoded.alignment[row, :, len(source) :].any(), "padding gets nothing"
        if kind.startswith("local"):
            assert decoded.centres is not None
            np.testing.assert_allclose(decoded.centres[row].numpy(), centres, atol=1e-5)
        else:
            assert decoded.centres is None


@pytest.mark.parametrize("kind", ["dot", "general", "concat"])
def test_global_alignments_sum_to_one(kind: str) -> None:
    net = model(**KINDS[kind])
    alignment = net.decode(WORDS, net.start(SOURCE))[0].alignment
    assert alignment is not None
    torch.testing.assert_close(alignment.sum(dim=2), torch.ones(3, 4))


@pytest.mark.parametrize("kind", ["local-m", "local-p"])
def test_local_alignments_lose_what_the_gaussian_takes(kind: str) -> None:
    net = model(**KINDS[kind])
    decoded, _ = net.decode(WORDS, net.start(SOURCE))
    assert decoded.alignment is not None
    assert decoded.centres is not None
    assert (decoded.alignment.sum(dim=2) <= 1 + 1e-6).all()
    positions = torch.arange(1, 6)
    outside = (positions - decoded.centres.unsqueeze(2)).abs() > 2
    assert not decoded.alignment[outside].any()
    offsets = positions - decoded.centres.unsqueeze(2)
    within = decoded.alignment / torch.exp(-offsets.square() / 2) * ~outside  # D = 2: sigma = 1
    torch.testing.assert_close(within.sum(dim=2), torch.ones(3, 4))


def test_a_local_window_is_never_empty() -> None:
    """However far the monotonic place runs beyond the source, and wherever the predicted one comes to lie."""
    words = torch.full((1, 30), 3)
    for attention in ("local-m", "local-p"):
        net = model(attention=attention, window=1)
        if attention == "local-p":
            net.attention.place_vector.weight.fill_(50)
        alignment = net.decode(words, net.start(torch.tensor([[4, 5, 6]])))[0].alignment
        assert alignment is not None
        assert alignment.isfinite().all()
        assert (alignment.sum(dim=2) > 0).all()


def test_a_reversed_source_keeps_the_places_of_its_words() -> None:
    """The encoder of a reversed source reads it from its end; its alignment is in the order of the words."""
    net, reversing = (model(bidirectional=False, reverse=reverse) for reverse in (False, True))
    for row in ([4, 2, 9, 3, 3], [5, 1, 7]):
        plain = net.decode(WORDS[:1], net.start(torch.tensor([row[::-1]])))[0]
        turned = reversing.decode(WORDS[:1], reversing.start(torch.tensor([row])))[0]
        torch.testing.assert_close(plain.states, turned.states)
        assert plain.alignment is not None
        assert turned.alignment is not None
        torch.testing.assert_close(plain.alignment.flip(2), turned.alignment)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_input_feeding_hands_on_the_attentional_state(cell: str) -> None:
    net = model(cell=cell, input_feeding=True)
    state = net.start(SOURCE)
    fed = torch.zeros(3, 6)
    for position in range(4):
        assert torch.equal(state["fed"], fed)
        decoded, state = net.decode(WORDS[:, position : position + 1], state)
        fed = decoded.states[:, 0]
    at_once, _ = net.decode(WORDS, net.start(SOURCE))
    torch.testing.assert_close(at_once.states[:, -1], fed)
    other = model(cell=cell, input_feeding=True)
    other.decoder.weight_ih_l0[:, 6:] = 0
    assert not torch.allclose(other.decode(WORDS, other.start(SOURCE))[0].states[:, 1:], at_once.states[:, 1:])


def test_the_output_layer_reads_the_target_vectors_and_writes_no_padding() -> None:
    net = model()
    states = torch.randn(2, 3, 6)
    logits = net.predict(states)
    torch.testing.assert_close(logits[..., 1:], (states @ net.embedding.weight.T + net.bias)[..., 1:])
    assert (logits[..., 0] == -torch.inf).all()
    torch.testing.assert_close(net.predict(states, torch.tensor([5, 2])), logits[..., [5, 2]])


def test_what_there_is_not_is_refused() -> None:
    for wrong in ({"attention": "hard"}, {"score": "cosine"}, {"cell": "rnn"}):
        with pytest.raises(ValueError, match="unknown attention, score or cell"):
            Seq2SeqConfig(**{**SIZES, **wrong})
    for window in (0, -1):
        with pytest.raises(ValueError, match=f"either side, not {window}"):
            Seq2SeqConfig(**{**SIZES, "attention": "local-p", "window": window})
    with pytest.raises(ValueError, match="7 units cannot be divided equally between two directions"):
        Seq2SeqConfig(**{**SIZES, "units": 7, "bidirectional": True})
