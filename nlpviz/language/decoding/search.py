"""Greedy and beam search over a translator, many sentences at a time.

Sutskever, Vinyals and Le (2014), section 3.2: at every step each hypothesis is extended by every word and the best are
kept; one that ends leaves the beam, which is narrower from then on. Hypotheses are compared by their log-probability
divided by Wu et al.'s (2016, equation 14) penalty ((5 + length) / 6) ** α, the length with the end of the sentence.
Greedy search is a beam of 1. A first word that ends the sentence is not taken: nothing is no translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.networks.architectures import DecoderState, Translator, padded


@dataclass(frozen=True)
class SearchSettings:
    """How translations are searched for.

    Attributes:
        eos: the id of the word that begins and ends a sentence.
        width: hypotheses that are kept at a step; 1 is greedy.
        penalty: α; 0 compares log-probabilities as they are, which favours short translations.
        prefix: ids of the words that every translation begins with.
        whole: whether they are all of it: the search then ends with the last of them, a boundary or not.
    """

    eos: int
    width: int = 1
    penalty: float = 0.0
    prefix: tuple[int, ...] = ()
    whole: bool = False

    def longest(self, source: int) -> int:
        """Return how many words a translation of ``source`` words may have; no sentence pair of Multi30k has more."""
        return len(self.prefix) + (0 if self.whole else 2 * source + 10)

    def score(self, total: float, length: int) -> float:
        """Return what a hypothesis of ``length`` words with the log-probability ``total`` is compared by."""
        return float(total / ((5 + length) / 6) ** self.penalty)


class Candidate(NamedTuple):
    """One word that a search looked at.

    Attributes:
        parent: position of the hypothesis that it extends, in the candidates of the step before; -1 at the first.
        word: its id.
        log_probability: given the words before it.
        total: of all words so far.
        kept: whether it is among the best.
        ended: whether it is kept and ends its sentence.
    """

    parent: int
    word: int
    log_probability: float
    total: float
    kept: bool
    ended: bool


class ScoredTranslation(NamedTuple):
    """A translation that a search came to.

    Attributes:
        words: ids, (T,), the boundary at the end where it ended.
        log_probabilities: of each word, (T,).
        alignment: (T, S), what the translator attended to before each word; None without attention.
        centres: (T,), p_t of local attention; None otherwise.
        score: what it was compared by.
        path: the position of each word in the candidates of its step.
    """

    words: tuple[int, ...]
    log_probabilities: NDArray[np.float32]
    alignment: NDArray[np.float32] | None
    centres: NDArray[np.float32] | None
    score: float
    path: tuple[int, ...]


@dataclass
class Searched:
    """What the search for translations of one sentence came to.

    Attributes:
        translations: translations, the best first, those that did not end in time last.
        steps: all candidates of each step, where they were asked for.
    """

    translations: list[ScoredTranslation] = field(default_factory=list)
    steps: list[list[Candidate]] = field(default_factory=list)


class _Live(NamedTuple):
    """A hypothesis that has not ended: its sentence, its words, where they came from, their log-probabilities."""

    sentence: int
    words: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    rows: tuple[int, ...]
    path: tuple[int, ...]
    total: float


@torch.inference_mode()
def search(
    model: Translator, sources: Sequence[NDArray[np.integer]], settings: SearchSettings, *, record: bool = False
) -> list[Searched]:
    """Return what was found for each of ``sources`` (ids without padding, one at least).

    Args:
        model: in evaluation mode.
        sources: of any lengths; like ones side by side save time.
        settings: of the search.
        record: whether the candidates of every step are kept.
    """
    results = [Searched() for _ in sources]
    slots = [settings.width] * len(sources)
    device = next(iter(model.parameters())).device if isinstance(model, torch.nn.Module) else torch.device("cpu")
    state = model.start(padded(sources).to(device))
    live = [_Live(position, (), (), (), (), 0.0) for position in range(len(sources))]
    attended: list[_Attended] = []
    while live:
        last = [one.words[-1] if one.words else settings.eos for one in live]
        decoded, state = model.decode(torch.tensor(last, device=device).unsqueeze(1), state)
        attended.append(_Attended.of(decoded.alignment, decoded.centres))
        log_probabilities = model.predict(decoded.states.squeeze(1)).log_softmax(dim=1)
        best, words = _best(log_probabilities, len(attended) - 1, settings)
        going: list[_Live] = []
        for first, last_row in _groups(live):
            sentence = live[first].sentence
            candidates = _extend(live[first:last_row], best[first:last_row], words[first:last_row])
            longest = settings.longest(len(sources[sentence]))
            for position, (row, word, log_probability, total) in enumerate(candidates[: slots[sentence]]):
                one = _longer(live[first + row], first + row, position, (word, log_probability, total))
                if word == settings.eos or len(one.words) == longest:
                    results[sentence].translations.append(_translation(one, attended, len(sources[sentence]), settings))
                else:
                    going.append(one)
            if record:
                parents = [one.path[-1] if one.path else -1 for one in live[first:last_row]]
                results[sentence].steps.append(_recorded(candidates, parents, slots[sentence], settings))
            slots[sentence] -= sum(word == settings.eos for _, word, _, _ in candidates[: slots[sentence]])
        live = going
        state = chosen(state, [one.rows[-1] for one in live])
    for result in results:
        result.translations.sort(key=lambda one: (one.words[-1] != settings.eos, -one.score))
    return results


def chosen(state: DecoderState, rows: Sequence[int]) -> DecoderState:
    """Return the rows of a decoder's state that are gone on with."""
    if not rows:
        return {}
    positions = torch.tensor(rows, device=next(iter(state.values())).device)
    return {name: tensor.index_select(0, positions) for name, tensor in state.items()}


