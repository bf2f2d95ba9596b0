"""Units that follow a feature: planted ones are found, none is found in noise, and what is held at its mean is felt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from nlpviz.analysis.inspection import units_null
from nlpviz.analysis.inspection.features import features, of_words, typed_words
from nlpviz.analysis.inspection.states import read_states
from nlpviz.analysis.inspection.units import BINS, UnitCourses, binned, extremes, read_courses, search
from nlpviz.analysis.inspection.units_ablation import Held, ablate, predicted_with
from nlpviz.analysis.inspection.units_sample import Sample, course_of, encode_sample, units_of
from nlpviz.networks.architectures import class_scores, padded
from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier, RecurrentConfig
from nlpviz.results.units import Unit
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.text.vocabulary import Vocabulary
from tests import toy

WORDS = ("not", "never", ".", ",", "good", "bad", *toy.DULL)
VOCABULARY = Vocabulary(WORDS, range(len(WORDS), 0, -1))
LATCH, SIGN = 0, 1
"""Units that were planted: one holds from a negator to a punctuation mark, one the last of good and bad."""


@pytest.fixture
def planted(toy_classifiers: Callable[[str], Path]) -> TrainedModel:
    """An Elman network of six units: two planted, three that answer at random, one that nothing hears."""
    run = Run.open(toy_classifiers("recurrent-network"))
    torch.manual_seed(3)
    size = len(VOCABULARY)
    module: Any = RecurrentClassifier(RecurrentConfig(size, dimensions=size, cell="elman", units=6))
    cell = module.encoder.onward[0]
    with torch.no_grad():
        module.embedding.weight.copy_(torch.eye(size))
        module.embedding.weight[0] = 0
        cell.input_weights.copy_(torch.randn(size, 6))
        cell.recurrent_weights.copy_(0.3 * torch.randn(6, 6))
        cell.recurrent_weights[5] = 0
        for unit, plus, minus in ((LATCH, ("not", "never"), (".", ",")), (SIGN, ("good",), ("bad",))):
            cell.input_weights[:, unit] = 0
            cell.recurrent_weights[:, unit] = 0
            cell.recurrent_weights[unit, unit] = 3
            for words, push in ((plus, 9.0), (minus, -9.0)):
                cell.input_weights[list(VOCABULARY.ids(words)), unit] = push
        module.output.weight.zero_()
        module.output.weight[0, SIGN] = 4
        module.output.bias.zero_()
    return TrainedModel(replace(run, max_length=60), 3, module.eval().requires_grad_(False), VOCABULARY)


def texts(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return documents with negators, punctuation marks, and either good or bad once."""
    rng = np.random.default_rng(seed)
    result = []
    for number in range(count):
        words = list(rng.choice([*WORDS[:4], *toy.DULL], size=rng.integers(10, 50)))
        words.insert(rng.integers(len(words)), ("bad", "good")[number % 2])
        result.append((f"test/{number}", " ".join(words)))
    return result


def test_a_planted_unit_is_found_and_beats_both_nulls(planted: TrainedModel) -> None:
    courses = read_courses(planted, encode_sample(planted, texts(40)))
    found = search(courses, features()["negation"], {}, redraws=99)
    assert found.units[found.best].id == f"h{LATCH}"
    assert abs(found.r[found.best]) > 0.8
    assert found.follows(found.best)
    assert found.p == pytest.approx(0.01)
    assert found.low[found.best] < found.r[found.best] < found.high[found.best]
    course = courses.sample.courses(features()["negation"], {})
    assert found.r[found.best] == pytest.approx(np.corrcoef(courses.values[:, LATCH], course)[0, 1], abs=1e-4)


def test_none_is_found_in_noise() -> None:
    rng, found = np.random.default_rng(5), {"shifted": 0, "swapped": 0}
    rounds = 240
    for _ in range(rounds):
        starts = np.cumsum([0, *rng.integers(8, 20, size=24)])
        units = units_null.standardised(_drifting(rng, starts, 8))
        course = _drifting(rng, starts, 1)[:, 0]
        best = np.abs(units_null.correlations(units, course)).max()
        for name, null in (("shifted", units_null.shifted), ("swapped", units_null.swapped)):
            found[name] += bool(best > null(units, course, starts, 99, seed=int(rng.integers(1 << 30))).threshold)
    for name, count in found.items():
        assert 0.01 * rounds <= count <= 0.11 * rounds, (name, count)  # 5%, with the width of 240 rounds


