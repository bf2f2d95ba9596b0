"""What any language model promises, alone, mixed and with a cache: against plain loops."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from nlpviz.language import Predictor
from nlpviz.language.caches import NeuralCache, UnigramCache
from nlpviz.language.counts import CountPredictor
from nlpviz.language.mixtures import Mixture, best_weight, mixed
from nlpviz.language.networks import AT_ONCE, NetworkPredictor
from nlpviz.networks.architectures.causal_transformer import CausalTransformer, CausalTransformerConfig
from nlpviz.networks.architectures.neural_ngram import NeuralNgram, NeuralNgramConfig
from nlpviz.networks.architectures.recurrent_language_model import RecurrentLanguageConfig, RecurrentLanguageModel
from nlpviz.text.ngrams.kneser_ney import KneserNey
from nlpviz.text.ngrams.trie import count

SIZE, BOUNDARY = 30, 2
TEXT = np.random.default_rng(0).integers(1, SIZE, 60)


def counting() -> CountPredictor:
    words = np.minimum(np.random.default_rng(1).zipf(1.4, 500), SIZE - 1)
    return CountPredictor(KneserNey(count(words, SIZE, 4), 4, (0,)), BOUNDARY)


def recurrent() -> NetworkPredictor:
    torch.manual_seed(0)
    config = RecurrentLanguageConfig(SIZE, 16, units=12, layers=2, cutoffs=(10,))
    return NetworkPredictor(RecurrentLanguageModel(config).eval().requires_grad_(False), BOUNDARY)


def side_by_side() -> NetworkPredictor:
    torch.manual_seed(0)
    config = NeuralNgramConfig(SIZE, 16, order=4, units=20, direct=True)
    return NetworkPredictor(NeuralNgram(config).eval().requires_grad_(False), BOUNDARY)


def attending() -> NetworkPredictor:
    torch.manual_seed(0)
    config = CausalTransformerConfig(SIZE, 16, layers=2, window=7, cutoffs=(8, 20))
    return NetworkPredictor(CausalTransformer(config).eval().requires_grad_(False), BOUNDARY)


MODELS: dict[str, Callable[[], Predictor]] = {
    "counts": counting,
    "recurrent": recurrent,
    "side by side": side_by_side,
    "attending": attending,
    "unigram cache": lambda: UnigramCache(counting(), 20, 0.2),
    "unigram cache of a network": lambda: UnigramCache(recurrent(), 20, 0.2),
    "neural cache": lambda: NeuralCache(recurrent(), 20, 0.5, 0.3),
    "mixture": lambda: Mixture(recurrent(), counting(), 0.6),
    "mixture of a cache": lambda: Mixture(NeuralCache(attending(), 10, 1.0, 0.1), counting(), 0.4),
}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Predictor:
    """Return each kind of model."""
    return MODELS[request.param]()


@pytest.mark.parametrize("cutoffs", [(), (1,), (2, 10), (1, 2, 28)])
@pytest.mark.parametrize("predicts_unknown", [True, False])
def test_a_softmax_band_by_band_is_that_of_all_words(cutoffs: tuple[int, ...], predicts_unknown: bool) -> None:
    torch.manual_seed(0)
    config = RecurrentLanguageConfig(SIZE, 16, units=16, cutoffs=cutoffs, predicts_unknown=predicts_unknown)
    network, words = RecurrentLanguageModel(config).eval(), torch.arange(SIZE)
    hidden = torch.randn(SIZE, 16)
    expected = network.predict(hidden).log_softmax(dim=1)[words, words]
    torch.testing.assert_close(network.log_probabilities(hidden, words), expected.detach())


def test_probabilities_sum_to_one_and_padding_has_none(model: Predictor) -> None:
    found = np.exp(model.distributions(model.begin(), TEXT))
    assert found.shape == (len(TEXT) + 1, SIZE)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    assert not found[:, 0].any()
    assert (found[:, 1:] > 0).all()


def test_reading_finds_the_probabilities_of_the_distribution(model: Predictor) -> None:
    found = model.distributions(model.begin(), TEXT)
    expected = found[np.arange(len(TEXT)), TEXT]
    np.testing.assert_allclose(model.read(model.begin(), TEXT).log_probabilities, expected, atol=1e-5)


@pytest.mark.parametrize("cut", [0, 1, 25, 60])
def test_a_text_in_one_piece_is_the_same_in_two(model: Predictor, cut: int) -> None:
    whole = model.read(model.begin(), TEXT).log_probabilities
    first = model.read(model.begin(), TEXT[:cut])
    second = model.read(first.state, TEXT[cut:])
    np.testing.assert_allclose(np.concatenate([first.log_probabilities, second.log_probabilities]), whole, atol=1e-5)


def test_a_long_text_is_predicted_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory that a softmax band by band takes grows with the square of what is predicted at once."""
    model, words = recurrent(), np.arange(3 * AT_ONCE + 7) % 5 + 2
    whole, rows = model.network.log_probabilities, []

    def noting(hidden: torch.Tensor, came: torch.Tensor) -> torch.Tensor:
        rows.append(len(came))
        return whole(hidden, came)

    monkeypatch.setattr(model.network, "log_probabilities", noting)
    hidden, _ = model.hidden(model.begin(), words)
    found = model.log_probabilities(hidden, words)
    assert rows == [AT_ONCE] * 3 + [7]
    np.testing.assert_allclose(found, model.read(model.begin(), words).log_probabilities, atol=1e-6)


