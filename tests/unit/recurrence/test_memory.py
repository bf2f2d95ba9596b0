"""Derivatives through time against autograd on the unrolled graph; replaced words against literally replacing them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from nlpviz.analysis.inspection import linearised, through_time
from nlpviz.analysis.inspection.memory import affordable, read_memory, read_of
from nlpviz.analysis.inspection.replaced import replace_words
from nlpviz.networks.architectures import architectures, class_scores
from nlpviz.results.memory import SCORE, STATE, TextMemory, reach
from nlpviz.results.replaced_words import ReplacedWords, parting
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.text.vocabulary import EncodedText, Vocabulary, tokenize
from tests.toy import CLASSES, vocabulary

D, UNITS, WORDS = 5, 4, 7
CELLS = {
    "elman": {"cell": "elman"},
    "elman relu": {"cell": "elman", "settings": {"activation": "relu"}},
    "gated": {"cell": "gated"},
    "lstm": {"cell": "lstm"},
    "gru": {"cell": "gru"},
    "lstm stacked": {"cell": "lstm", "layers": 2},
    "gru mean": {"cell": "gru", "reading": "mean"},
    "lstm max": {"cell": "lstm", "reading": "max"},
    "lstm stacked max": {"cell": "lstm", "layers": 2, "reading": "max"},
}
NETWORKS = {
    **{name: ("recurrent-network", config) for name, config in CELLS.items()},
    "qrnn": ("qrnn", {"layers": 1}),
    "qrnn stacked": ("qrnn", {"layers": 2}),
    "qrnn stacked mean": ("qrnn", {"layers": 2, "reading": "mean"}),
    "skip gru": ("skip-rnn", {"cell": "gru"}),
    "skip lstm stacked": ("skip-rnn", {"cell": "lstm", "layers": 2}),
    "skip lstm max": ("skip-rnn", {"cell": "lstm", "reading": "max"}),
}


def network(name: str, config: dict[str, Any], *, classes: int = 2, seed: int = 0) -> Any:
    """Return a network in double precision with weights that are far from its first ones."""
    torch.manual_seed(seed)
    made = architectures()[name]
    sizes = {"vocabulary_size": len(vocabulary()), "dimensions": D, "units": UNITS, "classes": classes}
    config = {"reading": "last"} | config
    module = made.build(made.config(**sizes | config)).double().eval().requires_grad_(False)
    for weights in module.parameters():
        weights += 0.4 * torch.randn_like(weights)
    if name == "skip-rnn":  # some words are skipped, some are not
        for weights in (weights for key, weights in module.named_parameters() if key.endswith("gate_bias")):
            weights.fill_(-1.0)
    return module


def trained(module: nn.Module, max_length: int = 20) -> TrainedModel:
    """Return a network as a run's."""
    fields: dict[str, Any] = dict.fromkeys(Run.__dataclass_fields__)
    named = next(name for name, one in architectures().items() if isinstance(module, one.build))  # type: ignore[arg-type]
    run = Run(
        **fields | {"name": "toy", "architecture": named, "class_names": CLASSES, "max_length": max_length,
                    "shared": {}, "folder": Path("toy")}
    )  # fmt: skip
    return TrainedModel(run, 1, module, vocabulary())


def unrolled(module: Any, embedded: Tensor) -> tuple[list[Tensor], Tensor]:
    """Return the state before each word and after the last, and the logits after each, with one graph of all steps."""
    states, shown = [torch.zeros(module.state_size, dtype=embedded.dtype, requires_grad=True)], []
    for word in embedded:
        after, hidden = module.advance(word, states[-1])
        states.append(after)
        shown.append(hidden)
    hidden, reading = torch.stack(shown), module.config.reading
    if reading == "mean":
        hidden = hidden.cumsum(0) / torch.arange(1, len(hidden) + 1).unsqueeze(1)
    elif reading == "max":
        hidden = hidden.cummax(0).values
    return states, module.output(hidden)