def _drifting(rng: np.random.Generator, starts: np.ndarray, columns: int) -> np.ndarray:
    """Return courses (W, columns) that hang together within a text and that no other column knows of."""
    parts = []
    for length in np.diff(starts):
        steps = rng.normal(size=(2 * length, columns))
        smooth = np.stack([np.convolve(one, np.ones(3), "same") for one in steps.T], axis=1)
        parts.append(smooth[length // 2 : length // 2 + length])
    return np.concatenate(parts).astype(np.float32)


def test_correlations_are_those_of_numpy() -> None:
    rng = np.random.default_rng(0)
    units, feature = rng.normal(3, 2, size=(200, 5)).astype(np.float32), rng.normal(size=200).astype(np.float32)
    units[:, 4] = 7  # never changes
    r = units_null.correlations(units_null.standardised(units), feature)
    expected = [np.corrcoef(units[:, column], feature)[0, 1] for column in range(4)]
    np.testing.assert_allclose(r[:4], expected, atol=1e-5)
    assert r[4] == 0
    assert not units_null.correlations(units_null.standardised(units), np.ones(200, np.float32)).any()


def test_intervals_draw_texts_not_words() -> None:
    rng = np.random.default_rng(1)
    starts = np.array([0, 30, 50, 90, 120])
    units, feature = rng.normal(size=(120, 2)).astype(np.float32), rng.normal(size=120).astype(np.float32)
    low, high = units_null.intervals(units, feature, starts, draws=400, seed=9)
    times = np.random.default_rng(9).multinomial(4, np.full(4, 0.25), size=400)
    drawn = []
    for draw in times:
        rows = np.concatenate([np.arange(starts[n], starts[n + 1]) for n in range(4) for _ in range(draw[n])])
        drawn.append([np.corrcoef(units[rows, column], feature[rows])[0, 1] for column in range(2)])
    np.testing.assert_allclose(low, np.quantile(drawn, 0.025, axis=0), atol=1e-5)
    np.testing.assert_allclose(high, np.quantile(drawn, 0.975, axis=0), atol=1e-5)


def test_a_unit_that_is_the_feature_lies_above_every_line_and_shifted_it_does_not() -> None:
    rng = np.random.default_rng(2)
    starts = np.array([0, 40, 80, 130])
    course = rng.integers(0, 2, size=130).astype(np.float32)
    units = units_null.standardised(course[:, None])
    assert units_null.shifted(units, course, starts, 50).threshold < 0.6
    assert units_null.shifted(units, course, np.arange(131), 50).threshold == pytest.approx(1)  # a word cannot move
    assert units_null.Null(np.array([0.1, 0.2, 0.3], np.float32)).p(0.25) == pytest.approx(2 / 4)


def test_position_has_no_other_texts_course(planted: TrainedModel) -> None:
    courses = read_courses(planted, encode_sample(planted, texts(10)))
    found = search(courses, features()["position"], {}, redraws=20)
    assert np.isnan(found.swapped)
    assert found.threshold == found.shifted


def test_a_feature_that_never_occurs_is_said_to(planted: TrainedModel) -> None:
    courses = read_courses(planted, encode_sample(planted, texts(10)))
    found = search(courses, features()["quotes"], {}, redraws=20)
    assert not found.ever
    assert not found.r.any()
    assert found.followers == 0
    assert not found.follows(found.best)


def test_holding_the_only_unit_that_is_read_makes_accuracy_chance(planted: TrainedModel) -> None:
    documents = texts(60, seed=4)
    encoded = [planted.encode(text) for _, text in documents]
    labels = np.arange(60) % 2
    accuracy, found = ablate(planted, (encoded, labels), [(_unit(SIGN), 0.25, False), (_unit(5), -0.5, True)])
    assert accuracy == 1
    assert found[f"h{SIGN}"].accuracy == 0.5
    assert found[f"h{SIGN}"].change.difference == -0.5
    assert found[f"h{SIGN}"].change.p < 1e-6
    assert found["h5"].change.difference == 0
    assert found["h5"].change.first_only == found["h5"].change.second_only == 0
    assert found["h5"].random


def test_a_unit_is_held_through_the_recurrence(planted: TrainedModel) -> None:
    module: Any = planted.module
    with torch.no_grad():
        module.output.weight.zero_()
        module.output.weight[0, LATCH] = 1  # it reads the planted unit, which now hears unit 5 and no word
        module.encoder.onward[0].input_weights[:, LATCH] = 0
        module.encoder.onward[0].recurrent_weights[:, LATCH] = 0
        module.encoder.onward[0].recurrent_weights[5, LATCH] = 10
    encoded = [planted.encode(text) for _, text in texts(20)]
    assert set(predicted_with(planted, encoded, Held(5, 1.0))) == {1}
    assert set(predicted_with(planted, encoded, Held(5, -1.0))) == {0}


def test_a_held_unit_is_one_in_a_loop_over_the_cells(planted: TrainedModel) -> None:
    torch.manual_seed(8)
    module: Any = RecurrentClassifier(RecurrentConfig(len(VOCABULARY), dimensions=7, cell="lstm", units=5, layers=2))
    trained = replace(planted, module=module.eval().requires_grad_(False))
    encoded = [planted.encode(text) for _, text in texts(30)]
    expected = []
    for one in encoded:
        states = [(torch.zeros(1, 5), torch.zeros(1, 5)) for _ in range(2)]
        for vector in module.embed(torch.from_numpy(one.ids)[None])[0]:
            shown = vector[None]
            for layer, cell in enumerate(module.encoder.onward):
                states[layer] = cell.step(shown, states[layer]).state
                shown = states[layer][0]
            shown[0, 2] = 1.7
        expected.append(module.output(shown).item())
    module.output.bias -= float(np.median(expected))  # so that either answer is given to half of them
    held = predicted_with(trained, encoded, Held(2, 1.7))
    np.testing.assert_array_equal(held, np.array(expected) > np.median(expected))
    assert (held != predicted_with(trained, encoded)).any()


@pytest.mark.parametrize("architecture", ["recurrent-network", "qrnn", "skip-rnn"])
def test_stepping_predicts_what_reading_at_once_does(architecture: str, toy_classifiers: Callable[[str], Path]) -> None:
    trained = Run.open(toy_classifiers(architecture)).load()
    encoded = [trained.encode(text) for text in ["", "a", *toy.read("test").texts[:30]]]
    module: Any = trained.module
    ids = padded([one.ids for one in encoded])
    with torch.inference_mode():
        expected = class_scores(module.classify(module.embed(ids), module.mask(ids))).argmax(dim=1).numpy()
    np.testing.assert_array_equal(predicted_with(trained, encoded), expected)


def test_what_is_not_read_in_steps_cannot_be_held(toy_classifiers: Callable[[str], Path]) -> None:
    trained = Run.open(toy_classifiers("tcn")).load()
    with pytest.raises(RunError, match="cannot be ablated"):
        predicted_with(trained, [trained.encode("a film")])


@pytest.mark.parametrize("architecture", ["recurrent-network", "qrnn", "tcn", "skip-rnn"])
def test_units_of_a_batch_are_those_of_each_text_alone(
    architecture: str, toy_classifiers: Callable[[str], Path]
) -> None:
    trained = Run.open(toy_classifiers(architecture)).load()
    documents = [(f"test/{number}", text) for number, text in enumerate(toy.read("test").texts[:70])]
    courses = read_courses(trained, encode_sample(trained, documents))
    assert courses.values.shape == (courses.sample.starts[-1], len(units_of(trained)))
    for number in (0, 69):
        states = read_states(trained, documents[number][1])
        rows = slice(courses.sample.starts[number], courses.sample.starts[number + 1])
        for column in (0, len(courses.units) // 2, -1):
            own = course_of(states, courses.units[column])
            np.testing.assert_allclose(courses.values[rows, column], own, atol=1e-5)


def test_a_unit_that_is_not_there(planted: TrainedModel) -> None:
    states = read_states(planted, "not good")
    with pytest.raises(RunError, match="no unit h99"):
        course_of(states, _unit(99))
    with pytest.raises(RunError, match="no unit c1"):
        course_of(states, Unit("cell state", 0, 1))


def test_documents_without_a_word(planted: TrainedModel) -> None:
    sample = encode_sample(planted, [("test/0", ""), ("test/1", "good film")])
    assert sample.ids == ("test/1",)
    with pytest.raises(RunError, match="No test document"):
        encode_sample(planted, [("test/0", " ")])


def test_bins_hold_the_mean_of_as_many_words_each() -> None:
    course = np.arange(80, dtype=np.float32)
    bins = binned(features()["position"], course, -course)
    assert len(bins.feature) == BINS
    np.testing.assert_allclose(bins.feature, course.reshape(8, 10).mean(axis=1), atol=1)
    np.testing.assert_allclose(bins.unit, -bins.feature)
    binary = binned(features()["negation"], np.array([0, 1, 1, 0], np.float32), np.array([1, 2, 4, 3], np.float32))
    np.testing.assert_allclose(binary.feature, [0, 1])
    np.testing.assert_allclose(binary.unit, [2, 3])


def test_extremes_name_one_place_of_a_document_with_the_words_before_it(planted: TrainedModel) -> None:
    sample = encode_sample(planted, [(f"test/{n}", "a and are book by camera city") for n in range(6)])
    values = np.zeros(42, dtype=np.float32)
    values[[6, 5, 7 + 1, 14 + 3]] = 4, 3, 2, -1
    found = extremes(values, sample)
    assert (found[0].ngram, found[0].document, found[0].value) == ("are book by camera city", "test/0", 4)
    assert (found[1].ngram, found[1].document) == ("a and", "test/1")
    assert (found[4].ngram, found[4].document, found[4].value) == ("a and are book", "test/2", -1)
    assert len(found) == 8


def _unit(number: int) -> Unit:
    return Unit("hidden state", 0, number)


def _course(name: str, text: str, weights: dict[str, float] | None = None) -> list[float]:
    encoded = VOCABULARY.encode(text, 100)
    return [round(float(one), 4) for one in features()[name].course(encoded, weights or {})]


def test_features_of_hand_made_sentences() -> None:
    assert _course("position", "a film . was good") == [0, 1, 2, 3, 4]
    assert _course("negation", "it was not good , was it ? don't go !") == [0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0]
    assert _course("quotes", 'he said " no way " and left') == [0, 0, 1, 1, 1, 1, 0, 0]
    assert _course("quotes", "he said “no” and left") == [0, 0, 1, 1, 1, 0, 0]
    unclosed = _course("quotes", '" ' + "a " * 60)
    assert unclosed == [1.0] * 41 + [0.0] * 20
    assert _course("sentence-end", "It was good. We left.") == [0, 0, 0, 1, 0, 0, 1]
    assert _course("to-sentence-end", "It was good. We left.") == [3, 2, 1, 0, 2, 1, 0]
    weighed = _course("sentiment", "a good and bad film", {"good": 1.5, "bad": -2.0})
    assert weighed == [0, 1.5, 1.5, -0.5, -0.5]
    assert _course("unknown", "a zyx film qqq") == [0, 1, 0, 1]
    for name in features():
        assert _course(name, "") == []


def test_a_text_that_is_cut_keeps_the_features_of_what_is_read() -> None:
    encoded = VOCABULARY.encode("It was good. We left.", 5)
    for one in features().values():
        assert one.course(encoded, {}).shape == (5,)
    assert features()["to-sentence-end"].course(encoded, {}).tolist() == [3, 2, 1, 0, 2]


def test_typed_words_and_their_trace() -> None:
    words = typed_words("Actor, actress; CAST actor")
    assert words == ("actor", "actress", "cast")
    listed = of_words(words)
    encoded = VOCABULARY.encode("the cast was a a a a and actor", 100)
    assert listed["words"].course(encoded, {}).tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 1]
    np.testing.assert_allclose(
        listed["trace"].course(encoded, {}), [0, *(0.5 ** (n / 5) for n in range(7)), 1], atol=1e-6
    )
    assert typed_words("") == typed_words(", ;") == ()
    assert len(typed_words(" ".join(f"w{n}" for n in range(99)))) == 60


def test_searches_hold_what_they_say() -> None:
    rng = np.random.default_rng(0)
    encoded = tuple(VOCABULARY.encode(text, 60) for _, text in texts(12))
    starts = np.cumsum([0, *(len(one.ids) for one in encoded)])
    sample = Sample(tuple(str(n) for n in range(12)), encoded, starts)
    units = tuple(_unit(number) for number in range(30))
    values = rng.normal(size=(starts[-1], 30)).astype(np.float32)
    found = search(UnitCourses("toy", 1, units, values, sample), features()["negation"], {}, redraws=20)
    assert np.isfinite(found.low).sum() == len(found.bins) == 24
    ranked = found.ranked()
    assert sorted(np.abs(found.r[ranked]), reverse=True) == list(np.abs(found.r[ranked]))
    assert found.position("h7") == 7
    assert found.position("h99") is None
    assert found.threshold == max(found.shifted, found.swapped)
