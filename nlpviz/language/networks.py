"""A neural language model as a :class:`nlpviz.language.Predictor`."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from nlpviz.language import Ids, LogProbabilities, WordsRead
from nlpviz.networks.language_networks import LanguageNetwork, ReaderState

AT_ONCE = 512
"""Words that are read or predicted at once: what a network held at each of them takes memory, and time where all attend
to all."""


class NetworkState(NamedTuple):
    """After some words.

    Attributes:
        hidden: (D,), from which the next word is predicted.
        reader: what the network goes on from.
    """

    hidden: Tensor
    reader: ReaderState


class NetworkPredictor:
    """A network and the word at which its texts begin."""

    def __init__(self, network: LanguageNetwork, boundary: int) -> None:
        """Take a network in evaluation mode; ``boundary`` is the id of the end of a line."""
        self.network, self.boundary = network, boundary
        self.device = network.bias.device

    @property
    def size(self) -> int:
        """V."""
        return len(self.network.bias)

    def begin(self) -> NetworkState:
        """Return the state after the end of a line, at which a text begins."""
        return self._begun

    @cached_property
    @torch.inference_mode()
    def _begun(self) -> NetworkState:
        hidden, reader = self._read(np.array([self.boundary]), self.network.start(1))
        return NetworkState(hidden[-1], reader)

    @torch.inference_mode()
    def read(self, state: NetworkState, words: Ids) -> WordsRead:
        """Return the log-probability of each word, and the state after the last one."""
        found = [np.empty(0, dtype=np.float32)]
        for start in range(0, len(words), AT_ONCE):
            piece = words[start : start + AT_ONCE]
            before, state = self.hidden(state, piece)
            found.append(self.log_probabilities(before, piece))
        return WordsRead(np.concatenate(found), state)

    @torch.inference_mode()
    def log_probabilities(self, hidden: Tensor, words: Ids) -> LogProbabilities:
        """Return the log-probability of each of ``words`` (T,) by what it is predicted from (T, D)."""
        came = torch.from_numpy(np.asarray(words, dtype=np.int64)).to(self.device)
        pieces = zip(torch.split(hidden, AT_ONCE), torch.split(came, AT_ONCE), strict=True)
        return torch.cat([self.network.log_probabilities(*piece) for piece in pieces]).cpu().numpy()

    def after(self, state: NetworkState, words: Ids) -> NetworkState:
        """Return the state after ``words`` (T,)."""
        return self.hidden(state, words)[1]

    @torch.inference_mode()
    def distributions(self, state: NetworkState, words: Ids) -> LogProbabilities:
        """Return the log-probabilities of all ids before each word and after the last, (T + 1, V)."""
        before, after = self.hidden(state, words)
        return self.predicted(torch.cat([before, after.hidden.unsqueeze(0)]))

    @torch.inference_mode()
    def predicted(self, hidden: Tensor) -> LogProbabilities:
        """Return the log-probabilities (T, V) that vectors (T, D) predict."""
        return self.network.predict(hidden).log_softmax(dim=1).cpu().numpy()

    @torch.inference_mode()
    def texts(self, words: Ids) -> LogProbabilities:
        """Return the log-probability of each word of several texts of one length, (N, T)."""
        came = torch.from_numpy(np.asarray(words, dtype=np.int64)).to(self.device)
        ids = torch.cat([torch.full_like(came[:, :1], self.boundary), came[:, :-1]], dim=1)
        hidden, _ = self.network.read_on(self.network.embed(ids), self.network.start(len(ids)))
        return self.log_probabilities(hidden.flatten(0, 1), came.flatten().cpu().numpy()).reshape(came.shape)

    @torch.inference_mode()
    def by_layer(self, words: Ids) -> LogProbabilities:
        """Return the log-probabilities (L, V) that each layer's state after a text of ``words`` (T,) would predict."""
        ids = torch.from_numpy(np.concatenate([[self.boundary], words])).to(self.device).unsqueeze(0)
        states = self.network.unroll(self.network.embed(ids), torch.ones_like(ids, dtype=torch.bool)).states
        return self.predicted(self.network.shown(states[0, -1]))

    @torch.inference_mode()
    def hidden(self, state: NetworkState, words: Ids) -> tuple[Tensor, NetworkState]:
        """Return what each of ``words`` (T,) is predicted from, (T, D), and the state after the last one."""
        before = []
        for start in range(0, len(words), AT_ONCE):
            hidden, reader = self._read(words[start : start + AT_ONCE], state.reader)
            before += [state.hidden.unsqueeze(0), hidden[:-1]]
            state = NetworkState(hidden[-1], reader)
        return torch.cat(before) if before else state.hidden[None, :][:0], state

    def _read(self, words: Ids, reader: ReaderState) -> tuple[Tensor, ReaderState]:
        ids = torch.from_numpy(np.asarray(words, dtype=np.int64)).to(self.device).unsqueeze(0)
        hidden, after = self.network.read_on(self.network.embed(ids), reader)
        return hidden[0], after