def by_autograd(module: Any, embedded: Tensor, target: int) -> tuple[np.ndarray, np.ndarray]:
    """Return gains of states and gradients of scores, (T, T), as they are, number by number of the later state."""
    leaf = embedded.detach().requires_grad_()
    states, logits = unrolled(module, leaf)
    scores = class_scores(logits)[:, target]
    state, score = (np.full((len(leaf),) * 2, np.nan) for _ in range(2))
    for last in range(len(leaf)):
        (slope,) = torch.autograd.grad(scores[last], leaf, retain_graph=True)
        score[last, : last + 1] = slope[: last + 1].norm(dim=1)
        rows = [
            torch.autograd.grad(number, states[1 : last + 2], retain_graph=True, materialize_grads=True)
            for number in states[last + 1]
        ]
        for first in range(last + 1):
            squares = sum(float(row[first].square().sum()) for row in rows)
            state[last, first] = np.sqrt(squares / module.state_size)
    return state, score


@pytest.mark.parametrize("name", NETWORKS)
def test_norms_are_those_of_autograd_on_the_unrolled_graph(name: str) -> None:
    module = network(*NETWORKS[name])
    embedded = torch.randn(1, WORDS, D, dtype=torch.float64)
    mask = torch.ones(1, WORDS, dtype=torch.bool)
    found = through_time.norms_through_time(module, embedded[0], read_of(module, embedded, mask, 1))
    every = module.state_size, 0.0  # a short text has all directions, so that nothing is drawn
    assert found.probes == every + every
    state, score = by_autograd(module, embedded[0], 1)
    np.testing.assert_allclose(10.0**found.state, state, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(10.0**found.score, score, rtol=1e-5, atol=1e-9)
    np.testing.assert_array_equal(found.last, found.state[-1])
    assert (np.isnan(found.score) == np.triu(np.ones((WORDS, WORDS), dtype=bool), 1)).all()


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_that_nobody_knows_is_differentiated_as_well(name: str) -> None:
    module = network(*NETWORKS[name])
    inputs = torch.randn(6, D, dtype=torch.float64)
    before = torch.rand(6, module.state_size, dtype=torch.float64)
    with torch.enable_grad():
        other = linearised._by_autograd(module, inputs, before)
    found = linearised.linearised(module, inputs, before)
    for own, theirs in zip(found[:5], other[:5], strict=True):
        np.testing.assert_allclose(own.numpy(), theirs.numpy(), atol=1e-12)


def test_a_cell_state_acts_on_its_own_unit_alone() -> None:
    module = network("recurrent-network", {"cell": "lstm"})
    inputs, before = torch.randn(6, D, dtype=torch.float64), torch.rand(6, 2 * UNITS, dtype=torch.float64)
    found = linearised.linearised(module, inputs, before)
    assert found.carried is not None
    diagonals = torch.diag_embed(found.carried).reshape(6, 2 * UNITS, UNITS)
    np.testing.assert_array_equal(found.by_state[:, :, UNITS:], diagonals)


def test_a_skip_network_in_the_tests_skips_some_words_and_reads_others() -> None:
    module = network(*NETWORKS["skip gru"])
    torch.manual_seed(0)
    unrolled_parts = module.unroll(
        torch.randn(1, 30, D, dtype=torch.float64), torch.ones(1, 30, dtype=torch.bool)
    ).parts
    assert 3 < unrolled_parts["update"][0, :, 0, 0].sum() < 27


def test_scores_of_several_classes_are_their_logits() -> None:
    module = network("recurrent-network", {"cell": "gru"}, classes=3)
    embedded, mask = torch.randn(1, WORDS, D, dtype=torch.float64), torch.ones(1, WORDS, dtype=torch.bool)
    for target in range(3):
        found = through_time.norms_through_time(module, embedded[0], read_of(module, embedded, mask, target))
        np.testing.assert_allclose(10.0**found.score, by_autograd(module, embedded[0], target)[1], rtol=1e-5)


@pytest.mark.parametrize(("products", "enough"), [(6, 48), (12, 6)])
def test_few_probes_come_close_and_say_how_close(monkeypatch: pytest.MonkeyPatch, products: int, enough: int) -> None:
    module = network("recurrent-network", {"cell": "gru", "units": 24}, seed=1)
    embedded, mask = torch.randn(1, 60, D, dtype=torch.float64), torch.ones(1, 60, dtype=torch.bool)
    read = read_of(module, embedded, mask, 1)
    exact = through_time.norms_through_time(module, embedded[0], read)
    monkeypatch.setattr(through_time, "PRODUCTS", products * (60 * module.state_size) ** 2)
    monkeypatch.setattr(through_time, "ENOUGH", enough)
    few = through_time.norms_through_time(module, embedded[0], read)
    assert (exact.probes.used, few.probes.used) == (module.state_size, 6)
    off = np.diff(np.stack([exact.state, few.state]), axis=0)[0][:-1]  # the last row has no probes
    off = np.log(10) * off[np.tril(np.ones_like(off, dtype=bool), -1)]
    spread = float(np.sqrt((off**2).mean()))
    assert spread / 2 < few.probes.error < 2 * spread
    np.testing.assert_allclose(few.last, exact.last, atol=1e-6)
    np.testing.assert_allclose(few.score[59], exact.score[59], atol=1e-6)


def test_the_last_state_of_a_large_network_is_probed_and_says_how_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    module = network("recurrent-network", {"cell": "gru", "units": 24}, seed=1)
    embedded, mask = torch.randn(1, 60, D, dtype=torch.float64), torch.ones(1, 60, dtype=torch.bool)
    read = read_of(module, embedded, mask, 1)
    exact = through_time.norms_through_time(module, embedded[0], read)
    for name, value in {"ALL_ENDS": 20, "ENOUGH": 8, "NUMBERS": 24**2 * 7}.items():
        monkeypatch.setattr(through_time, name, value)
    few = through_time.norms_through_time(module, embedded[0], read)
    assert (few.probes.last_used, exact.probes.last_error) == (8, 0.0)
    spread = float(np.sqrt(((np.log(10) * (few.last - exact.last)[:-1]) ** 2).mean()))
    assert spread / 3 < few.probes.last_error < 3 * spread
    np.testing.assert_allclose(few.score[59], exact.score[59], atol=1e-6)


def test_of_what_takes_too_long_the_beginning_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    model = trained(network("recurrent-network", {"cell": "gru", "units": 24}, seed=1).float(), 50)
    text = "good " * 50
    whole = affordable(model, text)
    monkeypatch.setattr("nlpviz.analysis.inspection.memory.PRODUCTS", 24**2 * (24 * 10 + 5.5 * 10**2) + 1)
    cut = affordable(model, text)
    assert (len(whole.ids), len(cut.ids), cut.max_length) == (50, 10, 10)
    assert read_memory(model, text).words == 10


@pytest.mark.parametrize("factor", [4.0, 0.02])
def test_norms_beyond_the_range_of_a_float_are_kept(factor: float) -> None:
    made = architectures()["recurrent-network"]
    config = made.config(vocabulary_size=9, dimensions=D, units=UNITS, cell="elman", settings={"activation": "relu"})
    module = made.build(config).eval().requires_grad_(False)
    cell: Any = module.get_submodule("encoder.onward.0")
    cell.recurrent_weights.data = factor * torch.eye(UNITS)
    cell.bias.data.fill_(1.0)  # every unit is on
    cell.input_weights.data = torch.eye(D)[:, :UNITS].contiguous()
    embedded, mask = torch.zeros(1, 70, D), torch.ones(1, 70, dtype=torch.bool)
    found = through_time.norms_through_time(module, embedded[0], read_of(module, embedded, mask, 1))
    distance = np.arange(69, -1, -1)
    np.testing.assert_allclose(found.last, distance * np.log10(factor), atol=1e-3)
    assert abs(found.last[0]) > np.log10(np.finfo(np.float32).max)
    assert np.isfinite(found.score[-1]).all()


def test_what_is_exactly_nothing_is_minus_infinity() -> None:
    made = architectures()["recurrent-network"]
    config = made.config(vocabulary_size=9, dimensions=D, units=UNITS, cell="elman", settings={"activation": "relu"})
    module = made.build(config).eval().requires_grad_(False)
    module.get_submodule("encoder.onward.0").bias.data.fill_(-5.0)  # type: ignore[union-attr,operator]
    embedded, mask = torch.zeros(1, 4, D), torch.ones(1, 4, dtype=torch.bool)
    found = through_time.norms_through_time(module, embedded[0], read_of(module, embedded, mask, 1))
    assert found.last.tolist() == [-np.inf, -np.inf, -np.inf, 0.0]
    assert (found.score[np.tril_indices(4)] == -np.inf).all()
    assert reach(found.score[-1], SCORE) is None
    assert reach(found.last, STATE) == (0, False, -np.inf)


# ------------------------------------------------------------------------------------------------- read off a text

TEXT = "the man was splendid and the dreadful film of the year was in town"


@pytest.mark.parametrize("name", [*NETWORKS, "tcn", "tcn mean"])
def test_each_word_is_literally_replaced_and_read_again(name: str) -> None:
    others = {"tcn": ("tcn", {"layers": 2}), "tcn mean": ("tcn", {"layers": 2, "reading": "mean"})}
    model = trained(network(*(NETWORKS | others)[name]))
    result = replace_words(model, TEXT, 3)
    words = tokenize(TEXT)
    assert result.changes.shape == (len(words), 3)
    score = lambda text: float(  # noqa: E731
        class_scores(model.module(torch.from_numpy(model.vocabulary.ids(text.split())).unsqueeze(0)))[0, 1]
    )
    assert result.score == pytest.approx(score(TEXT))
    for position in range(len(words)):
        for draw, word in enumerate(result.drawn):
            other = TEXT.split()
            other[position] = word
            expected = score(" ".join(other)) - score(TEXT)
            assert result.changes[position, draw] == pytest.approx(expected, abs=1e-6)


def test_words_are_drawn_by_how_often_they_occur() -> None:
    from nlpviz.analysis.inspection.replaced import drawn_words

    words = Vocabulary(["often", "rarely"], [90, 10])
    drawn = drawn_words(words, 4000)
    assert (drawn == words.id("often")).mean() == pytest.approx(0.9, abs=0.02)
    assert set(drawn.tolist()) == {2, 3}
    assert drawn_words(words, 4000).tolist() == drawn.tolist()


def test_gradients_of_a_convolution_end_with_its_receptive_field() -> None:
    model = trained(network("tcn", {"layers": 2, "kernel": 2}), max_length=40)
    result = read_memory(model, "the film " * 10)
    field = model.module.encoder.receptive_field  # type: ignore[union-attr]
    assert result.receptive_field == field == 7
    assert (result.state, result.last, result.probes, result.gate) == (None, None, None, None)
    outside = np.subtract.outer(np.arange(20), np.arange(20)) >= field
    assert (result.score[outside] == -np.inf).all()
    pooled = read_memory(trained(network("tcn", {"reading": "max"})), TEXT)
    assert (pooled.receptive_field, pooled.reading) == (None, "max")
    leaf = model.module.embed(torch.from_numpy(model.encode("the film " * 10).row).unsqueeze(0)).requires_grad_()  # type: ignore[operator]
    for last in (3, 19):
        logits = model.module.classify(leaf[:, : last + 1], torch.ones(1, last + 1, dtype=torch.bool))  # type: ignore[operator]
        (slope,) = torch.autograd.grad(logits[0, 0], leaf)
        np.testing.assert_allclose(10.0 ** result.score[last, : last + 1], slope[0, : last + 1].norm(dim=1), atol=1e-7)


GATES = {"lstm": "forget gate", "gru": "update gate", "skip gru": "update gate", "qrnn stacked": "forget gate"}


@pytest.mark.parametrize(("name", "gate"), [*GATES.items(), ("elman", None)])
def test_gates_are_multiplied_over_the_words_after_each(name: str, gate: str | None) -> None:
    model = trained(network(*NETWORKS[name]))
    result = read_memory(model, TEXT)
    if gate is None:
        assert result.gate is None
        return
    assert result.gate is not None
    assert result.gate.name == gate
    ids = torch.from_numpy(model.encode(TEXT).row).unsqueeze(0)
    parts = model.module.unroll(model.module.embed(ids), model.module.mask(ids)).parts  # type: ignore[operator]
    kept = parts[gate][0].flatten(1).numpy()
    if "update" in parts:
        skipped = parts["update"][0].flatten(1).numpy() == 0
        assert skipped.any()
        kept = np.where(skipped, 1.0, kept)
    for position in range(len(kept)):
        product = kept[position + 1 :].prod(axis=0)
        assert 10.0 ** result.gate.kept[position] == pytest.approx(np.exp(np.log(product).mean()), rel=1e-4)
        assert 10.0 ** result.gate.longest[position] == pytest.approx(product.max(), rel=1e-4)


def test_a_network_that_reads_both_ways_or_no_words_is_refused() -> None:
    both = network("recurrent-network", {"cell": "gru", "bidirectional": True})
    for answer in (read_memory, replace_words):
        with pytest.raises(RunError, match="reads texts in both directions"):
            answer(trained(both), TEXT)
        with pytest.raises(RunError, match="does not read word by word"):
            answer(_cnn(), TEXT)


def _cnn() -> TrainedModel:
    made = architectures()["cnn"]
    return trained(made.build(made.config(vocabulary_size=len(vocabulary()), dimensions=D)).eval())


@pytest.mark.parametrize("text", ["", " \n", "film", "qqzzx wvvbt", "<b>film</b>", "פילם נהדר", "the film " * 2500])
def test_any_text_is_answered(text: str) -> None:
    for name in ("lstm", "qrnn stacked", "skip gru"):
        model = trained(network(*NETWORKS[name]))
        memory, replaced = read_memory(model, text), replace_words(model, text)
        read = min(len(tokenize(text)), 20)
        assert memory.words == len(replaced.moved) == read
        assert np.isfinite(replaced.changes).all()
        if read == 1:
            assert memory.last is not None
            assert memory.last.tolist() == [0.0]
        if read < 2:
            assert parting(memory, replaced) == (None, None, None, (0, 0, 0, 0))


# ------------------------------------------------------------------------------------------------------ in words


def memory(row: list[float], **about: Any) -> TextMemory:
    """Return a memory with this last row of gradients, as they are."""
    count = len(row)
    score = np.full((count, count), np.nan, dtype=np.float32)
    with np.errstate(divide="ignore"):
        score[-1] = np.log10(np.array(row))
    text = EncodedText("w " * count, tuple(tokenize("w " * count)), np.full(count, 2), 99)
    return TextMemory("toy", 1, text, CLASSES, np.array([0.4, 0.6], dtype=np.float32), 1, score, **about)


def test_what_is_left_of_a_word_is_forgotten_below_a_hundredth() -> None:
    far = np.log10(np.array([0.002, 0.02, 0.005, 0.3, 1.0], dtype=np.float32))
    assert reach(far, STATE)[:2] == (3, False)  # type: ignore[index]
    assert reach(far + 2, SCORE) == pytest.approx(reach(far, STATE))
    assert reach(far[1:], STATE)[:2] == (3, True)  # type: ignore[index]
    assert reach(np.zeros(0, dtype=np.float32), STATE) is None


def test_gradient_and_measurement_part_where_their_ranks_differ_most() -> None:
    one = memory([5.0, 1.0, 2.0, 3.0, 0.0])
    changes = np.array([[0.1], [-4.0], [2.0], [3.0], [0.05]], dtype=np.float32)
    replaced = ReplacedWords("toy", 1, one.text, CLASSES, 1, 0.0, ("film",), changes, 0)
    found = parting(one, replaced)
    assert (found.over, found.under) == (0, 1)
    assert found.ranks == (1, 4, 4, 1)
    from scipy.stats import spearmanr

    assert found.correlation == pytest.approx(spearmanr([5, 1, 2, 3, 0], np.abs(changes[:, 0])).statistic)
    same = replace(replaced, changes=np.array([[5.0], [1.0], [2.0], [3.0], [0.0]], dtype=np.float32))
    assert parting(one, same)[1:3] == (None, None)
    with pytest.raises(ValueError, match="from the same text"):
        parting(memory([1.0]), replaced)
