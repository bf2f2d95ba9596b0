"""Greedy and beam search beside exhaustive search, over a tiny vocabulary whose probabilities are written down."""

from __future__ import annotations

import math
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import Tensor

from nlpviz.language.decoding.search import ScoredTranslation, SearchSettings, chosen, search
from nlpviz.networks.architectures import Decoded, DecoderState

SIZE, EOS = 5, 2  # padding, unknown, the boundary, two words
LONGEST = 14  # of a source of 2 words


class Table:
    """A translator whose next word depends on the last two words and the source's first word, by a random table."""

    def __init__(self, seed: int = 0, ending: float = 0.0) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.logits = 2 * torch.randn(SIZE, SIZE, SIZE, SIZE, generator=generator)
        self.logits[..., EOS] += ending
        self.logits[..., 0] = -torch.inf
        self.config = SimpleNamespace(target_size=SIZE)

    def start(self, source: Tensor) -> DecoderState:
        return {"source": source, "before": torch.full((len(source),), EOS)}

    def decode(self, words: Tensor, state: DecoderState) -> tuple[Decoded, DecoderState]:
        source, last = state["source"], words[:, -1]
        states = torch.stack([source[:, 0], state["before"], last], dim=1).unsqueeze(1)
        alignment = torch.nn.functional.one_hot(last % source.shape[1], source.shape[1]).float().unsqueeze(1)
        return Decoded(states, alignment, last.float().unsqueeze(1)), state | {"before": last}

    def predict(self, states: Tensor, candidates: Tensor | None = None) -> Tensor:
        assert candidates is None
        return self.logits[states[..., 0], states[..., 1], states[..., 2]].clone()

    def encode_source(self, source: Tensor) -> Tensor:
        return source.float()

    def total(self, source: np.ndarray, words: tuple[int, ...]) -> float:
        """Return the log-probability of ``words``, computed one by one."""
        before, last, total = EOS, EOS, 0.0
        for position, word in enumerate(words):
            logits = self.logits[int(source[0]), before, last].clone()
            total += float(torch.log_softmax(logits, 0)[word])
            before, last = last, word
            assert not (position == 0 and word == EOS)
        return total


def source(*words: int) -> np.ndarray:
    return np.array(words)


class Short(SearchSettings):
    """A search that stops after four words."""

    def longest(self, source: int) -> int:
        return min(4, super().longest(source))


