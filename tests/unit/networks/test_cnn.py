"""The convolutional network against a plain one, written out window by window."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.networks.architectures.cnn import CNN, CNNConfig
from nlpviz.text.vocabulary import PAD

# Different lengths, one shorter than the longest region, one without a word; no word twice, so that no two windows tie.
IDS = torch.tensor([[2, 3, 4, 5, 6, 7, 8], [9, 3, 10, 2, 0, 0, 0], [5, 6, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]])


def model(**changes: object) -> CNN:
    """Return a small network in evaluation mode; its weights are drawn wide, so that errors are seen."""
    torch.manual_seed(3)
    config: dict[str, object] = {"vocabulary_size": 12, "dimensions": 4, "region_sizes": (1, 2, 4), "filters": 5}
    network = CNN(CNNConfig(**config | changes)).double().eval()
    for parameter in network.parameters():
        nn.init.normal_(parameter)
    network.embedding.weight.data[PAD] = 0
    return network


def plain(network: CNN, ids: Tensor, embedded: Tensor) -> Tensor:
    """Return the logits (B, C) as sections 5.2.1 to 5.2.5 define them, one text and one filter width at a time."""
    documents = []
    for row, words in zip(ids, embedded, strict=True):
        length = int((row != PAD).sum())
        pooled = []
        for convolution, size in zip(network.convolutions, network.config.region_sizes, strict=True):
            if length == 0:
                pooled.append(torch.zeros(network.config.filters * network.config.pooled, dtype=words.dtype))
                continue
            own = functional.pad(words[:length], (0, 0, 0, max(0, size - length)))  # room for one window
            maps = torch.relu(functional.conv1d(own.T, convolution.weight, convolution.bias))  # (F, P)
            best = maps.sort(dim=1, descending=True).values[:, : network.config.pooled]
            pooled.append(functional.pad(best, (0, network.config.pooled - best.shape[1])).flatten())
        documents.append(torch.cat(pooled))
    return torch.stack(documents) @ network.output.weight.T + network.output.bias


CONFIGS = [{}, {"pooled": 2}, {"pooled": 3, "classes": 3}, {"region_sizes": (3,)}]


@pytest.mark.parametrize("ids", [IDS, IDS[:1], IDS[1:2, :4]], ids=["padded", "nothing padded", "as long as a region"])
@pytest.mark.parametrize("changes", CONFIGS, ids=str)
def test_values_and_gradients_are_those_of_a_plain_convolution(changes: dict[str, object], ids: Tensor) -> None:
    network = model(**changes)
    weights = list(network.parameters())
    embedded = network.embed(ids)
    answers, expected = network.classify(embedded, ids != PAD), plain(network, ids, embedded)
    torch.testing.assert_close(answers, expected)
    torch.testing.assert_close(network(ids), expected)
    direction = torch.randn_like(expected)  # a different weight for every logit
    ours = torch.autograd.grad(answers, [embedded, *weights], direction, retain_graph=True)
    theirs = torch.autograd.grad(expected, [embedded, *weights], direction)
    for our, their in zip(ours, theirs, strict=True):
        assert their.abs().max() > 0
        torch.testing.assert_close(our, their)


@pytest.mark.parametrize("row", range(len(IDS)))
@pytest.mark.parametrize("changes", CONFIGS, ids=str)
def test_shares_of_the_word_vectors_are_those_of_a_plain_convolution(changes: dict[str, object], row: int) -> None:
    """Values and gradients, for padded, short and empty texts; at the share zero no window is better than another."""
    network, ids = model(**changes), IDS[row : row + 1]
    embedded = network.embed(ids).detach().requires_grad_()
    alphas = torch.tensor([0.01, 0.3, 0.5, 1.0]).double()
    answers = network.classify_scaled(embedded, ids != PAD, alphas)
    expected = torch.cat([plain(network, ids, share * embedded) for share in alphas])
    torch.testing.assert_close(answers, expected)
    direction = torch.randn_like(expected)
    (ours,) = torch.autograd.grad(answers, embedded, direction)
    theirs = torch.autograd.grad(expected, embedded, direction, allow_unused=True)[0]
    torch.testing.assert_close(ours, torch.zeros_like(ours) if theirs is None else theirs)
    nothing = network.classify_scaled(embedded, ids != PAD, torch.zeros(1).double())
    torch.testing.assert_close(nothing, plain(network, ids, 0 * embedded))
    assert nothing.isfinite().all()


def test_max_pooling_keeps_one_activation_a_filter() -> None:
    network = model()
    embedded = network.embed(IDS[:1])
    convolution = nn.Conv1d(4, 5, 2).double()
    convolution.load_state_dict(network.convolutions[1].state_dict())
    expected = convolution(embedded.transpose(1, 2)).relu().amax(dim=2)
    torch.testing.assert_close(network.encode(embedded, IDS[:1] != PAD)[:, 5:10], expected)


def test_padding_windows_never_win() -> None:
    """With such a bias a window of padding answers 100, more than any of words; nor must its vectors matter."""
    network = model()
    text = torch.tensor([[2, 3, 4]])
    for convolution in network.convolutions:
        nn.init.constant_(convolution.bias, 100.0)
        convolution.weight.data = -convolution.weight.data.abs()
    embedded = network.embed(text).abs()
    alone = network.classify(embedded, text != PAD)
    mask = torch.arange(9).unsqueeze(0) < 3
    for padding in (0.0, -50.0, 50.0):
        padded = torch.cat([embedded, torch.full((1, 6, 4), padding).double()], dim=1)
        torch.testing.assert_close(network.classify(padded, mask), alone)
        scores = network.window_scores(padded, mask)
        assert [branch.isfinite().sum(dim=2).unique().tolist() for branch in scores] == [[3], [2], [1]]


def test_text_shorter_than_the_region_keeps_its_first_window() -> None:
    network = model(region_sizes=(4,))
    text = torch.tensor([[2, 3]])
    weight, bias = network.convolutions[0].weight, network.convolutions[0].bias
    first, second = network.embed(text)[0]
    expected = torch.relu(weight[:, :, 0] @ first + weight[:, :, 1] @ second + bias)
    torch.testing.assert_close(network.encode(network.embed(text), text != PAD), expected.unsqueeze(0))


@pytest.mark.parametrize("length", [0, 1, 9])
def test_text_without_words_gives_the_outputs_bias(length: int) -> None:
    network = model(classes=3)
    for convolution in network.convolutions:
        nn.init.constant_(convolution.bias, 100.0)
    empty = torch.zeros(1, length, dtype=torch.long)
    torch.testing.assert_close(network(empty), network.output.bias.unsqueeze(0))


def test_k_max_pooling_keeps_the_k_largest_and_zeros_where_there_are_fewer_windows() -> None:
    network = model(region_sizes=(1,), filters=1, pooled=3, dimensions=1)
    network.convolutions[0].weight.data.fill_(1)
    network.convolutions[0].bias.data.fill_(0.5)
    embedded = torch.tensor([[[1.0], [4.0], [-3.0], [2.0]], [[1.0], [2.0], [0.0], [0.0]]]).double()
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    assert network.encode(embedded, mask).tolist() == [[4.5, 2.5, 1.5], [2.5, 1.5, 0.0]]


@pytest.mark.parametrize("changes", [{}, {"pooled": 2}], ids=str)
def test_a_batch_equals_its_rows(changes: dict[str, object]) -> None:
    network = model(**changes)
    rows = [network(row[row != PAD].unsqueeze(0)) for row in IDS]
    torch.testing.assert_close(network(IDS), torch.cat(rows))


def test_dropout_acts_in_training_alone() -> None:
    network = model(dropout=0.5, word_dropout=0.5)
    assert torch.equal(network(IDS), network(IDS))
    network.train()
    assert not torch.equal(network(IDS), network(IDS))


def test_word_dropout_leaves_out_whole_words() -> None:
    """Each word of a text of one vector is there or not: the mean of many answers is linear in their share."""
    network = model(region_sizes=(1,), filters=1, dimensions=1, dropout=0.0, word_dropout=0.3).train()
    network.convolutions[0].weight.data.fill_(1)
    network.convolutions[0].bias.data.fill_(0)
    network.output.weight.data.fill_(1)
    network.output.bias.data.fill_(0)
    ones = torch.ones(4000, 1, 1).double()
    answers = network.classify(ones, torch.ones(4000, 1, dtype=torch.bool))
    assert set(answers.flatten().tolist()) == {0.0, 1.0}
    assert answers.mean().item() == pytest.approx(0.7, abs=0.03)


def test_static_word_vectors_stay_as_they_are() -> None:
    network = model(static=True).train()
    before = network.embedding.weight.clone()
    network(IDS).sum().backward()
    assert network.embedding.weight.grad is None
    torch.optim.SGD([weight for weight in network.parameters() if weight.requires_grad], lr=1).step()
    assert torch.equal(network.embedding.weight, before)


def test_paddings_vector_is_zero_and_gets_no_gradient() -> None:
    network = CNN(CNNConfig(vocabulary_size=12, dimensions=4))
    assert not network.embed(torch.tensor([[PAD]])).any()
    network(IDS).sum().backward()
    assert not network.embedding.weight.grad[PAD].any()
    assert network.embedding.weight.grad[5].any()


@pytest.mark.parametrize(
    "changes",
    [{}, {"static": True}, {"classes": 5}, {"pooled": 3}, {"region_sizes": (2,)}, {"region_sizes": (3, 3, 4)}],
    ids=str,
)
def test_terms_add_up_to_the_number_of_trainable_parameters(changes: dict[str, object]) -> None:
    network = model(**changes)
    trainable = sum(parameter.numel() for parameter in network.parameters() if parameter.requires_grad)
    terms = network.parameter_terms()
    assert sum(term.value for term in terms) == trainable
    for term in terms:
        factors = term.formula.replace(",", "").replace("×", "*")
        assert eval(factors) == term.value  # noqa: S307 - digits, stars and plus signs, written by this project
    assert ("word embeddings" in [term.name for term in terms]) is not network.config.static


def test_formula_of_section_5_3_by_hand() -> None:
    """V = 10, d = 4, one region size h = 3, n_f = 6: (V+1) d + (h d n_f + n_f) + (n_f + 1), and the unknown row."""
    network = model(region_sizes=(3,), filters=6)
    in_the_notes = (10 + 1) * 4 + (3 * 4 * 6 + 6) + (6 * 1 + 1)
    unknown_row = 4
    assert sum(term.value for term in network.parameter_terms()) == in_the_notes + unknown_row == 133


def test_region_sizes_that_come_from_json_are_a_tuple() -> None:
    assert CNNConfig(vocabulary_size=5, region_sizes=[1, 2]) == CNNConfig(vocabulary_size=5, region_sizes=(1, 2))
