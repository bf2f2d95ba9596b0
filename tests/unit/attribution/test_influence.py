"""TracIn at the word vectors: against plain autograd over the whole table, its parts, its sketches, and its file."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn import functional

from nlpviz.analysis.attribution import gradient_sketch
from nlpviz.analysis.attribution import influence as tracin
from nlpviz.analysis.attribution.word_gradients import loss, word_gradients
from nlpviz.data import CorpusMissing, DataError
from nlpviz.figures.attribution.influence import amount
from nlpviz.networks.architectures import class_scores
from nlpviz.run_kinds import influence as kind
from nlpviz.run_kinds.influence import influence, sketch
from nlpviz.run_kinds.influence_fidelity import fidelity
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.influence import INFLUENCE, sketches_of
from nlpviz.training.trained_on import trained_on
from tests import toy
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("toy_modules", "trained")
QUIET = lambda _: None  # noqa: E731


def plain(run: Run, epoch: int, row: np.ndarray, label: int) -> torch.Tensor:
    """Return the gradient (V, D) of one text's loss with respect to the whole table, by autograd alone."""
    module = deepcopy(run.load(epoch).module).requires_grad_(True)
    logits = class_scores(module(torch.from_numpy(row)[None]))
    twice = torch.cat([torch.zeros(1, 1), logits[:, 1:]], dim=1)  # one sigmoid neuron x is a softmax over (0, x)
    return torch.autograd.grad(functional.cross_entropy(twice, torch.tensor([label])), module.embedding.weight)[0]


def test_influence_is_the_sum_over_epochs_of_gradients_of_the_whole_table() -> None:
    run = sketch(open_run("toy-cnn"), QUIET)
    (documents, ids), at = trained_on(run), tracin.checkpoints(run)
    text = "the dreadful film was dreadful and splendid"
    found = influence(run, text, target=0)
    assert at == (found.epochs, (1e-2,) * 3) == ((1, 2, 3), (1e-2,) * 3)
    for place in (0, 7):
        number = ids.index(found.ids[place])
        row, label = documents.ids[number], int(documents.labels[number])
        by_hand = [1e-2 * plain(run, one, found.encoded.ids, 0) * plain(run, one, row, label) for one in at.epochs]
        np.testing.assert_allclose(found.by_epoch[:, place], [one.sum() for one in by_hand], rtol=1e-3, atol=1e-9)
        words = torch.stack(by_hand).sum(dim=(0, 2))[run.vocabulary.ids(found.words)]
        np.testing.assert_allclose(found.by_word[place], words, rtol=1e-3, atol=1e-9)
    np.testing.assert_allclose(found.scores, found.by_word.sum(axis=1), rtol=1e-4)
    assert "dreadful" in {word for word, _ in found.strongest_words(int(found.helpful(1)[0]), 2)}
    assert set(found.labels[found.helpful()]) == {0}, "texts of its own class teach a network this one"


def test_estimates_are_there_before_anything_is_compared_exactly() -> None:
    run, seen = sketch(open_run("toy-cnn"), QUIET), []
    shares: list[float] = []
    found = influence(
        run, "a splendid film", report=shares.append, meanwhile=lambda one: seen.append((one, len(shares)))
    )
    ((estimate, done),) = seen
    assert done == 0
    assert shares
    assert estimate.through is None
    assert estimate.ids == found.ids
    np.testing.assert_array_equal(estimate.scores, found.estimates)


def test_self_influence_is_a_squared_length_and_sketches_keep_the_order() -> None:
    run = sketch(open_run("toy-cnn"), QUIET)
    stored, (documents, ids) = sketches_of(run), trained_on(run)
    assert stored.ids == ids
    lengths = [1e-2 * plain(run, one, documents.ids[5], int(documents.labels[5])).square().sum() for one in (1, 2, 3)]
    assert stored.selves[5] == pytest.approx(float(sum(lengths)), rel=1e-3)
    found = fidelity(run, 5, QUIET)
    assert found.correlation > 0.9
    assert found.recall > 0.9
    assert (run.folder / INFLUENCE).stat().st_size < 2**20


def test_the_share_of_documents_that_are_sketched_grows_to_all() -> None:
    run = open_run("toy-cnn")
    shares: list[float] = []
    documents, _ = trained_on(run)
    some = tracin.LabelledRows(documents.ids[:5], documents.labels[:5])
    tracin.hashed_documents(kind.opened(run.load), tracin.checkpoints(run), some, shares.append)
    assert shares == pytest.approx([1 / 3, 2 / 3, 1]), "an epoch after the other"


def test_hashing_is_the_same_everywhere_and_keeps_dot_products() -> None:
    hashes = gradient_sketch.hashing(np.array([2, 17_999]), 3, epoch=1)
    assert hashes.buckets.tolist() == gradient_sketch.hashing(np.array([2, 17_999]), 3, epoch=1).buckets.tolist()
    assert gradient_sketch.hashing(np.array([2]), 3, epoch=2).buckets.tolist() != hashes.buckets[:1].tolist()
    assert set(hashes.signs.flatten().tolist()) <= {-1.0, 1.0}
    wide = gradient_sketch.hashing(np.arange(500), 100, epoch=3)
    assert abs(float(wide.signs.mean())) < 0.02
    assert wide.buckets.float().mean() == pytest.approx(gradient_sketch.BUCKETS / 2, rel=0.02)


