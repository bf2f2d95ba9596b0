"""The Transformer encoder against PyTorch's own attention, and its fast way against the one that shows its weights."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures.transformer_encoder import TransformerEncoder, TransformerEncoderConfig
from nlpviz.networks.layers import sinusoids

IDS = torch.tensor([[2, 3, 4, 5, 6, 0, 0], [9, 0, 0, 0, 0, 0, 0], [5, 6, 2, 8, 3, 3, 7], [0, 0, 0, 0, 0, 0, 0]])
SIZES = {"dimensions": 5, "width": 8, "layers": 3, "attention_heads": 2, "feed_forward": 6, "max_positions": 7}


def model(**changes: object) -> TransformerEncoder:
    """Return a small network in evaluation mode and double precision."""
    torch.manual_seed(3)
    config = TransformerEncoderConfig(**{"vocabulary_size": 12} | SIZES | changes)
    network = TransformerEncoder(config).double().eval()
    for parameter in network.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.4)
    network.embedding.weight.data[0] = 0
    return network


def plain(network: TransformerEncoder, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Return the document embeddings and the heads (B, L, H, T, T) by PyTorch's multi-head attention."""
    config, mask = network.config, ids != 0
    length = ids.shape[1]
    encodings = network.positions[:length] if config.positions == "learned" else sinusoids(length, config.width)
    words = network.project(network.embed(ids)) * math.sqrt(config.width) + encodings
    heads = []
    for layer in network.layers:
        peer = nn.MultiheadAttention(config.width, config.attention_heads, batch_first=True, dtype=torch.float64)
        peer.in_proj_weight.data.copy_(layer.attention.inward.weight)
        peer.in_proj_bias.data.copy_(layer.attention.inward.bias)
        peer.out_proj.load_state_dict(layer.attention.outward.state_dict())
        normed = layer.attention_norm(words)
        taken, weights = peer(normed, normed, normed, key_padding_mask=~mask, average_attn_weights=False)
        words = words + taken
        norm, inner, _, outer = layer.feed_forward
        words = words + outer(torch.relu(inner(norm(words))))
        heads.append(weights)
    means = [network.norm(row)[own].mean(0) for row, own in zip(words, mask, strict=True)]
    return torch.stack(means), torch.stack(heads, dim=1)


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_answers_and_heads_are_those_of_pytorch(positions: str) -> None:
    network, ids = model(positions=positions), IDS[:3]
    embedded, mask = network.embed(ids), network.mask(ids)
    documents, heads = plain(network, ids)
    torch.testing.assert_close(network.encode(embedded, mask), documents)
    torch.testing.assert_close(network.heads(embedded, mask), heads)
    torch.testing.assert_close(network(ids), documents @ network.output.weight.T + network.output.bias)


def test_rows_sum_to_one_and_padding_is_never_attended() -> None:
    network = model()
    heads = network.heads(network.embed(IDS), network.mask(IDS))
    assert heads.shape == (4, 3, 2, 7, 7)
    torch.testing.assert_close(heads[:3].sum(-1), torch.ones(3, 3, 2, 7, dtype=torch.float64))
    for text, mask in zip(heads, network.mask(IDS), strict=True):
        assert not text[..., ~mask].any()


def test_the_fast_way_is_the_one_that_shows_its_weights() -> None:
    """A text without words among them; gradients too."""
    network = model()
    embedded, mask = network.embed(IDS).detach().requires_grad_(), network.mask(IDS)
    fast = network.classify(embedded, mask)
    shown = network.classify_attending(embedded, mask, network.heads(embedded, mask))
    torch.testing.assert_close(fast, shown)
    first, second = (torch.autograd.grad(logits.sum(), embedded)[0] for logits in (fast, shown))
    torch.testing.assert_close(first, second)
    assert first.isfinite().all()


def test_other_heads_take_the_place_of_its_own() -> None:
    """Where each word attends to itself alone, words meet in the mean only: their order changes nothing else."""
    network = model(positions="learned")
    network.positions.data.zero_()
    ids = IDS[2:3]
    itself = torch.eye(7, dtype=torch.float64).expand(1, 3, 2, 7, 7)
    embedded, mask = network.embed(ids), network.mask(ids)
    alone = network.classify_attending(embedded, mask, itself)
    each = torch.cat([network(ids[:, position : position + 1]) for position in range(7)])
    torch.testing.assert_close(alone, each.mean(0, keepdim=True))
    assert not torch.allclose(alone, network(ids))


def test_sinusoids_are_those_of_section_3_5() -> None:
    table = sinusoids(5, 6)
    for position in range(5):
        for pair in range(3):
            angle = position / 10_000 ** (2 * pair / 6)
            assert table[position, 2 * pair].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, 2 * pair + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_order_matters_through_positions_alone() -> None:
    network, turned = model(), IDS[2:3].flip(1)
    assert not torch.allclose(network(IDS[2:3]), network(turned))
    still = model(positions="learned")
    still.positions.data.zero_()
    torch.testing.assert_close(still(IDS[2:3]), still(turned))


def test_learned_positions_reach_so_far_and_sinusoids_anywhere() -> None:
    ids = torch.full((1, 8), 3)
    with pytest.raises(ValueError, match="has 8 words, but the network has only 7 positions"):
        model(positions="learned")(ids)
    assert model()(ids).isfinite().all()


@pytest.mark.parametrize("changes", [{"width": 9}, {"attention_heads": 3}, {"positions": "none"}], ids=str)
def test_sizes_that_do_not_fit_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must be even and divisible|not 'none'"):
        TransformerEncoderConfig(**{"vocabulary_size": 12} | SIZES | changes)


def test_terms_are_those_of_the_formulas() -> None:
    terms = {term.name: term.value for term in model(positions="learned").parameter_terms()}
    assert terms["projection"] == 5 * 8 + 8
    assert terms["positions"] == 7 * 8
    assert terms["attention"] == 3 * 4 * (8 * 8 + 8)
    assert terms["feed-forward"] == 3 * (8 * 6 + 6 + 6 * 8 + 8)
    assert terms["normalisation"] == 7 * 2 * 8
