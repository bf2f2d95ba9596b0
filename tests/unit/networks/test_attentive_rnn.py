"""The recurrent network with attention, and what it is built of, against PyTorch's packed one and plain formulas."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nlpviz.networks.architectures.attentive_rnn import AttentiveRNN, AttentiveRNNConfig
from nlpviz.networks.layers import Attention, BothWays, drop_words, masked_softmax

LENGTHS = torch.tensor([5, 1, 7, 3])
IDS = torch.tensor([[2, 3, 4, 5, 6, 0, 0], [9, 0, 0, 0, 0, 0, 0], [5, 6, 2, 8, 3, 3, 7], [4, 4, 2, 0, 0, 0, 0]])


def model(cell: str = "gru", **changes: object) -> AttentiveRNN:
    """Return a small network in evaluation mode and double precision; its weights are drawn wide."""
    torch.manual_seed(3)
    config: dict[str, object] = {"vocabulary_size": 12, "dimensions": 4, "units": 3, "attention": 5, "cell": cell}
    network = AttentiveRNN(AttentiveRNNConfig(**config | changes)).double().eval()
    for parameter in network.parameters():
        nn.init.normal_(parameter)
    network.embedding.weight.data[0] = 0
    return network


def packed(recurrent: BothWays, inputs: Tensor, lengths: Tensor) -> Tensor:
    """Return the annotations of PyTorch's bidirectional network with the same weights, its rows packed."""
    kind, size = type(recurrent.onward), recurrent.onward.hidden_size
    peer = kind(inputs.shape[2], size, batch_first=True, bidirectional=True).to(inputs.dtype)
    for suffix, part in (("", recurrent.onward), ("_reverse", recurrent.back)):
        for name, weight in part.named_parameters():
            peer.get_parameter(f"{name}{suffix}").data.copy_(weight)
    rows = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    return pad_packed_sequence(peer(rows)[0], batch_first=True)[0]


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_annotations_and_gradients_are_those_of_a_packed_bidirectional_network(cell: str) -> None:
    network = model(cell)
    inputs = torch.randn(4, 7, 4, dtype=torch.float64, requires_grad=True)
    own = torch.arange(7) < LENGTHS.unsqueeze(1)
    ours, theirs = network.recurrent(inputs, LENGTHS)[own], packed(network.recurrent, inputs, LENGTHS)[own]
    torch.testing.assert_close(ours, theirs)
    direction = torch.randn_like(ours)
    first, second = (torch.autograd.grad(answer, inputs, direction)[0] for answer in (ours, theirs))
    torch.testing.assert_close(first, second)
    assert not first[~own].any()


def test_an_unknown_cell_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown recurrent unit 'rnn'; choose from gru, lstm"):
        BothWays("rnn", 2, 2)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_weights_are_those_of_equation_23(cell: str) -> None:
    """u_t = tanh(W h_t + b), a_t = exp(u_t · u) / sum of them, s = sum of a_t h_t: one text and one word at a time."""
    network = model(cell)
    embedded, mask = network.embed(IDS), network.mask(IDS)
    weights = network.attend(embedded, mask)
    annotations = packed(network.recurrent, embedded, LENGTHS)
    dense, context = network.attention.hidden, network.attention.context
    for text, length in enumerate(LENGTHS.tolist()):
        scores = []
        for annotation in annotations[text, :length]:
            compared = torch.tanh(dense.weight @ annotation + dense.bias)
            scores.append(torch.exp((compared * context).sum()))
        expected = torch.stack(scores) / sum(scores)
        torch.testing.assert_close(weights[text, :length], expected)
        assert not weights[text, length:].any()
        document = sum(weight * annotation for weight, annotation in zip(expected, annotations[text], strict=False))
        torch.testing.assert_close(network.encode(embedded, mask)[text], document)
    logits = network.encode(embedded, mask) @ network.output.weight.T + network.output.bias
    torch.testing.assert_close(network(IDS), logits)


def test_other_weights_take_the_place_of_its_own() -> None:
    network = model()
    embedded, mask = network.embed(IDS), network.mask(IDS)
    own = network.attend(embedded, mask)
    torch.testing.assert_close(network.classify_attending(embedded, mask, own), network(IDS))
    uniform = mask / mask.double().sum(dim=1, keepdim=True)
    rows = zip(network.annotate(embedded, mask), LENGTHS, strict=True)
    expected = network.output(torch.stack([row[:length].mean(0) for row, length in rows]))
    torch.testing.assert_close(network.classify_attending(embedded, mask, uniform), expected)
    assert not torch.allclose(expected, network(IDS))


def test_softmax_of_nothing_is_nothing() -> None:
    scores = torch.tensor([[1e30, 2.0, 3.0], [1.0, 2.0, 3.0]], requires_grad=True)
    weights = masked_softmax(scores, torch.tensor([[False] * 3, [True, False, True]]))
    share = 1 / (1 + torch.e**2)
    torch.testing.assert_close(weights.detach(), torch.tensor([[0.0, 0.0, 0.0], [share, 0.0, 1 - share]]))
    (gradient,) = torch.autograd.grad(weights[:, 0].sum(), scores)
    assert gradient.isfinite().all()


def test_whole_words_are_left_out_in_training_alone() -> None:
    torch.manual_seed(0)
    kept = drop_words(torch.ones(40, 50, 3), 0.3)
    assert set(kept.sum(dim=2).unique().tolist()) == {0.0, 3.0}
    assert kept.mean().item() == pytest.approx(0.7, abs=0.03)
    network = model(word_dropout=0.9, dropout=0.0)
    torch.testing.assert_close(network(IDS), network(IDS))
    assert not torch.allclose(network.train()(IDS), network.eval()(IDS))


def test_several_classes_have_a_logit_each_and_static_vectors_no_gradient() -> None:
    network = model(classes=3, static=True)
    assert network(IDS).shape == (4, 3)
    assert not network.embedding.weight.requires_grad
    assert network.parameter_terms()[0].name == "bidirectional GRU"


def test_terms_are_those_of_the_formulas() -> None:
    """Per direction: three gates and candidates of 3 units, each with 4 inputs, 3 states and two biases."""
    terms = {term.name: term.value for term in model().parameter_terms()}
    assert terms["bidirectional GRU"] == 2 * 3 * 3 * (4 + 3 + 2)
    assert terms["attention"] == 6 * 5 + 5 + 5
    assert {term.name: term.value for term in model("lstm").parameter_terms()}["bidirectional LSTM"] == 2 * 4 * 3 * 9


def test_attention_starts_where_the_seed_says() -> None:
    torch.manual_seed(1)
    first = Attention(4, 3).context
    torch.manual_seed(1)
    assert torch.equal(Attention(4, 3).context, first)