class _Attended(NamedTuple):
    """What one step attended to, a row for each live hypothesis."""

    alignment: NDArray[np.float32] | None
    centres: NDArray[np.float32] | None

    @classmethod
    def of(cls, alignment: Tensor | None, centres: Tensor | None) -> _Attended:
        return cls(*(None if one is None else one.squeeze(1).float().cpu().numpy() for one in (alignment, centres)))


def _best(
    log_probabilities: Tensor, step: int, settings: SearchSettings
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the log-probabilities and ids (R, K) of the words that each hypothesis may go on with."""
    if step < len(settings.prefix):
        words = torch.full((len(log_probabilities), 1), settings.prefix[step], device=log_probabilities.device)
        values = log_probabilities.gather(1, words)
    else:
        if step == 0:
            log_probabilities[:, settings.eos] = -torch.inf
        values, words = log_probabilities.topk(min(settings.width, log_probabilities.shape[1]), dim=1)
    return values.double().cpu().numpy(), words.cpu().numpy()


def _groups(live: Sequence[_Live]) -> list[tuple[int, int]]:
    """Return where the hypotheses of each sentence begin and end: they stand together."""
    starts = [row for row, one in enumerate(live) if row == 0 or live[row - 1].sentence != one.sentence]
    return list(zip(starts, [*starts[1:], len(live)], strict=True))


def _extend(
    live: Sequence[_Live], best: NDArray[np.float64], words: NDArray[np.int64]
) -> list[tuple[int, int, float, float]]:
    """Return (row, word, log-probability, total) of each extension that is possible, the best first."""
    totals = best + np.array([one.total for one in live])[:, None]
    order = np.argsort(-totals, axis=None, kind="stable")
    rows, columns = np.unravel_index(order, totals.shape)
    pairs = [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
    return [
        (row, int(words[row, column]), float(best[row, column]), float(totals[row, column]))
        for row, column in pairs
        if np.isfinite(totals[row, column])
    ]


def _longer(one: _Live, row: int, position: int, extension: tuple[int, float, float]) -> _Live:
    """Return a hypothesis with one word more."""
    word, log_probability, total = extension
    return _Live(
        one.sentence,
        (*one.words, word),
        (*one.log_probabilities, log_probability),
        (*one.rows, row),
        (*one.path, position),
        total,
    )


def _recorded(
    candidates: Sequence[tuple[int, int, float, float]], parents: Sequence[int], slots: int, settings: SearchSettings
) -> list[Candidate]:
    return [
        Candidate(
            parents[row], word, log_probability, total, position < slots, position < slots and word == settings.eos
        )
        for position, (row, word, log_probability, total) in enumerate(candidates)
    ]


def _translation(one: _Live, attended: Sequence[_Attended], source: int, settings: SearchSettings) -> ScoredTranslation:
    """Return a hypothesis that is not gone on with, with what it attended to."""
    steps = list(zip(attended, one.rows, strict=True))
    alignment = [step.alignment[row, :source] for step, row in steps if step.alignment is not None]
    centres = [step.centres[row] for step, row in steps if step.centres is not None]
    return ScoredTranslation(
        one.words,
        np.array(one.log_probabilities, dtype=np.float32),
        np.stack(alignment) if alignment else None,
        np.array(centres, dtype=np.float32) if centres else None,
        settings.score(one.total, len(one.words)),
        one.path,
    )
