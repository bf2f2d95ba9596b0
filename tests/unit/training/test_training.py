"""Batches, the loop, what it keeps, and how a stopped training goes on."""

from __future__ import annotations

import json
import math
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load_file
from sklearn.metrics import accuracy_score, log_loss
from torch import Tensor, nn
from torch.nn import functional

import nlpviz.training.fit as loop
from nlpviz.networks.architectures import padded
from nlpviz.networks.architectures.cnn import CNN, CNNConfig
from nlpviz.results.history import EpochRecord
from nlpviz.results.training_log import Role
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.files import write_whole
from nlpviz.runs.history import read_history
from nlpviz.runs.own_corpora import UNFINISHED
from nlpviz.runs.training_log import training_log
from nlpviz.runs.vectors import read_vectors
from nlpviz.runs.weights import weights_file
from nlpviz.text.vocabulary import PAD, UNKNOWN, Vocabulary
from nlpviz.training import Options, Recipe, TrainingError, accelerator_for, classifier, state
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.batches import Labelled, bucketed
from nlpviz.training.documents import answers, balanced_sample
from nlpviz.training.fit import FitSettings, fit, score
from nlpviz.training.measures import LossAndAccuracy, measure
from nlpviz.training.produce import produce
from nlpviz.training.state import STATE
from nlpviz.training.vectors import vectors_of_run
from tests import toy, two_processes
from tests.words import write_toy_run

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = FitSettings(
    epochs=3, patience=3, batch_size=16, learning_rate=3e-3, embedding_rate=1e-3, weight_decay=0.01, averaging=0.9
)


def network(seed: int = 0, **changes: object) -> CNN:
    """Return a small network with dropout of both kinds."""
    torch.manual_seed(seed)
    config: dict[str, object] = {"dimensions": 8, "filters": 6, "dropout": 0.4, "word_dropout": 0.2}
    return CNN(CNNConfig(vocabulary_size=len(toy.vocabulary()), **config | changes))


def fitted(
    folder: Path, settings: FitSettings = SETTINGS, model: nn.Module | None = None, train: int = 100
) -> list[EpochRecord]:
    """Fit a network to the first toy texts, in ``folder``."""
    folder.mkdir(exist_ok=True)
    texts = toy.labelled("train", train), toy.labelled("test", 41)
    return fit(model or network(), *texts, settings, folder, accelerator_for("cpu"))


def contents(folder: Path) -> dict[str, bytes]:
    """Return what stands in the kept epochs' files, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("epoch-*"))}


def without_time(records: list[EpochRecord]) -> list[EpochRecord]:
    """Return the records with no seconds in them."""
    return [replace(record, seconds=0.0) for record in records]


class Given(nn.Module):
    """A model whose logits for a text are the values that its first id stands for."""

    def __init__(self, logits: list[list[float]]) -> None:
        """Answer with row i of ``logits`` to a text that begins with id i."""
        super().__init__()
        self.logits = torch.tensor(logits)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits (B, C)."""
        return self.logits[ids[:, 0]]


# ------------------------------------------------------------------------------------------------------- batches


@given(st.lists(st.integers(0, 50)), st.integers(1, 9), st.none() | st.integers(0, 5))
def test_every_text_is_in_one_batch(lengths: list[int], size: int, seed: int | None) -> None:
    rng = None if seed is None else np.random.default_rng(seed)
    batches = bucketed(np.array(lengths, dtype=np.int64), size, rng)
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= size for batch in batches)
    assert len(batches) == math.ceil(len(lengths) / size)


def test_batches_hold_little_padding_and_come_in_random_order() -> None:
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.lognormal(5.2, 0.6, size=5_000), 1, 400).astype(np.int64)  # as film reviews are
    batches = bucketed(lengths, 64, rng)
    computed = sum(len(batch) * lengths[batch].max() for batch in batches)
    assert computed < 1.06 * lengths.sum(), "random batches would compute almost twice as much"
    means = [lengths[batch].mean() for batch in batches]
    assert abs(np.corrcoef(means, np.arange(len(means)))[0, 1]) < 0.4
    assert abs(np.corrcoef(means[:-1], means[1:])[0, 1]) < 0.4


