"""The hierarchical attention network against a plain one, written out sentence by sentence."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures.han import HAN, HANConfig
from nlpviz.networks.layers import Attention, BothWays
from nlpviz.text.vocabulary import SENTENCE

# The words of each sentence of each text: sentences of many lengths, one text of one sentence, one of one word, none.
TEXTS = [[[2, 3, 4, 5, 6, 7, 8], [9], [3, 10, 2]], [[5, 6, 7, 8]], [[4]], [[3, 4], [5, 6], [7, 8, 9], [2]], []]


def row(sentences: list[list[int]], length: int) -> Tensor:
    """Return a text's packed ids, padded to ``length``."""
    words = [word + number * SENTENCE for number, sentence in enumerate(sentences) for word in sentence]
    return torch.tensor(words + [0] * (length - len(words)))


IDS = torch.stack([row(text, 12) for text in TEXTS])


def model(**changes: object) -> HAN:
    """Return a small network in evaluation mode and double precision; its weights are drawn wide."""
    torch.manual_seed(3)
    config: dict[str, object] = {"vocabulary_size": 12, "dimensions": 4, "units": 3, "attention": 5}
    network = HAN(HANConfig(**config | changes)).double().eval()
    for parameter in network.parameters():
        nn.init.normal_(parameter)
    network.embedding.weight.data[0] = 0
    return network


def both_ways(recurrent: BothWays, inputs: Tensor) -> Tensor:
    """Return the annotations (T, 2 * units) of one sequence (T, D)."""
    onward, back = recurrent.onward(inputs[None])[0][0], recurrent.back(inputs.flip(0)[None])[0][0].flip(0)
    return torch.cat([onward, back], dim=1)


def weights_of(attention: Attention, annotations: Tensor) -> Tensor:
    """Return the softmax of tanh(W h + b) · u, one annotation at a time."""
    dense = attention.hidden
    scores = [torch.tanh(dense.weight @ annotation + dense.bias) @ attention.context for annotation in annotations]
    return torch.stack(scores).exp() / torch.stack(scores).exp().sum()


def plain(network: HAN, text: list[list[int]]) -> tuple[Tensor, list[Tensor], Tensor]:
    """Return the document embedding of one text, the weights within each sentence, and those of the sentences."""
    vectors, within = [], []
    for sentence in text:
        annotations = both_ways(network.word_recurrent, network.embedding.weight[torch.tensor(sentence)])
        within.append(weights_of(network.word_attention, annotations))
        vectors.append(within[-1] @ annotations)
    annotations = both_ways(network.sentence_recurrent, torch.stack(vectors))
    weights = weights_of(network.sentence_attention, annotations)
    return weights @ annotations, within, weights


def test_answers_and_weights_are_those_of_equations_1_to_10() -> None:
    network = model()
    embedded, mask = network.embed(IDS), network.mask(IDS)
    documents = network.encode(embedded, mask)
    words, sentences = network.attend_levels(embedded, mask)
    whole = network.attend(embedded, mask)
    for position, text in enumerate(TEXTS[:-1]):
        document, within, weights = plain(network, text)
        count, many = sum(map(len, text)), len(text)
        torch.testing.assert_close(documents[position], document)
        torch.testing.assert_close(words[position, :count], torch.cat(within))
        torch.testing.assert_close(sentences[position, :many], weights)
        product = torch.cat([share * weight for share, weight in zip(within, weights, strict=True)])
        torch.testing.assert_close(whole[position, :count], product)
        assert not words[position, count:].any()
        assert not whole[position, count:].any()
        assert not sentences[position, many:].any()
    for nothing in (documents, words, sentences, whole):
        assert not nothing[-1].any(), "a text without words has no weights"
    torch.testing.assert_close(network(IDS), network.output(documents))


def test_gradients_are_those_of_the_plain_network() -> None:
    network = model()
    weights = [network.embedding.weight, *network.word_recurrent.parameters(), *network.sentence_recurrent.parameters()]
    ours = torch.autograd.grad(network.encode(network.embed(IDS), network.mask(IDS)).square().sum(), weights)
    theirs = torch.autograd.grad(sum(plain(network, text)[0].square().sum() for text in TEXTS[:-1]), weights)
    for first, second in zip(ours, theirs, strict=True):
        torch.testing.assert_close(first, second)


def test_one_sentence_has_the_whole_weight() -> None:
    network = model()
    words, sentences = network.attend_levels(network.embed(IDS[1:2]), network.mask(IDS[1:2]))
    assert sentences.tolist() == [[1.0]]
    assert torch.equal(network.attend(network.embed(IDS[1:2]), network.mask(IDS[1:2])), words)


