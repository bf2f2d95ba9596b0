"""How a translator is trained: its loss, its batches, its run; measured and continued."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from sacrebleu.metrics.bleu import BLEU
from torch.nn import functional

from nlpviz.language.decoding.bleu import LENGTHS, SIGNATURE, bleu_by_length, corpus_bleu
from nlpviz.networks.architectures import Translator, translators
from nlpviz.networks.architectures.seq2seq import Seq2Seq, Seq2SeqConfig
from nlpviz.results.history import TranslatorEpoch
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.history import read_history
from nlpviz.runs.translators import (
    BLEU as BLEU_FILE,
)
from nlpviz.runs.translators import TARGET_VOCABULARY, languages_of, load_translator, read_bleu, read_sentences
from nlpviz.text.parallel import source_tokens
from nlpviz.training import Options, TrainingError
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from nlpviz.training.schedule import rate_at
from nlpviz.training.translator import evaluate
from nlpviz.training.translator_bleu import measure
from nlpviz.training.translator_fit import (
    SentencePairs,
    TranslatorFit,
    _batches,
    _smoothed_loss,
    _states,
    mean_loss,
    of_one_length,
)
from tests import translators as toy


def net(size: int = 40) -> Seq2Seq:
    torch.manual_seed(0)
    return Seq2Seq(Seq2SeqConfig(12, size, dimensions=8, units=8)).eval()


# ------------------------------------------------------------------------------------------------------------ the loss


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_with_all_words_the_loss_is_pytorchs(smoothing: float) -> None:
    model, states, targets = net(), torch.randn(9, 8), torch.randint(1, 40, (9,))
    fit = TranslatorFit(sampled=0, label_smoothing=smoothing)
    loss = _smoothed_loss(model, states, targets.numpy(), fit, np.random.default_rng(0))
    logits = model.predict(states)[:, 1:]  # padding is no word
    torch.testing.assert_close(loss, functional.cross_entropy(logits, targets - 1, label_smoothing=smoothing))


def test_the_measured_loss_is_that_of_each_word() -> None:
    model = net()
    pairs = SentencePairs([np.array([3, 4]), np.array([5])], [np.array([7, 8, 9]), np.array([6])])
    total, words = 0.0, 0
    with torch.no_grad():
        for source, target in zip(*pairs, strict=True):
            before = torch.tensor([[2, *target]])
            logits = model.predict(model.decode(before, model.start(torch.from_numpy(source)[None]))[0].states[0])
            for position, word in enumerate([*target, 2]):
                total -= float(torch.log_softmax(logits[position], 0)[word])
                words += 1
    assert mean_loss(model, pairs, 2) == pytest.approx(total / words, rel=1e-5)


def test_the_learning_rate_rises_and_falls() -> None:
    rates = [rate_at(step, 100, 1.0, warmup=10, final=0.1) for step in range(1, 101)]
    assert rates[0] == pytest.approx(0.1 * (1 - 0.9 * 0.01))
    assert rates[9] == pytest.approx(0.91)
    assert rates[99] == pytest.approx(0.1)
    rates = rates[9:]
    assert rates == sorted(rates, reverse=True)


# --------------------------------------------------------------------------------------------------------- the batches


def pairs(count: int = 200) -> SentencePairs:
    rng = np.random.default_rng(3)
    return SentencePairs(*([rng.integers(1, 12, rng.integers(1, 9)) for _ in range(count)] for _ in range(2)))


@pytest.mark.parametrize("shuffled", [False, True])
def test_batches_hold_every_pair_once_with_sources_of_one_length(shuffled: bool) -> None:
    some = pairs()
    batches = of_one_length(some, 16, np.random.default_rng(0) if shuffled else None)
    assert sorted(np.concatenate(batches).tolist()) == list(range(200))
    assert max(map(len, batches)) <= 16
    assert all(len({len(some.sources[position]) for position in batch}) == 1 for batch in batches)


def test_a_batch_holds_the_words_before_and_after_each_place() -> None:
    some = SentencePairs([np.array([3, 4]), np.array([5, 6])], [np.array([7]), np.array([8, 9])])
    (batch,) = _batches(some, 2, 4, None, torch.device("cpu"))
    assert batch.source.tolist() == [[3, 4], [5, 6]]
    assert batch.before.tolist() == [[2, 7, 0], [2, 8, 9]]
    assert batch.targets.tolist() == [7, 2, 8, 9, 2]
    model = net()
    decoded, _ = model.decode(batch.before, model.start(batch.source))
    assert torch.equal(_states(model, batch), decoded.states[batch.before != 0])


# ----------------------------------------------------------------------------------------------------------------- BLEU


def test_bleu_is_sacrebleus_with_its_signature() -> None:
    translations = ["Un chat noir dort sur le lit.", "Deux chiens courent."]
    references = ["Un chat noir dort sur un lit.", "deux chiens Courent dans le parc."]
    metric = BLEU(lowercase=True)
    result = corpus_bleu(translations, references)
    assert result.score == metric.corpus_score(translations, [references]).score
    assert str(metric.get_signature()) == SIGNATURE
    assert result.with_case == BLEU().corpus_score(translations, [references]).score
    assert result.with_case < result.score < 100
    assert corpus_bleu(references, references).score == pytest.approx(100)


def test_bleu_by_length_parts_the_sentences() -> None:
    texts = [f"un chat dort ici depuis {number} jours" for number in range(6)]
    wrong = [*texts[:3], *["rien"] * 3]
    groups = bleu_by_length(wrong, texts, [8, 9, 11, 12, 14, 300])
    assert [(group.shortest, group.longest, group.sentences) for group in groups] == [
        (1, 8, 1),
        (9, 11, 2),
        (12, 14, 2),
    ]
    assert [round(group.bleu) for group in groups] == [100, 100, 0]
    assert [shortest for shortest, _ in LENGTHS[1:]] == [longest + 1 for _, longest in LENGTHS[:-1]]


# -------------------------------------------------------------------------------------------------------------- the run


@pytest.fixture(scope="module")
def trained(toy_translators: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder with toy translators, in the place of ``trained/``."""
    with toy.discovered(tmp_path_factory.mktemp("modules")), pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(toy_translators))
        yield toy_translators