def test_the_order_is_the_generators_own() -> None:
    lengths = np.arange(100)
    first, same, other = (bucketed(lengths, 8, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert [batch.tolist() for batch in first] == [batch.tolist() for batch in same]
    assert [batch.tolist() for batch in first] != [batch.tolist() for batch in other]
    assert [batch.tolist() for batch in bucketed(lengths[::-1], 60, None)] == [
        list(range(99, 39, -1)),
        list(range(39, -1, -1)),
    ]


def test_padding_fills_the_end() -> None:
    batch = padded([np.array([5, 6, 7]), np.array([8]), np.array([], dtype=np.int64)])
    assert batch.tolist() == [[5, 6, 7], [8, PAD, PAD], [PAD, PAD, PAD]]
    assert batch.dtype == torch.int64
    assert padded([]).shape == (0, 0)


# -------------------------------------------------------------------------------------------------------- measure


@pytest.mark.parametrize("logits", [[[-2.0], [0.3], [1.5]], [[2.0, 1.0, -1.0], [0.0, 0.5, 0.1], [-3.0, 0.0, 1.0]]])
@pytest.mark.parametrize("batch_size", [1, 3, 256])
def test_measure_is_what_scikit_learn_measures(logits: list[list[float]], batch_size: int) -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(0, 3, size=31)
    labels = rng.integers(0, max(2, len(logits[0])), size=31).astype(np.int8)
    scores = torch.tensor(logits)[ids]
    scores = torch.cat([torch.zeros_like(scores), scores], dim=1) if scores.shape[1] == 1 else scores
    examples = Labelled([np.array([number] * 2, dtype=np.int32) for number in ids], labels)
    model = Given(logits).train()
    measured = measure(model, examples, accelerator_for("cpu"), batch_size)
    assert measured.loss == pytest.approx(log_loss(labels, scores.softmax(dim=1).numpy()), rel=1e-5)
    assert measured.accuracy == pytest.approx(accuracy_score(labels, scores.argmax(dim=1).numpy()))
    assert model.training, "the model goes on training"


def test_measure_drops_nothing_out() -> None:
    examples = toy.labelled("test", 20)
    first, second = (measure(network(dropout=0.9), examples, accelerator_for("cpu")) for _ in range(2))
    assert first == second


# ------------------------------------------------------------------------------------------------------------ fit


@pytest.mark.parametrize("embedding_rate", [None, 1e-4])
def test_fit_is_a_plain_loop(tmp_path: Path, embedding_rate: float | None) -> None:
    """The same texts in the same order through torch's own AdamW, written out, and the averages by hand."""
    settings = replace(SETTINGS, epochs=2, weight_decay=0.1, averaging=0.7, embedding_rate=embedding_rate)
    records = fitted(tmp_path, settings, network(dropout=0.0, word_dropout=0.0), train=41)
    model, train = network(dropout=0.0, word_dropout=0.0), toy.labelled("train", 41)
    mean = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    rates = dict.fromkeys(mean, 3e-3) | {"embedding.weight": embedding_rate or 3e-3}
    groups = [{"params": [weight], "lr": rates[name]} for name, weight in model.named_parameters()]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.1, fused=False)
    norms, steps = [], 0
    for epoch in (1, 2):
        order = bucketed(np.array([len(ids) for ids in train.ids]), 16, np.random.default_rng([settings.seed, epoch]))
        norms.append([])
        for positions in order:
            logits = model(padded([train.ids[position] for position in positions]))[:, 0]
            labels = torch.from_numpy(train.labels[positions]).float()
            optimizer.zero_grad()
            functional.binary_cross_entropy_with_logits(logits, labels).backward()
            norms[-1].append(math.sqrt(sum(float((weight.grad**2).sum()) for weight in model.parameters())))
            optimizer.step()
            steps += 1
            decay = min(0.7, (1 + steps) / (10 + steps))
            for name, weight in model.named_parameters():
                mean[name] = decay * mean[name] + (1 - decay) * weight.detach()
    kept = load_file(tmp_path / weights_file(2))
    assert {str(tensor.dtype) for tensor in kept.values()} == {"torch.float16"}
    for name, tensor in mean.items():
        torch.testing.assert_close(kept[name].float(), tensor, rtol=2e-3, atol=1e-4)
    assert [record.gradient_norm for record in records[1:]] == pytest.approx(
        [float(np.mean(of_epoch)) for of_epoch in norms], rel=1e-4
    )
    averaged = network(dropout=0.0, word_dropout=0.0)
    averaged.load_state_dict(mean)
    for texts, loss in ((train, records[-1].train_loss), (toy.labelled("test", 41), records[-1].validation_loss)):
        of_mean, of_last = (measure(one, texts, accelerator_for("cpu")).loss for one in (averaged, model))
        assert loss == pytest.approx(of_mean, rel=1e-4), "the averaged weights are measured, as they are kept"
        assert abs(of_last - of_mean) > 5e-4 * of_mean, "and not those of the last step"


def test_every_epoch_has_a_record_and_its_weights_also_before_training(tmp_path: Path) -> None:
    untrained = network()
    records = fitted(tmp_path, model=untrained)
    assert [record.epoch for record in records] == [0, 1, 2, 3]
    assert list(contents(tmp_path)) == [weights_file(epoch) for epoch in range(4)]
    assert records[0].train_loss == pytest.approx(math.log(2), abs=0.05)
    assert records[0].gradient_norm == 0 < records[1].gradient_norm
    assert records[3].train_loss < records[0].train_loss
    for name, tensor in load_file(tmp_path / weights_file(0)).items():
        assert torch.equal(tensor, network().state_dict()[name].half())
    stored = network().eval()
    stored.load_state_dict({name: tensor.float() for name, tensor in load_file(tmp_path / weights_file(3)).items()})
    again = measure(stored, toy.labelled("test", 41), accelerator_for("cpu"))
    assert again.loss == pytest.approx(records[3].validation_loss, abs=1e-3)
    assert again.accuracy == records[3].validation_accuracy


def test_same_seed_same_weights(tmp_path: Path) -> None:
    first, second = (fitted(tmp_path / name) for name in "ab")
    assert without_time(first) == without_time(second)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    fitted(tmp_path / "c", replace(SETTINGS, seed=1))
    assert contents(tmp_path / "a")[weights_file(1)] != contents(tmp_path / "c")[weights_file(1)]


def test_the_earliest_of_the_best_epochs_is_chosen_by_accuracy_then_loss() -> None:
    def record(epoch: int, accuracy: float, loss: float) -> EpochRecord:
        return EpochRecord(epoch, 0.0, 0.0, loss, accuracy, 0.0, 0.0)

    assert max([record(0, 0.5, 0.7), record(1, 0.9, 0.4), record(2, 0.8, 0.1)], key=score).epoch == 1
    assert max([record(0, 0.9, 0.7), record(1, 0.9, 0.4), record(2, 0.9, 0.5)], key=score).epoch == 1
    assert max([record(0, 0.9, 0.4), record(1, 0.9, 0.4)], key=score).epoch == 0


@pytest.mark.parametrize(
    ("accuracies", "patience", "last"),
    [([0.5, 0.7, 0.9, 0.8, 0.85, 0.99, 1.0], 2, 4), ([0.5, 0.7, 0.9, 0.8, 0.85], 1, 3), ([0.1, 0.2, 0.3, 0.4], 2, 3)],
)
def test_training_stops_patience_epochs_past_the_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, accuracies: list[float], patience: int, last: int
) -> None:
    answer = (LossAndAccuracy(0.5, accuracy) for accuracy in accuracies for _train_and_validation in range(2))
    monkeypatch.setattr(loop, "measure", lambda *_: next(answer))
    records = fitted(tmp_path, replace(SETTINGS, epochs=len(accuracies) - 1, patience=patience))
    assert [record.epoch for record in records] == list(range(last + 1))
    assert len(contents(tmp_path)) == last + 1