def exhaustive(table: Table, ids: np.ndarray, settings: SearchSettings, longest: int) -> dict[tuple[int, ...], float]:
    """Return every translation of at most ``longest`` words that ends, with its score."""
    result = {}
    for length in range(1, longest):
        for inner in product([1, 3, 4], repeat=length):
            words = (*inner, EOS)
            result[words] = table.total(ids, words) / ((5 + len(words)) / 6) ** settings.penalty
    return result


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_a_wide_beam_finds_what_exhaustive_search_finds(seed: int, penalty: float) -> None:
    table, ids = Table(seed), source(3, 4)
    settings = Short(EOS, width=400, penalty=penalty)
    everything = exhaustive(table, ids, settings, 4)
    ended = [one for one in search(table, [ids], settings)[0].translations if one.words[-1] == EOS]
    assert {one.words for one in ended} == set(everything)
    ranked = sorted(everything, key=lambda words: -everything[words])
    assert [one.words for one in ended] == ranked
    for one in ended:
        assert one.score == pytest.approx(everything[one.words], rel=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_a_narrow_beam_keeps_the_best_of_each_step(seed: int) -> None:
    """Worked step by step in the plainest way."""
    table, ids, width = Table(seed, ending=0.5), source(4, 1), 3
    settings = SearchSettings(EOS, width)
    beam: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    ended: list[tuple[float, tuple[int, ...]]] = []
    while beam and len(beam[0][1]) < LONGEST:
        words = [1, 3, 4, EOS] if beam[0][1] else [1, 3, 4]
        longer = [(table.total(ids, (*before, word)), (*before, word)) for _, before in beam for word in words]
        longer.sort(key=lambda one: -one[0])
        best = longer[: width - len(ended)]
        ended += [one for one in best if one[1][-1] == EOS]
        beam = [one for one in best if one[1][-1] != EOS]
    ended.sort(key=lambda one: -one[0] / ((5 + len(one[1])) / 6) ** 0.0)
    result = search(table, [ids], settings)[0].translations
    assert [one.words for one in result if one.words[-1] == EOS] == [words for _, words in ended]
    assert len(result) <= width


def test_greedy_search_takes_the_likeliest_word_every_time() -> None:
    table, ids = Table(1, ending=1.0), source(3, 4)
    (result,) = search(table, [ids], SearchSettings(EOS))[0].translations
    before, last, words = EOS, EOS, []
    while not words or (words[-1] != EOS and len(words) < LONGEST):
        logits = table.logits[3, before, last].clone()
        if not words:
            logits[EOS] = -torch.inf
        words.append(int(logits.argmax()))
        before, last = last, words[-1]
    assert list(result.words) == words
    assert result.log_probabilities.sum() == pytest.approx(table.total(ids, result.words), rel=1e-5)


def test_what_was_attended_to_belongs_to_the_hypothesis() -> None:
    """The table's alignment and centre are functions of the word before: they must follow each hypothesis's own."""
    table = Table(2)
    for one in search(table, [source(3, 4, 1)], SearchSettings(EOS, width=7))[0].translations:
        before = (EOS, *one.words[:-1])
        assert one.alignment is not None
        assert one.alignment.argmax(axis=1).tolist() == [word % 3 for word in before]
        assert one.centres is not None
        assert one.centres.tolist() == list(before)


@pytest.mark.parametrize("width", [1, 3])
def test_sentences_together_are_translated_as_each_alone(width: int) -> None:
    table, settings = Table(3, ending=0.5), SearchSettings(EOS, width, penalty=0.7)
    sources = [source(1, 3), source(4, 4, 3, 1, 1), source(3), source(4, 1)]
    together = search(table, sources, settings)
    for ids, searched in zip(sources, together, strict=True):
        (alone,) = search(table, [ids], settings)
        assert [one.words for one in searched.translations] == [one.words for one in alone.translations]
        for one, other in zip(searched.translations, alone.translations, strict=True):
            assert one.score == pytest.approx(other.score)
            assert one.alignment is not None
            assert one.alignment.shape == (len(one.words), len(ids))


def test_a_prefix_is_taken_whatever_its_probability() -> None:
    table, ids = Table(4), source(3, 4)
    for prefix in product([1, 3, 4], repeat=2):
        result = search(table, [ids], SearchSettings(EOS, 3, prefix=prefix))[0].translations
        assert all(one.words[:2] == prefix for one in result)
        assert len({one.words for one in result}) == len(result)
        for one in result:
            assert one.log_probabilities.sum() == pytest.approx(table.total(ids, one.words), rel=1e-4)
    forced = SearchSettings(EOS, 2, prefix=(3, 4, 4))
    assert forced.longest(2) == LONGEST + 3


def test_candidates_lead_to_what_was_found() -> None:
    table, ids = Table(5, ending=0.3), source(4, 3)
    settings = SearchSettings(EOS, 4, penalty=1.0)
    (searched,) = search(table, [ids], settings, record=True)
    (plain,) = search(table, [ids], settings)
    assert plain.steps == []
    assert [one.words for one in plain.translations] == [one.words for one in searched.translations]
    for one in searched.translations:
        candidates = [step[position] for step, position in zip(searched.steps, one.path, strict=False)]
        assert tuple(candidate.word for candidate in candidates) == one.words
        assert all(candidate.kept for candidate in candidates)
        assert candidates[-1].total == pytest.approx(float(one.log_probabilities.sum()), rel=1e-5)
        assert [candidate.parent for candidate in candidates] == [-1, *one.path[:-1]]
    slots = 4
    for step in searched.steps:
        assert [one.kept for one in step] == [position < slots for position in range(len(step))]
        assert [one.total for one in step] == sorted((one.total for one in step), reverse=True)
        assert all(one.ended == (one.kept and one.word == EOS) for one in step)
        slots -= sum(one.ended for one in step)
    assert not any(one.word == EOS for one in searched.steps[0])


def test_a_longer_translation_gains_from_the_penalty() -> None:
    settings = SearchSettings(EOS, penalty=1.0)
    assert settings.score(-6.0, 7) == pytest.approx(-3.0)
    assert SearchSettings(EOS).score(-6.0, 7) == -6.0
    assert SearchSettings(EOS, penalty=0.5).score(-6.0, 19) == pytest.approx(-3.0)
    assert math.isclose(settings.score(-2.0, 1), -2.0)


def test_one_that_never_ends_stops_and_comes_last() -> None:
    table = Table(0, ending=-torch.inf)
    result: list[ScoredTranslation] = search(table, [source(3, 4)], SearchSettings(EOS, 2))[0].translations
    assert [len(one.words) for one in result] == [LONGEST, LONGEST]
    table = Table(0, ending=0.5)
    result = search(table, [source(3, 4)], SearchSettings(EOS, 12, penalty=0.0))[0].translations
    ended = [one.words[-1] == EOS for one in result]
    assert ended == sorted(ended, reverse=True)


def test_rows_of_a_state_are_chosen() -> None:
    state = {"a": torch.arange(6).view(3, 2), "b": torch.tensor([True, False, True])}
    taken = chosen(state, [2, 0, 0])
    assert taken["a"].tolist() == [[4, 5], [0, 1], [0, 1]]
    assert taken["b"].tolist() == [True, True, True]
    assert chosen(state, []) == {}
