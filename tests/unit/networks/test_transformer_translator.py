"""The Transformer encoder-decoder beside PyTorch's own layers with the same weights."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures.transformer_translator import TransformerTranslator, TransformerTranslatorConfig

D, HEADS, FEED = 16, 4, 24
SOURCE = torch.tensor([[4, 2, 9, 3, 3], [5, 1, 7, 0, 0]])
WORDS = torch.tensor([[2, 3, 4, 8], [2, 7, 7, 1]])


@pytest.fixture
def net() -> TransformerTranslator:
    """Two layers with random weights."""
    torch.manual_seed(0)
    config = TransformerTranslatorConfig(11, 9, D, layers=2, heads=HEADS, feed_forward=FEED)
    return TransformerTranslator(config).eval().requires_grad_(False)


def attention(own: Any) -> nn.MultiheadAttention:
    """Return PyTorch's attention with the weights of ours."""
    peer = nn.MultiheadAttention(D, HEADS, batch_first=True)
    peer.in_proj_weight.data = torch.cat([own.queries.weight, own.keys_values.weight])
    peer.in_proj_bias.data = torch.cat([own.queries.bias, own.keys_values.bias])
    peer.out_proj.load_state_dict(own.output.state_dict())
    return peer.eval().requires_grad_(False)


def placed(table: Tensor, ids: Tensor) -> Tensor:
    """Return word vectors with sines and cosines of their positions, entry by entry as section 3.5 has them."""
    vectors = table[ids] * math.sqrt(D)
    for position in range(ids.shape[1]):
        for entry in range(D):
            angle = position / 10_000 ** (2 * (entry // 2) / D)
            vectors[:, position, entry] += math.sin(angle) if entry % 2 == 0 else math.cos(angle)
    return vectors


def encoded(net: TransformerTranslator, padding: Tensor) -> Tensor:
    words = placed(net.source_embedding.weight, SOURCE)
    for own in net._layers(net.encoder):
        normed = own.norm(words)
        words = words + attention(own.attention)(normed, normed, normed, key_padding_mask=padding)[0]
        words = words + own.feed_forward(own.feed_forward_norm(words))
    return net.encoder_norm(words)


def test_it_is_a_transformer(net: TransformerTranslator) -> None:
    padding = SOURCE == 0
    memory = encoded(net, padding)
    words, alignments = placed(net.embedding.weight, WORDS), []
    ahead = torch.ones(4, 4, dtype=torch.bool).triu(1)
    for own in net._layers(net.decoder):
        normed = own.norm(words)
        words = words + attention(own.attention)(normed, normed, normed, attn_mask=ahead)[0]
        looked, weights = attention(own.source_attention)(
            own.source_norm(words), memory, memory, key_padding_mask=padding, average_attn_weights=True
        )
        words = words + looked
        words = words + own.feed_forward(own.feed_forward_norm(words))
        alignments.append(weights)
    decoded, _ = net.decode(WORDS, net.start(SOURCE))
    torch.testing.assert_close(decoded.states, net.decoder_norm(words))
    torch.testing.assert_close(decoded.alignment, alignments[0], msg="the last layer but one")
    torch.testing.assert_close(decoded.alignment.sum(dim=2), torch.ones(2, 4))
    assert decoded.centres is None


def test_a_sentence_is_the_mean_of_its_words(net: TransformerTranslator) -> None:
    memory = encoded(net, SOURCE == 0)
    torch.testing.assert_close(net.encode_source(SOURCE), torch.stack([memory[0].mean(0), memory[1, :3].mean(0)]))


def test_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="12 dimensions cannot be divided among 4 heads"):
        TransformerTranslatorConfig(5, 5, dimensions=12, heads=4)