def test_documents_without_a_gradient_have_sketches_of_no_numbers() -> None:
    sums = np.zeros((3, 8), dtype=np.float32)
    axes = gradient_sketch.principal_axes(sums)
    values, scales = gradient_sketch.in_eight_bits(sums @ axes)
    assert (axes.shape, values.shape, scales.tolist()) == ((8, 0), (3, 0), [0, 0, 0])


def test_losses_are_those_of_training_whatever_the_number_of_classes() -> None:
    logits, classes = torch.tensor([[0.3], [-2.0]]), torch.tensor([1, 0])
    expected = functional.binary_cross_entropy_with_logits(logits[:, 0], classes.float(), reduction="none")
    torch.testing.assert_close(loss(logits, classes), expected)
    many = torch.tensor([[0.3, 1.0, -1.0]])
    torch.testing.assert_close(loss(many, torch.tensor([2])), functional.cross_entropy(many, torch.tensor([2]))[None])


def test_texts_without_known_words_get_an_answer() -> None:
    run = sketch(open_run("toy-cnn"), QUIET)
    empty = influence(run, "")
    assert not empty.scores.any()
    assert not len(empty.helpful()) + len(empty.harmful())
    assert influence(run, "splendid").by_word.shape[1] == 1
    assert influence(run, "xyzzy").words == ("<unk>",)
    nothing = word_gradients(run.load().module, [np.zeros(0, dtype=np.int64)], np.array([0]))
    assert not len(nothing.words)
    assert nothing.squared_norms(2).tolist() == [0, 0]


def test_without_the_corpus_there_are_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    run = sketch(open_run("toy-cnn"), QUIET)

    def missing(*_: object) -> None:
        raise CorpusMissing("not here")

    exact = influence(run, "a splendid film")
    monkeypatch.setattr("nlpviz.training.texts.labelled_texts", missing)
    found = influence(run, "a splendid film")
    assert found.through is None
    np.testing.assert_array_equal(found.scores, found.estimates)
    assert found.ids[found.helpful(1)[0]] in [exact.ids[one] for one in exact.helpful(30)]


def test_a_corpus_that_is_here_but_another_one_is_not_called_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    run, text = sketch(open_run("toy-cnn"), QUIET), "a splendid film"
    with monkeypatch.context() as patch:
        patch.setattr(kind, "_places", lambda ids: {name: place for place, name in enumerate(ids[:1])})
        with pytest.raises(
            RunError, match=r"'toy-cnn' was trained on the document train/\w+, which is missing from its corpus 'toy'"
        ):
            influence(run, text)
    with pytest.raises(DataError, match="There is no corpus 'gone'"):
        influence(replace(run, corpus={**run.corpus, "name": "gone"}), text)
    with pytest.raises(KeyError):
        influence(replace(run, corpus={}), text)


def test_what_cannot_be_answered_is_a_sentence() -> None:
    run = open_run("toy-cnn")
    with pytest.raises(RunError, match=r"no gradient sketches.*influence toy-cnn --sketch"):
        influence(run, "a film")
    with pytest.raises(RunError, match="were not trained"):
        sketch(replace(run, config={**run.config, "static": True}), QUIET)
    with pytest.raises(RunError, match="were not trained"):
        tracin.checkpoints(replace(run, config={"ngrams": 2}))  # it has no word vectors
    with pytest.raises(RunError, match="has no stored checkpoint"):
        tracin.checkpoints(replace(run, epochs=(0,)))
    assert kind.CANDIDATES
    done = sketch(run, QUIET)
    import pyarrow.parquet as pq

    path = done.folder / INFLUENCE
    pq.write_table(pq.read_table(path).replace_schema_metadata({"nlpviz": "{}"}), path)
    with pytest.raises(RunError, match="contains no sketches"):
        sketches_of(done.save())


def test_the_command_lists_documents_and_words(printed: Printed) -> None:
    facts = printed.json("influence", "toy-cnn", "--sketch")
    assert facts["bytes"] > 0
    told = printed.json("influence", "toy-cnn", "--text", "a dreadful film", "--top", "3")
    assert told["exact"]
    assert len(told["helpful"]) == 3
    assert "dreadful" in told["helpful"][0]["words"]
    assert toy.CORPUS.name not in told["helpful"][0]["id"]
    said = printed("influence", "toy-cnn", "--text", "a dreadful film")
    assert "helpful" in said
    assert "thousandths of a nat" in said
    printed("influence", "toy-cnn", "--text", "")
    assert "No words were read" in printed.error
    assert "`influence` does not apply to it" in printed.refused("influence", "toy-ngrams", "--sketch")


@pytest.mark.parametrize(
    ("nats", "said"),
    [(0.00276, "+2.8"), (-0.00014, "−0.14"), (3.2e-6, "+0.0032"), (0.354, "+354"), (0.0, "0"), (1e-12, "0.00000")],
)
def test_influences_are_thousandths_of_a_nat_without_powers_of_ten(nats: float, said: str) -> None:
    assert amount(nats) == said