def test_words_are_followed_without_asking_how_likely_they_are(model: Predictor) -> None:
    followed, read = model.after(model.begin(), TEXT), model.read(model.begin(), TEXT).state
    np.testing.assert_allclose(
        model.distributions(followed, TEXT[:2]), model.distributions(read, TEXT[:2]), atol=1e-6, rtol=1e-5
    )


def test_a_state_is_never_changed(model: Predictor) -> None:
    state = model.after(model.begin(), TEXT[:20])
    before = model.distributions(state, TEXT[:0])
    model.read(state, TEXT[20:])
    np.testing.assert_array_equal(model.distributions(state, TEXT[:0]), before)


def test_a_unigram_cache_counts_the_last_words() -> None:
    model = counting()
    cache, own = UnigramCache(model, 7, 0.25), model.read(model.begin(), TEXT).log_probabilities
    expected = []
    for place, word in enumerate(TEXT):
        held = TEXT[max(place - 7, 0) : place]
        share = (held == word).mean() if len(held) else np.exp(own[place])
        expected.append(np.log(0.25 * share + 0.75 * np.exp(own[place])))
    np.testing.assert_allclose(cache.read(cache.begin(), TEXT).log_probabilities, expected)


def test_a_neural_cache_weighs_the_last_words_by_their_states() -> None:
    model = recurrent()
    cache, own = NeuralCache(model, 7, 0.8, 0.25), model.read(model.begin(), TEXT).log_probabilities
    vectors = model.hidden(model.begin(), TEXT)[0].numpy()
    expected = []
    for place, word in enumerate(TEXT):
        held = range(max(place - 7, 0), place)
        weights = np.exp([0.8 * vectors[place] @ vectors[one] for one in held])
        share = weights[TEXT[list(held)] == word].sum() / weights.sum() if held else np.exp(own[place])
        expected.append(np.log(0.25 * share + 0.75 * np.exp(own[place])))
    np.testing.assert_allclose(cache.read(cache.begin(), TEXT).log_probabilities, expected, rtol=1e-5)


def test_the_best_weight_is_the_one_with_which_the_text_is_likeliest() -> None:
    rng = np.random.default_rng(0)
    first, second = (np.log(rng.uniform(0.01, 0.5, 200)) for _ in range(2))
    weights = (0.1, 0.4, 0.7)
    weight, mean = best_weight(first, second, weights)
    means = {one: mixed(first, second, one).mean() for one in weights}
    assert mean == max(means.values())
    assert means[weight] == mean
    np.testing.assert_allclose(mixed(first, second, 0.4), np.log(0.4 * np.exp(first) + 0.6 * np.exp(second)))


def test_a_mixture_of_other_vocabularies_is_refused() -> None:
    other = CountPredictor(KneserNey(count(np.array([1, 2, 1]), 5, 2), 2, (0,)), 1)
    with pytest.raises(ValueError, match="cannot be mixed"):
        Mixture(counting(), other, 0.5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Mixture(counting(), counting(), 1.5)


def test_a_text_of_no_words_has_no_probabilities(model: Predictor) -> None:
    nothing: NDArray[np.int64] = TEXT[:0]
    found = model.read(model.begin(), nothing)
    assert not len(found.log_probabilities)
    np.testing.assert_array_equal(
        model.distributions(found.state, nothing), model.distributions(model.begin(), nothing)
    )