@pytest.fixture
def run(trained: Path) -> Run:
    assert Path(os.environ["NLPVIZ_TRAINED"]) == trained
    return open_run("toy-en-fr-general")


def test_a_run_keeps_words_epochs_and_bleu(run: Run) -> None:
    assert (run.kind, run.architecture, run.epochs[:2]) == ("translator", "seq2seq", (0, 1))
    languages = languages_of(run)
    assert (languages.source_language, languages.target_language) == ("en", "fr")
    assert {"the", "dog", "."} <= set(languages.source.words)
    assert {"le", "chien", "￭."} <= set(languages.target.words)
    assert languages.target.counts[languages.eos] == toy.SPLITS["train"]
    assert run.corpus["train"] == 900
    assert run.corpus["validation"] == 40
    assert run.corpus["test"] == 60
    history = read_history(run, TranslatorEpoch)
    assert [record.epoch for record in history] == [0, 1, 2, 3]
    assert history[3].validation_loss < history[1].validation_loss < history[0].validation_loss
    assert run.best_epoch == max(history, key=lambda record: (record.validation_bleu, -record.epoch)).epoch
    rows = read_bleu(run)
    assert {row.epoch for row in rows} == set(run.epochs)
    best = next(row for row in rows if row.epoch == run.best_epoch)
    assert best.sentences == 60
    assert best.bleu == pytest.approx(run.metrics["translation"]["bleu"], abs=1e-5)
    card = run.file("README.md").read_text(encoding="utf-8")
    assert f"{best.bleu:.1f}" in card
    assert SIGNATURE in card
    assert "English to French" in card


