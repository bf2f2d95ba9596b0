"""Language models with a cache: recent words are likely to recur.

Kuhn and De Mori (1990), *A cache-based natural language model*: the last words, each as likely as it was frequent.
Grave, Joulin and Usunier (2017), *Improving Neural Language Models with a Continuous Cache*: those words above all that
came in a state like the present one. Either wraps another model, and its text begins with an empty cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.language import Ids, LogProbabilities, Predictor, WordsRead
from nlpviz.language.mixtures import mixed
from nlpviz.language.networks import NetworkPredictor, NetworkState

_BLOCK = 512
"""Words that a neural cache compares at once with those before them."""


class CacheState(NamedTuple):
    """A model's own state, and the last words."""

    inner: Any
    words: Ids


class UnigramCache:
    """p(w) = (1 − λ) p_model(w) + λ c(w) / n: c counts the last n words."""

    def __init__(self, model: Predictor, window: int, weight: float) -> None:
        """Wrap ``model``.

        Args:
            model: any.
            window: how many words the cache holds at most.
            weight: λ; as long as the cache is empty, the model's own probabilities stay.
        """
        self.model, self.window, self.weight = model, window, weight

    @property
    def size(self) -> int:
        """V."""
        return self.model.size

    def begin(self) -> CacheState:
        """Return the model's state before the first word, and an empty cache."""
        return CacheState(self.model.begin(), np.empty(0, dtype=np.int64))

    def read(self, state: CacheState, words: Ids) -> WordsRead:
        """Return the log-probability of each word, and the state after the last one."""
        own = self.model.read(state.inner, words)
        cached = cache_log_probabilities(words, state.words, self.window)
        return WordsRead(with_cache(own.log_probabilities, cached, self.weight), self._after(state, own.state, words))

    def after(self, state: CacheState, words: Ids) -> CacheState:
        """Return the model's state after ``words`` (T,), and the last of them."""
        return self._after(state, self.model.after(state.inner, words), words)

    def distributions(self, state: CacheState, words: Ids) -> LogProbabilities:
        """Return the log-probabilities of all ids before each word and after the last, (T + 1, V)."""
        text = np.concatenate([state.words, words])
        own = self.model.distributions(state.inner, words)
        cached = np.full(own.shape, np.nan)
        for row, end in zip(cached, range(len(state.words), len(text) + 1), strict=True):
            held = text[max(end - self.window, 0) : end]
            if len(held):
                with np.errstate(divide="ignore"):
                    row[:] = np.log(np.bincount(held, minlength=self.size) / len(held))
        return with_cache(own, cached, self.weight)

    def _after(self, state: CacheState, inner: Any, words: Ids) -> CacheState:  # noqa: ANN401
        read = np.concatenate([state.words, words])
        return CacheState(inner, read[max(len(read) - self.window, 0) :])


def cache_log_probabilities(words: Ids, before: Ids, window: int) -> NDArray[np.float64]:
    """Return log(c(w) / n) of each of ``words`` (T,) in the ``window`` words before it; NaN where there are none.

    Args:
        words: ids.
        before: words that stand before them.
        window: n at most.
    """
    text = np.concatenate([before, words]).astype(np.int64)
    place = np.arange(len(text))
    order = np.argsort(text, kind="stable")  # occurrences of one word after another, each in the order of the text
    # Sorted by word, then place, the occurrences of a word in the window are an interval that ends at its own place.
    key = text * (len(text) + 1) + place
    first = np.searchsorted(key[order], text * (len(text) + 1) + np.maximum(place - window, 0))
    count = np.empty(len(text), dtype=np.int64)
    count[order] = np.arange(len(text))
    count -= first
    held = np.minimum(place, window)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(np.where(held > 0, count / held, np.nan))[len(before) :]


def with_cache(own: LogProbabilities, cached: LogProbabilities, weight: float) -> LogProbabilities:
    """Return a model's log-probabilities mixed with a cache's; where the cache is empty (NaN), the model's own.

    Args:
        own: the model's, any shape.
        cached: the cache's, as many.
        weight: λ, of the cache.
    """
    return np.where(np.isnan(cached), own, mixed(np.nan_to_num(cached, nan=-np.inf), own, weight) if weight else own)


class NeuralState(NamedTuple):
    """A network's state, and the last words with the vectors that they were predicted from, (n, D)."""

    inner: NetworkState
    words: Ids
    keys: Tensor


