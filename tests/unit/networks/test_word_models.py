"""Models of word vectors: gradients against autograd, windows against a plain loop, matrices worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from nlpviz.word_vectors.learning import Fit, Tables, cbow, glove, negative_sampling, skip_gram, word_models
from nlpviz.word_vectors.learning.cooccurrence import cooccurrences
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling, Windows
from nlpviz.word_vectors.learning.ppmi_svd import PPMISettings, ppmi
from nlpviz.word_vectors.learning.text import SEPARATOR, EncodedCorpus, keep_probabilities, subsample

SETTINGS = NegativeSampling(
    dimensions=6, window=2, negative=3, subsample=0.0, epochs=8, rate=0.2, step=32, block=8, shared=8
)


def encoded(rows: list[list[int]], size: int) -> EncodedCorpus:
    """Return documents as an encoded text."""
    ids = np.array([number for row in rows for number in [*row, SEPARATOR]], dtype=np.int32)
    return EncodedCorpus(ids, np.bincount(ids[ids >= 0], minlength=size).astype(np.int64), int((ids >= 0).sum()))


def circles(documents: int = 400) -> EncodedCorpus:
    """Return documents of two circles of six words that never meet."""
    rng = np.random.default_rng(0)
    return encoded([list(rng.permutation(6) + 6 * (number % 2)) for number in range(documents)], 12)


def some_windows(words: NDArray[np.int64], documents: NDArray[np.int32]) -> list[Windows]:
    torch.manual_seed(0)
    cutter = negative_sampling._Cutter(np.ones(12, dtype=np.int64), SETTINGS, torch.device("cpu"))
    return list(cutter.windows(words, documents))


def some_tables() -> Tables:
    torch.manual_seed(1)
    return Tables(torch.randn(12, 6, dtype=torch.float64), torch.randn(12, 6, dtype=torch.float64))


def dense(rows: tuple[negative_sampling.SparseGradient, ...]) -> Tensor:
    """Return gradients of rows as one of the whole table."""
    table = torch.zeros(12, 6, dtype=torch.float64)
    for numbers, gradients in rows:
        table.index_add_(0, numbers.flatten(), gradients.flatten(0, 1))
    return table


def skip_gram_loss(tables: Tables, windows: Windows) -> Tensor:
    """Return the loss pair by pair, as the paper writes it."""
    loss = torch.zeros((), dtype=torch.float64)
    for block, centre in product(range(len(windows.centres)), range(SETTINGS.block)):
        word = tables.input[windows.centres[block, centre]]
        for context in windows.near[block, centre].nonzero()[:, 0].tolist():
            loss = loss - functional.logsigmoid(word @ tables.output[windows.context[block, context]])
            for noise in windows.noise[block].tolist():
                loss = loss - windows.weight * functional.logsigmoid(-word @ tables.output[noise])
    return loss


def cbow_loss(tables: Tables, windows: Windows) -> Tensor:
    loss = torch.zeros((), dtype=torch.float64)
    for block, centre in product(range(len(windows.centres)), range(SETTINGS.block)):
        around = windows.context[block][windows.near[block, centre]]
        if len(around):
            mean = tables.input[around].mean(dim=0)
            loss = loss - functional.logsigmoid(mean @ tables.output[windows.centres[block, centre]])
            for noise in windows.noise[block].tolist():
                loss = loss - windows.weight * functional.logsigmoid(-mean @ tables.output[noise])
    return loss


@pytest.mark.parametrize(("model", "by_hand"), [(skip_gram, skip_gram_loss), (cbow, cbow_loss)])
def test_gradients_are_those_of_the_papers_loss(model: object, by_hand: object) -> None:
    words = np.array([0, 3, 3, 5, 7, 1, 0, 11, 4], dtype=np.int64)
    (windows,) = some_windows(words, np.array([0, 0, 0, 0, 1, 1, 1, 2, 2], dtype=np.int32))
    tables = Tables(*(table.requires_grad_() for table in some_tables()))
    loss = by_hand(tables, windows)  # type: ignore[operator]
    wanted = torch.autograd.grad(loss, list(tables))
    with torch.no_grad():
        step = model.step(tables, windows)  # type: ignore[attr-defined]
        torch.testing.assert_close(step.loss(), loss)
    torch.testing.assert_close(dense(step.input), wanted[0])
    torch.testing.assert_close(dense(step.output), wanted[1])


def test_adagrad_divides_by_the_root_of_a_rows_squares() -> None:
    table = torch.zeros(3, 2)
    update = negative_sampling.RowAdaGrad(table)
    numbers, gradients = torch.tensor([[0, 2, 0]]), torch.tensor([[[3.0, 4.0], [0.0, 2.0], [1.0, 0.0]]])
    update((negative_sampling.SparseGradient(numbers, gradients.clone()),), 0.1)
    first, third = math.sqrt((25 + 1) / 2), math.sqrt(4 / 2)
    expected = [[-0.1 * 4 / first, -0.1 * 4 / first], [0, 0], [0, -0.1 * 2 / third]]
    torch.testing.assert_close(table, torch.tensor(expected))
    update((negative_sampling.SparseGradient(torch.tensor([[2]]), torch.tensor([[[6.0, 0.0]]])),), 0.1)
    assert table[2, 0] == pytest.approx(-0.1 * 6 / math.sqrt((4 + 36) / 2)), "what came before counts"


def test_a_sum_of_squares_to_begin_with_shortens_the_first_steps() -> None:
    gradients = torch.tensor([[[0.3, 0.4]]])
    moved = []
    for squares in (0.0, 1.0):
        table = torch.zeros(1, 2)
        negative_sampling.RowAdaGrad(table, squares)(
            (negative_sampling.SparseGradient(torch.tensor([[0]]), gradients.clone()),), 0.1
        )
        moved.append(table)
    mean = (0.3**2 + 0.4**2) / 2
    torch.testing.assert_close(moved[0], -0.1 * gradients[0] / math.sqrt(mean))
    torch.testing.assert_close(moved[1], -0.1 * gradients[0] / math.sqrt(1 + mean))


def test_input_vectors_may_learn_at_a_rate_of_their_own() -> None:
    settings, ended = replace(SETTINGS, epochs=1), []
    for rate in (0.0, None):
        fitted = Fit(circles(40), torch.device("cpu"), 0, print)
        *_, last = negative_sampling.fit(fitted, replace(settings, input_rate=rate), cbow.step)
        ended.append(last.tables)
    torch.manual_seed(0)
    drawn = (torch.rand(12, settings.dimensions) - 0.5) / settings.dimensions
    torch.testing.assert_close(ended[0].input, drawn)
    assert ended[0].output is not None
    assert ended[0].output.abs().max() > 0.01
    assert (ended[1].input - drawn).abs().max() > 0.01, "None: the rate of both"


def test_windows_reach_over_blocks_and_steps_but_not_over_documents() -> None:
    words = np.arange(70, dtype=np.int64) % 12
    documents = np.repeat(np.arange(7, dtype=np.int32), 10)
    cuts = some_windows(words, documents)
    assert len(cuts) == 3
    position = 0
    for number, cut in enumerate(cuts):
        for block, centre in product(range(len(cut.centres)), range(SETTINGS.block)):
            near = cut.near[block, centre]
            if position >= len(words):
                assert not near.any(), "nothing stands near what fills the last step up"
                continue
            assert cut.centres[block, centre] == words[position]
            start = block * SETTINGS.block + number * SETTINGS.step - SETTINGS.window
            offsets = [start + one - position for one in near.nonzero()[:, 0].tolist()]
            reach = max(map(abs, offsets), default=0)
            assert reach <= SETTINGS.window
            whole = [step for step in range(-reach, reach + 1) if step and 0 <= position + step < len(words)]
            assert offsets == [step for step in whole if documents[position + step] == documents[position]]
            position += 1
    assert position == len(words)


def test_reach_is_drawn_anew_for_each_centre() -> None:
    (cut, *_) = some_windows(np.zeros(40, dtype=np.int64), np.zeros(40, dtype=np.int32))
    sizes = cut.near[1:-1].sum(dim=2).flatten().tolist()
    assert set(sizes) == {2, 4}


def test_negative_words_are_drawn_by_a_power_of_their_counts() -> None:
    counts = np.array([10_000, 16, 1], dtype=np.int64)
    drawn = {}
    for power in (0.0, 0.75):
        settings = replace(SETTINGS, noise_power=power, step=8 * 4000)
        torch.manual_seed(0)
        cutter = negative_sampling._Cutter(counts, settings, torch.device("cpu"))
        words = np.zeros(8 * 4000, dtype=np.int64)
        (cut,) = cutter.windows(words, np.zeros(len(words), dtype=np.int32))
        drawn[power] = np.bincount(cut.noise.flatten().numpy(), minlength=3) / cut.noise.numel()
    np.testing.assert_allclose(drawn[0.0], [1 / 3] * 3, atol=0.01)
    np.testing.assert_allclose(drawn[0.75], np.array([1000, 8, 1]) / 1009, atol=0.002)


def test_frequent_words_are_dropped_as_word2vec_does() -> None:
    counts = np.array([900, 90, 10], dtype=np.int64)
    kept = keep_probabilities(counts, 0.01)
    assert kept.tolist() == pytest.approx([math.sqrt(0.01 / 0.9) + 0.01 / 0.9, math.sqrt(0.01 / 0.09) + 0.01 / 0.09, 1])
    assert keep_probabilities(counts, 0.0).tolist() == [1, 1, 1]
    piece = np.tile(np.array([0, 0, 2, SEPARATOR], dtype=np.int32), 5000)
    words, documents = subsample(piece, kept, np.random.default_rng(0))
    assert (words == 2).sum() == 5000, "a rare word stays, and so does no boundary"
    assert (words == 0).mean() == pytest.approx(2 * kept[0] / (2 * kept[0] + 1), abs=0.01)
    assert documents[words == 2].tolist() == list(range(5000))


@pytest.mark.parametrize("name", word_models())
def test_every_model_tells_circles_of_words_apart_and_repeats_itself(name: str) -> None:
    model = word_models()[name]
    changes = {"dimensions": 6, "window": 2} | ({"epochs": 8, "block": 4} if name == "glove" else {})
    settings = SETTINGS if name in ("skip-gram", "cbow") else model.settings(**changes)
    vectors = []
    for _ in range(2):
        *_, last = model.fit(Fit(circles(), torch.device("cpu"), 0, lambda _: None), settings)
        vectors.append(functional.normalize(last.tables.input.clone(), dim=1))
    assert torch.equal(*vectors), "the same seed gives the same vectors"
    nearest = (vectors[0] @ vectors[0].T).fill_diagonal_(-2).argmax(dim=1)
    assert torch.equal(nearest >= 6, torch.arange(12) >= 6)


@pytest.mark.parametrize("name", ["skip-gram", "cbow", "glove"])
def test_loss_falls(name: str) -> None:
    model = word_models()[name]
    settings = SETTINGS if name != "glove" else glove.GloVeSettings(dimensions=6, window=2, epochs=8, block=4)
    losses = [epoch.loss for epoch in model.fit(Fit(circles(), torch.device("cpu"), 0, lambda _: None), settings)]
    assert math.isnan(losses[0])
    assert losses[-1] < losses[1]


def test_words_within_the_window_are_counted_once_each_way() -> None:
    text = encoded([[0, 1, 2, 0], [2, 1]], 3)
    near = cooccurrences(text, 2, harmonic=False).toarray()
    # 0-1, 1-2, 2-0 next to each other, 0-2, 1-0 two apart; 2-1 in the other document
    assert near.tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    harmonic = cooccurrences(text, 2, harmonic=True).toarray()
    assert harmonic.tolist() == [[0, 1.5, 1.5], [1.5, 0, 2], [1.5, 2, 0]]


def test_pieces_of_a_text_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = circles(60)
    whole = cooccurrences(text, 2, harmonic=False).toarray()
    assert whole.sum() == 60 * 2 * (5 + 4)
    monkeypatch.setattr(
        "nlpviz.word_vectors.learning.cooccurrence._PIECE", 7 * 20
    )  # documents of 6 words and a boundary
    np.testing.assert_array_equal(cooccurrences(text, 2, harmonic=False).toarray(), whole)


def test_mutual_information_by_hand() -> None:
    from scipy.sparse import csr_array

    counts = csr_array(np.array([[0, 4, 1], [4, 0, 0], [1, 0, 0]], dtype=np.float32))
    plain = ppmi(counts, smoothing=1.0).toarray()
    total, sums = 10, np.array([5, 4, 1])
    assert plain[0, 1] == pytest.approx(math.log(4 * total / (sums[0] * sums[1])))
    assert plain[0, 2] == pytest.approx(math.log(1 * total / (sums[0] * sums[2])))
    assert plain[1, 2] == 0, "what never stood together is zero"
    smoothed = sums**0.75
    assert ppmi(counts).toarray()[0, 2] == pytest.approx(math.log(1 * smoothed.sum() / (sums[0] * smoothed[2])))
    assert ppmi(counts, smoothing=1.0, shift=2.0).toarray()[0, 1] == 0, "log 2 is taken away, and none is below zero"


def test_gradients_of_glove_are_those_of_equation_8() -> None:
    torch.manual_seed(0)
    settings = glove.GloVeSettings(dimensions=3, largest=4.0)
    counts = torch.tensor([[0.0, 2.0], [9.0, 1.0], [0.5, 0.0]])
    sides = [torch.randn(rows, 5).requires_grad_() for rows in (3, 2)]
    words, contexts = sides
    loss = torch.zeros(())
    for row, column in product(range(3), range(2)):
        count = float(counts[row, column])
        if count:
            error = words[row] @ contexts[column] - math.log(count)
            loss = loss + min(1, count / 4.0) ** 0.75 * error**2
    lost, of_words, of_contexts = glove.block_gradients(words.detach(), contexts.detach(), counts, settings)
    torch.testing.assert_close(lost, loss.detach())
    for given, wanted in zip((of_words, of_contexts), torch.autograd.grad(loss, sides), strict=True):
        torch.testing.assert_close(given, wanted)


def test_svd_keeps_the_largest_directions() -> None:
    model = word_models()["ppmi-svd"]
    fitted = Fit(circles(), torch.device("cpu"), 0, lambda _: None)
    (epoch,) = model.fit(fitted, PPMISettings(dimensions=4, window=2))
    matrix = ppmi(cooccurrences(circles(), 2, harmonic=False)).toarray()
    values = np.linalg.svd(matrix, compute_uv=False)[:4]
    np.testing.assert_allclose(np.linalg.norm(epoch.tables.input.numpy(), axis=0) ** 2, values, rtol=1e-3)