def test_ids_without_sentences_are_one_sentence() -> None:
    network = model()
    torch.testing.assert_close(network(torch.tensor([[5, 6, 7, 8, 0]])), network(IDS[1:2]))


def test_other_weights_take_the_place_of_its_own() -> None:
    network = model()
    embedded, mask = network.embed(IDS), network.mask(IDS)
    words, sentences = network.attend_levels(embedded, mask)
    torch.testing.assert_close(network.classify_attending(embedded, mask, words, sentences), network(IDS))
    whole = network.attend(embedded, mask)
    torch.testing.assert_close(network.classify_attending(embedded, mask, whole), network(IDS))


def test_uniform_weights_are_means() -> None:
    network = model()
    embedded, mask = network.embed(IDS[:1]), network.mask(IDS[:1])
    means = [
        both_ways(network.word_recurrent, network.embedding.weight[torch.tensor(sentence)]).mean(0)
        for sentence in TEXTS[0]
    ]
    expected = network.output(both_ways(network.sentence_recurrent, torch.stack(means)).mean(0))
    within = torch.tensor([[1 / 7] * 7 + [1.0] + [1 / 3] * 3 + [0.0]], dtype=torch.float64)
    thirds = torch.full((1, 3), 1 / 3, dtype=torch.float64)
    torch.testing.assert_close(network.classify_attending(embedded, mask, within, thirds)[0], expected)
    of_document = within * torch.tensor([[1 / 3] * 11 + [0.0]], dtype=torch.float64)
    torch.testing.assert_close(network.classify_attending(embedded, mask, of_document)[0], expected)


def test_a_word_without_weight_is_not_read_and_a_sentence_without_weight_is_a_zero_vector() -> None:
    network = model()
    embedded, mask = network.embed(IDS[:1]), network.mask(IDS[:1])
    weights = torch.zeros(1, 12, dtype=torch.float64)
    weights[0, 2], weights[0, 8] = 0.25, 0.75  # a word of the first sentence, one of the third, none of the second
    first = both_ways(network.word_recurrent, network.embedding.weight[torch.tensor(TEXTS[0][0])])[2]
    third = both_ways(network.word_recurrent, network.embedding.weight[torch.tensor(TEXTS[0][2])])[0]
    annotations = both_ways(network.sentence_recurrent, torch.stack([first, torch.zeros_like(first), third]))
    expected = network.output(0.25 * annotations[0] + 0.75 * annotations[2])
    torch.testing.assert_close(network.classify_attending(embedded, mask, weights)[0], expected)


def test_a_sentence_whose_words_are_taken_out_is_gone() -> None:
    """Deletion leaves gaps in the numbers: the text is that of the sentences that are left."""
    network = model()
    kept = IDS[:1, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]]  # the second sentence's one word is taken out
    assert network.mask(kept).unique().tolist() == [1, 3]
    fresh = row([TEXTS[0][0], TEXTS[0][2]], 10)[None]
    torch.testing.assert_close(network(kept), network(fresh))
    _, sentences = network.attend_levels(network.embed(kept), network.mask(kept))
    _, expected = network.attend_levels(network.embed(fresh), network.mask(fresh))
    torch.testing.assert_close(sentences[:, [0, 2]], expected)
    assert sentences[0, 1] == 0


@pytest.mark.parametrize(
    "text",
    [[[2] * 1000], [[3, 4, 5]] * 300, [[2] * 400, [3]], [[3]] * 50 + [[4] * 90]],
    ids=["a thousand words", "three hundred sentences", "long and short", "short and long"],
)
def test_long_texts_are_read_whole(text: list[list[int]]) -> None:
    network = model()
    ids = row(text, sum(map(len, text)))[None]
    document, within, weights = plain(network, text)
    torch.testing.assert_close(network.encode(network.embed(ids), network.mask(ids))[0], document)
    words, sentences = network.attend_levels(network.embed(ids), network.mask(ids))
    torch.testing.assert_close(words[0], torch.cat(within))
    torch.testing.assert_close(sentences[0], weights)


def test_terms_are_those_of_the_formulas() -> None:
    terms = {term.name: term.value for term in model().parameter_terms()}
    assert terms["bidirectional GRU over words"] == 2 * 3 * 3 * (4 + 3 + 2)
    assert terms["bidirectional GRU over sentences"] == 2 * 3 * 3 * (6 + 3 + 2)
    assert terms["attention over words"] == terms["attention over sentences"] == 6 * 5 + 5 + 5
    assert model(static=True).parameter_terms()[0].name == "bidirectional GRU over words"