def test_it_learns_the_planted_language(run: Run) -> None:
    assert run.metrics["translation"]["bleu"] > 90
    first = next(row for row in read_bleu(run) if row.epoch == 0)
    assert first.bleu < 5


def test_every_file_is_small_and_holds_no_sentence(run: Run) -> None:
    assert len(read_sentences(run).length) == run.metrics["translation"]["sentences"]
    assert {BLEU_FILE, TARGET_VOCABULARY, "vocabulary.txt", "history.csv", "README.md"} <= set(run.files)
    sentences = [text for split in toy.SPLITS for texts in toy.read(split).texts.values() for text in texts]
    for path in run.folder.iterdir():
        assert path.stat().st_size < 1_000_000
        if path.suffix not in (".safetensors", ".parquet"):
            content = path.read_text(encoding="utf-8")
            assert not any(sentence in content for sentence in sentences)


def test_a_run_is_measured_again(run: Run) -> None:
    again = evaluate(run.name, Options(device="cpu"))
    stored = run.metrics["translation"]
    assert {key: again[key] for key in ("bleu", "bleu_with_case", "sentences")} == {
        key: pytest.approx(stored[key]) for key in ("bleu", "bleu_with_case", "sentences")
    }
    assert evaluate(run.name, Options(device="cpu"), 0)["bleu"] < 5


def test_greedy_translations_are_measured_too(run: Run) -> None:
    texts = toy.read("test_2016_flickr").texts
    greedy = measure(load_translator(run), texts["en"], texts["fr"], width=1)
    assert greedy.facts["bleu"] == pytest.approx(run.metrics["translation"]["bleu_greedy"])
    lengths = [len(source_tokens(text, "en")) for text in texts["en"]]
    assert greedy.groups[0][:3] == (min(lengths), max(lengths), 60)
    assert sum(group.sentences for group in greedy.groups[1:]) == 60


def test_a_loaded_translator_is_frozen(run: Run) -> None:
    trained = load_translator(run, 0)
    assert isinstance(trained.module, Translator)
    assert not trained.module.training
    assert not any(weight.requires_grad for weight in trained.module.parameters())
    assert trained.epoch == 0


def test_what_is_no_translator_or_damaged_is_told(run: Run) -> None:
    with pytest.raises(RunError, match="is a classifier, not a translator"):
        languages_of(replace(run, kind="classifier"))
    with pytest.raises(RunError, match="has no stored epoch 77"):
        load_translator(run, 77)
    with pytest.raises(RunError, match=f"available: {', '.join(translators())}"):
        load_translator(replace(run, architecture="cnn"))
    with pytest.raises(RunError, match="does not fit the architecture"):
        load_translator(replace(run, config={**run.config, "units": 16}))


@pytest.mark.ci
def test_a_stopped_training_goes_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after its first epoch, it ends with the weights of one that was not stopped."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    state = "nlpviz.training.loop.TrainingState.save"
    saved = []

    def stop(*_: object) -> None:
        saved.append(1)
        original(*_)
        if len(saved) == 2:
            raise KeyboardInterrupt

    from nlpviz.training.state import TrainingState

    original = TrainingState.save
    with monkeypatch.context() as patch:
        patch.setattr(state, stop)
        with pytest.raises(KeyboardInterrupt):
            produce(recipes()[run.name], Options(device="cpu"))
    again = produce(recipes()[run.name], Options(device="cpu"))
    assert again is not None
    for epoch in run.epochs:
        name = f"epoch-{epoch:02d}.safetensors"
        assert again.files[name] == run.files[name]


def test_a_translator_starts_from_no_word_vectors(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    with pytest.raises(TrainingError, match="--vectors applies only to classifiers"):
        produce(recipes()[run.name], Options(device="cpu", vectors="enwiki-cbow"))