def test_average_by_hand() -> None:
    model = nn.Linear(1, 1, bias=False)
    model.weight.data.fill_(1.0)
    average = WeightAverage(model, decay=0.25)
    expected = 1.0
    for step, decay in enumerate([2 / 11, 3 / 12, 0.25, 0.25]):
        model.weight.data.fill_(10.0 * step)
        average.update()
        expected = decay * expected + (1 - decay) * 10 * step
        assert average.module.weight.item() == pytest.approx(expected)
    assert average.module is not model
    assert not average.module.weight.requires_grad
    assert WeightAverage(model, decay=0).module is model


# --------------------------------------------------------------------------------------------- stopped, and gone on


def interrupt(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, call: int) -> None:
    """Let Ctrl-C arrive at a call of ``owner.name``: at the first one for 1."""
    original: Callable[..., object] = getattr(owner, name)
    calls = iter(range(1, 1_000_000))

    def interrupted(*arguments: object, **named: object) -> object:
        if next(calls) == call:
            raise KeyboardInterrupt
        return original(*arguments, **named)

    monkeypatch.setattr(owner, name, interrupted)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[EpochRecord], dict[str, bytes]]:
    """The records and the files of a training that nobody stopped."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    return fitted(folder), contents(folder)


@pytest.mark.parametrize("step", [1, 10, 14, 21], ids="step {}".format)
def test_stopped_training_ends_where_it_would_have_ended(
    tmp_path: Path, uninterrupted: tuple[list[EpochRecord], dict[str, bytes]], step: int
) -> None:
    """100 texts are 7 steps an epoch: the first one, one in the second epoch, its last one, the very last one."""
    with pytest.MonkeyPatch.context() as patch:
        interrupt(patch, WeightAverage, "update", step)
        with pytest.raises(KeyboardInterrupt):
            fitted(tmp_path)
    finished = (step - 1) // 7
    assert list(contents(tmp_path)) == [weights_file(epoch) for epoch in range(finished + 1)]
    records = fitted(tmp_path, model=network(seed=99))
    assert without_time(records) == without_time(uninterrupted[0])
    assert contents(tmp_path) == uninterrupted[1]


@pytest.mark.parametrize("write", range(1, 9))
def test_stop_at_any_write_leaves_whole_files_and_costs_one_epoch_at_most(
    tmp_path: Path, uninterrupted: tuple[list[EpochRecord], dict[str, bytes]], write: int
) -> None:
    """Two files an epoch, its weights and the state: Ctrl-C when half of one is written."""
    save_file = state.save_file

    def half(tensors: dict[str, Tensor], path: Path, *metadata: dict[str, str]) -> None:
        save_file(tensors, path, *metadata)
        path.write_bytes(path.read_bytes()[:100])
        raise KeyboardInterrupt

    calls = iter(range(1, 100))

    def save(*given: Any) -> None:
        (half if next(calls) == write else save_file)(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "save_file", save)
        patch.setattr("safetensors.torch.save_file", save)
        with pytest.raises(KeyboardInterrupt):
            fitted(tmp_path)
    for path in tmp_path.iterdir():
        assert path.name in {STATE, *uninterrupted[1]}, "no half of a file is left"
        assert load_file(path)
    finished = max((write - 1) // 2 - 1, 0)
    with pytest.MonkeyPatch.context() as patch:
        interrupt(patch, WeightAverage, "update", 7 * (3 - finished) + 1)  # finished epochs are not trained again
        fitted(tmp_path, model=network(seed=99 if (tmp_path / STATE).exists() else 0))
    assert contents(tmp_path) == uninterrupted[1]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_failed_write_leaves_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    (tmp_path / "file").write_text("old")

    def fail(path: Path) -> None:
        path.write_text("ne")
        raise error

    with pytest.raises(error):
        write_whole(tmp_path / "file", fail)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"
    write_whole(tmp_path / "file", lambda path: path.write_text("new"))
    assert (tmp_path / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("settings", "model", "train"),
    [
        (replace(SETTINGS, learning_rate=0.1), network(), 100),
        (SETTINGS, network(), 99),
        (SETTINGS, network(filters=7), 100),
        (SETTINGS, network(dropout=0.1), 100),
        (SETTINGS, network(static=True), 100),
    ],
    ids=["rate", "texts", "size", "dropout", "static"],
)
def test_state_of_another_training_is_refused(
    tmp_path: Path, settings: FitSettings, model: nn.Module, train: int
) -> None:
    fitted(tmp_path, replace(SETTINGS, epochs=1))
    before = contents(tmp_path)
    with pytest.raises(TrainingError, match=r"other settings; delete its folder to start over\.$"):
        fitted(tmp_path, replace(settings, epochs=1), model, train)
    assert contents(tmp_path) == before


def damage(content: bytes, how: str) -> bytes:
    """Return the content of a file after an accident."""
    header = int.from_bytes(content[:8], "little") + 8
    flipped = content.replace(b"fingerprint", b"fingerprinu")
    return {
        "empty": b"",
        "half": content[: len(content) // 2],
        "header cut": content[: header // 2],
        "garbage": b"\xff" * 1000,
        "flipped": flipped,
        "no metadata": b"\x02\0\0\0\0\0\0\0{}",
        "a name flipped": content.replace(b"model.output", b"model.nutput"),
    }[how]


@pytest.mark.parametrize("how", ["empty", "half", "header cut", "garbage", "flipped", "no metadata", "a name flipped"])
def test_damaged_state_is_refused(tmp_path: Path, how: str) -> None:
    fitted(tmp_path, replace(SETTINGS, epochs=1))
    (tmp_path / STATE).write_bytes(damage((tmp_path / STATE).read_bytes(), how))
    with pytest.raises(TrainingError, match=r"delete its folder to start over\.$"):
        fitted(tmp_path, replace(SETTINGS, epochs=1))


# ------------------------------------------------------------------------------------------------ several processes


def launch(folder: Path, what: str, machines: int) -> None:
    """Run ``tests.two_processes`` in two processes: of one machine, or of two that share the folder of the runs."""
    environment = os.environ | {"NLPVIZ_TRAINED": str(folder / "trained"), "PYTHONPATH": str(ROOT)}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = ["--master-addr", "127.0.0.1", "--master-port", str(free.getsockname()[1])]
    each = ["--nnodes", str(machines), "--nproc-per-node", str(2 // machines), *where]
    command = [sys.executable, "-m", "torch.distributed.run", *each]
    launched = [
        subprocess.Popen(
            [*command, "--node-rank", str(rank), "-m", "tests.two_processes", str(folder), what],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(machines)
    ]
    try:
        ended = [(one.communicate(timeout=120)[1], one.returncode) for one in launched]
    finally:
        for one in launched:
            one.kill()
            one.wait()
    assert [error for error, code in ended if code] == []


@pytest.mark.slow
@pytest.mark.parametrize("machines", [1, 2])
def test_two_processes_give_the_result_of_one(tmp_path: Path, machines: int) -> None:
    """Under torchrun, with texts left over in the last batches, and a whole recipe besides."""
    launch(tmp_path, "classifier", machines)
    alone = two_processes.train(tmp_path / "alone")
    for epoch in range(3):
        pairs = (load_file(tmp_path / name / weights_file(epoch)) for name in ("fitted", "alone"))
        for theirs, ours in zip(*(tensors.values() for tensors in pairs), strict=True):
            torch.testing.assert_close(theirs, ours, rtol=2e-3, atol=2e-4)
    for of_two, of_one in zip(kept_records(tmp_path / "fitted"), without_time(alone), strict=True):
        assert asdict(of_two) == pytest.approx(asdict(of_one), rel=1e-3)
    made = Run.open(tmp_path / "trained" / "toy-cnn")
    assert made.metrics["test"]["documents"] == toy.SIZES["test"]
    assert made.load().epoch == made.best_epoch
    assert len(documents_of(made).ids) == 60
    log, last = training_log(made), read_history(made, EpochRecord)[-1]
    assert log.ids == (*toy.read("train").ids, *toy.read("test").ids)
    assert log.of(Role.HELD_OUT).right[:, -1].mean() == pytest.approx(last.validation_accuracy)


@pytest.mark.slow
def test_first_of_two_processes_trains_a_translator_by_itself(tmp_path: Path) -> None:
    launch(tmp_path, "translator", 2)
    made = Run.open(tmp_path / "trained" / "toy-en-fr-none")
    assert made.epochs == (0, 1)
    assert made.metrics["translation"]["bleu"] >= 0


def kept_records(folder: Path) -> list[EpochRecord]:
    """Return the records that the state of a training holds."""
    with safe_open(folder / STATE, "pt") as stored:
        return without_time([EpochRecord(**record) for record in json.loads(stored.metadata()["records"])])


def test_unknown_device_is_refused() -> None:
    with pytest.raises(TrainingError, match=r"Unknown device 'tpu'; choose one of auto, cpu, cuda\."):
        accelerator_for("tpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_missing_device_is_refused() -> None:
    with pytest.raises(TrainingError, match=r"no CUDA device .* use --device cpu\."):
        accelerator_for("cuda")


# ---------------------------------------------------------------------------------------------------------- produce


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of ``trained/``."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "trained"))
    return tmp_path / "trained"


def recipe(title: str, meanwhile: Callable[[], object] = lambda: None) -> Recipe:
    """Return a recipe of the run ``toy``, which calls ``meanwhile`` when half of it is written."""

    def make(folder: Path, options: Options) -> None:
        (folder / "history.csv").write_text(title)
        (folder / ".leftover").write_text("")
        options.say(f"making {title}")
        meanwhile()
        values = {item.name: None for item in fields(Run)} | {"class_names": (), "epochs": (), "parameters": ()}
        values |= {"shared": {}, "stored_bytes": 0}
        Run(**values | {"name": "toy", "title": title, "folder": folder}).save()

    return Recipe(name="toy", title=title, corpus="toy", make=make, evaluate=lambda _name, _options: {})


def test_run_is_put_in_its_place_when_it_is_whole(runs: Path) -> None:
    seen: list[str] = []
    options = Options(device="cpu", say=seen.append)
    assert produce(recipe("first"), options).title == "first"
    second = produce(recipe("second", lambda: seen.append(open_run("toy").title)), options)
    assert seen == ["making first", "making second", "first"], "the first run stood until the second was whole"
    assert second == open_run("toy")
    assert second.folder == runs / "toy"
    assert sorted(path.name for path in (runs / "toy").iterdir()) == ["history.csv", "run.json"]
    assert (runs / "toy" / "history.csv").read_text() == "second"


@pytest.mark.parametrize("error", [KeyboardInterrupt, TrainingError])
def test_stopped_recipe_leaves_the_old_run_and_goes_on_in_its_folder(runs: Path, error: type[BaseException]) -> None:
    def stop() -> None:
        raise error

    with pytest.raises(error):
        produce(recipe("first", stop), Options(device="cpu"))
    with pytest.raises(RunError, match="no run 'toy'; available runs: none"):
        open_run("toy")
    produce(recipe("first"), Options(device="cpu"))
    with pytest.raises(error):
        produce(recipe("second", stop), Options(device="cpu"))
    assert open_run("toy").title == "first"
    unfinished = runs / UNFINISHED / "toy" / "history.csv"
    assert unfinished.read_text() == "second"
    left: list[bool] = []
    produce(recipe("third", lambda: left.append(unfinished.exists())), Options(device="cpu"))
    assert left == [True]
    assert open_run("toy").title == "third"


def test_swap_that_was_cut_short_does_not_stop_the_next_one(runs: Path) -> None:
    """Killed between the two moves of the last step: the old run lies beside the unfinished ones."""
    produce(recipe("first"), Options(device="cpu"))
    shutil.copytree(runs / "toy", runs / UNFINISHED / "toy.replaced")
    assert produce(recipe("second"), Options(device="cpu")).title == "second"
    assert [path.name for path in (runs / UNFINISHED).iterdir()] == ["toy.lock"]


def test_a_recipe_is_made_once_at_a_time(runs: Path) -> None:
    refused: list[str] = []

    def try_again() -> None:
        try:
            produce(recipe("second"), Options(device="cpu"))
        except TrainingError as error:
            refused.append(str(error))

    def meanwhile() -> None:
        thread = threading.Thread(target=try_again)
        thread.start()
        thread.join()

    assert produce(recipe("first", meanwhile), Options(device="cpu")).title == "first"
    assert refused == ["toy is being trained by another process; wait for it or stop it."]
    assert (runs / "toy").is_dir()


# ------------------------------------------------------------------------------------- what a classifier's run keeps


def test_sample_holds_as_many_of_each_label() -> None:
    labels = np.array([0] * 70 + [1] * 30)
    positions = balanced_sample(labels, 40)
    assert np.bincount(labels[positions]).tolist() == [20, 20]
    assert (np.diff(positions) > 0).all(), "ascending, each once"
    assert positions.tolist() == balanced_sample(labels, 40).tolist(), "every run on a corpus keeps the same ones"
    assert np.diff(positions).max() > 1, "a sample, not the first ones"


def test_validation_texts_are_the_last_of_each_label_and_not_trained_on() -> None:
    labels = np.array([0, 1] * 10, dtype=np.int8)
    settings = replace(toy.settings("cnn"), validation=6)
    train, validation = classifier._held_out({"labels": labels}, settings)
    assert validation.tolist() == [14, 16, 18, 15, 17, 19]
    assert train.tolist() == list(range(14))
    assert labels[validation].tolist() == [0, 0, 0, 1, 1, 1]


def test_texts_in_the_validation_gap_are_neither_trained_on_nor_chosen_by() -> None:
    labels = np.array([0, 1] * 10, dtype=np.int8)
    settings = replace(toy.settings("cnn"), validation=6, validation_gap=4)
    train, validation = classifier._held_out({"labels": labels}, settings)
    assert validation.tolist() == [14, 16, 18, 15, 17, 19]
    assert train.tolist() == list(range(10))


def test_answers_are_in_the_order_of_the_texts() -> None:
    model, texts = network().eval(), toy.labelled("test", 30)
    probabilities, embeddings = answers(model, texts.ids)
    assert probabilities.shape == (30, 2)
    assert embeddings.shape == (30, 18)
    for ids, probability, embedding in zip(texts.ids, probabilities, embeddings, strict=True):
        alone = torch.from_numpy(ids).unsqueeze(0)
        with torch.no_grad():
            second = model(alone).sigmoid().item()
            assert probability == pytest.approx([1 - second, second], abs=1e-5)
            expected = model.encode(model.embed(alone), alone != PAD)[0]
        np.testing.assert_allclose(embedding, expected.numpy(), atol=1e-5)


def test_model_without_document_embeddings_has_no_answers_to_keep() -> None:
    with pytest.raises(TypeError, match="Given has no document embeddings"):
        answers(Given([[0.0]]), [np.array([0])])


def test_a_classifier_starts_from_a_run_of_word_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    run = write_toy_run(tmp_path, "toy-words")
    words = read_vectors(run)
    vocabulary = Vocabulary([words.words[3], "nobody-knows-me", words.words[0]], [3, 2, 1])
    vectors, known = vectors_of_run("toy-words", vocabulary, words.dimensions)
    assert known == 2
    np.testing.assert_allclose(vectors[2], words.vector(3), rtol=1e-6)
    np.testing.assert_allclose(vectors[4], words.vector(0), rtol=1e-6)
    mean = (words.vector(3) + words.vector(0)) / 2
    np.testing.assert_allclose(vectors[[UNKNOWN, 3]], [mean, mean], rtol=1e-5)
    assert not vectors[PAD].any()
    with pytest.raises(TrainingError, match=f"dimensions, but the network needs {words.dimensions + 1}"):
        vectors_of_run("toy-words", vocabulary, words.dimensions + 1)
    fewer, _ = vectors_of_run("toy-words", vocabulary, 3)
    table = words.directions * words.lengths[:, None]
    _, _, axes = np.linalg.svd(table - table.mean(axis=0), full_matrices=False)
    projected = (table - table.mean(axis=0)) @ axes[:3].T
    between = np.linalg.norm(projected[3] - projected[0])
    assert np.linalg.norm(fewer[2] - fewer[4]) == pytest.approx(between, rel=1e-4)
    with pytest.raises(TrainingError, match="has no vector for any word"):
        vectors_of_run("toy-words", Vocabulary(["qqq"], [1]), words.dimensions)
    with pytest.raises(RunError, match="no run 'elsewhere'"):
        vectors_of_run("elsewhere", vocabulary, words.dimensions)


def test_vectors_of_a_run_are_what_the_network_begins_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    run = write_toy_run(tmp_path, "toy-words")
    words = read_vectors(run)
    vocabulary = Vocabulary([words.words[3], words.words[0]], [3, 2])
    settings = toy.settings("cnn")
    settings = replace(settings, config={**settings.config, "dimensions": words.dimensions})
    settings = replace(settings, fit=replace(settings.fit, starts_from="toy-words"))
    model = classifier._model(vocabulary, settings, Options(device="cpu"))
    np.testing.assert_allclose(model.get_parameter("embedding.weight")[2].detach(), words.vector(3), rtol=1e-6)


def test_a_stopped_training_does_not_go_on_from_other_word_vectors(tmp_path: Path) -> None:
    fitted(tmp_path, replace(SETTINGS, epochs=1))
    with pytest.raises(TrainingError, match="was saved with other settings"):
        fitted(tmp_path, replace(SETTINGS, epochs=1, starts_from="toy-words"))