class NeuralCache:
    """p(w) = (1 − λ) p_network(w) + λ Σ_i 1{w = x_i} exp(θ h_t · h_i) / Σ_i exp(θ h_t · h_i), over the last n words.

    h_i is the vector that the word x_i was predicted from, h_t that of the word to come (their equations 2 and 3).
    """

    def __init__(self, model: NetworkPredictor, window: int, theta: float, weight: float) -> None:
        """Wrap ``model``.

        Args:
            model: a network.
            window: how many words the cache holds at most.
            theta: θ: at 0 all of them count alike.
            weight: λ; as long as the cache is empty, the network's own probabilities stay.
        """
        self.model, self.window, self.theta, self.weight = model, window, theta, weight

    @property
    def size(self) -> int:
        """V."""
        return self.model.size

    def begin(self) -> NeuralState:
        """Return the network's state before the first word, and an empty cache."""
        inner = self.model.begin()
        return NeuralState(inner, np.empty(0, dtype=np.int64), inner.hidden[None, :][:0])

    def read(self, state: NeuralState, words: Ids) -> WordsRead:
        """Return the log-probability of each word, and the state after the last one."""
        queries, after = self.model.hidden(state.inner, words)
        own = self.model.log_probabilities(queries, words)
        cached = self.cached(state, words, queries, (self.theta,))[0]
        return WordsRead(with_cache(own, cached, self.weight), self._after(state, after, words, queries))

    def after(self, state: NeuralState, words: Ids) -> NeuralState:
        """Return the network's state after ``words`` (T,), and the last of them."""
        queries, inner = self.model.hidden(state.inner, words)
        return self._after(state, inner, words, queries)

    @torch.inference_mode()
    def cached(
        self, state: NeuralState, words: Ids, queries: Tensor, thetas: tuple[float, ...]
    ) -> list[NDArray[np.float64]]:
        """Return the cache's own log-probabilities of ``words`` (T,) for each of some θ; NaN where it is empty.

        Args:
            state: before the words.
            words: ids.
            queries: what they are predicted from, (T, D).
            thetas: some θ.
        """
        keys, text = torch.cat([state.keys, queries]), np.concatenate([state.words, words]).astype(np.int64)
        values = torch.from_numpy(text).to(keys.device)
        known, results = len(state.words), [np.empty(len(words)) for _ in thetas]
        for start in range(0, len(words), _BLOCK):
            end = min(start + _BLOCK, len(words))
            first = max(known + start - self.window, 0)
            held = slice(first, known + end)
            scores = queries[start:end] @ keys[held].T  # (B, K)
            place = torch.arange(known + start, known + end, device=keys.device)[:, None]
            at = torch.arange(first, known + end, device=keys.device)[None, :]
            hidden = (at >= place) | (at < place - self.window)
            same = values[held][None, :] == values[known + start : known + end][:, None]
            for result, theta in zip(results, thetas, strict=True):
                exponents = (theta * scores).masked_fill(hidden, -torch.inf)
                found = exponents.masked_fill(~same, -torch.inf).logsumexp(dim=1) - exponents.logsumexp(dim=1)
                result[start:end] = found.double().cpu().numpy()
        return results  # -inf less -inf, where nothing is held, is NaN

    @torch.inference_mode()
    def distributions(self, state: NeuralState, words: Ids) -> LogProbabilities:
        """Return the log-probabilities of all ids before each word and after the last, (T + 1, V)."""
        queries, after = self.model.hidden(state.inner, words)
        queries = torch.cat([queries, after.hidden.unsqueeze(0)])
        own = self.model.predicted(queries)
        keys, text = torch.cat([state.keys, queries]), np.concatenate([state.words, words]).astype(np.int64)
        cached = np.full(own.shape, np.nan)
        for row, end in zip(range(len(own)), range(len(state.words), len(text) + 1), strict=True):
            first = max(end - self.window, 0)
            if end > first:
                shares = (self.theta * (keys[first:end] @ queries[row])).softmax(dim=0).double().cpu().numpy()
                with np.errstate(divide="ignore"):
                    cached[row] = np.log(np.bincount(text[first:end], shares, self.size))
        return with_cache(own, cached, self.weight)

    def _after(self, state: NeuralState, inner: NetworkState, words: Ids, queries: Tensor) -> NeuralState:
        read = np.concatenate([state.words, words])
        first = max(len(read) - self.window, 0)
        return NeuralState(inner, read[first:], torch.cat([state.keys, queries])[first:])
