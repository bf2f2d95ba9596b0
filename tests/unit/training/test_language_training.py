"""A language model's run, made of toy text: its words, its numbers, a classifier that begins as it ended."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.data import Corpus, corpora
from nlpviz.data.streams import TextStream
from nlpviz.language.predictors import predictor
from nlpviz.networks.architectures import architectures
from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier, RecurrentConfig
from nlpviz.results.history import LanguageEpoch
from nlpviz.runs import Run
from nlpviz.runs.history import read_history
from nlpviz.runs.language import COUNTS, measured_models, predicted_count, smaller_vocabularies
from nlpviz.text.tokenizers import CHARACTERS, EOS
from nlpviz.text.vocabulary import SPECIALS
from nlpviz.training import Options, Recipe, TrainingError
from nlpviz.training.language import LanguageSettings, language_recipe
from nlpviz.training.language_fit import LanguageFit
from nlpviz.training.produce import produce
from nlpviz.training.vectors import is_language_model, start_from_language_model

SMALLER = "vocabulary of {}"
LINES = "the cat sat.\nthe dog ran.\na cat ran.\n\nthe dog sat.\n"
SIZES = {"dimensions": 16, "units": 12, "layers": 1}


def read(split: str) -> TextStream:
    """Return the toy text: splits differ in length alone."""
    return TextStream(split, LINES * {"train": 12, "validation": 1, "development": 13, "test": 2}[split])


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Corpus:
    """Offer the toy text as a corpus, and an empty folder of runs."""
    made = replace(corpora()["tinyshakespeare"], name="toy-lines", title="Toy lines", read=read)
    for module in ("nlpviz.training.streams", "nlpviz.training.language"):
        monkeypatch.setattr(f"{module}.corpus_named", {"toy-lines": made}.__getitem__)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    return made


def counting(learns: str = "train", vocabularies: tuple[int, ...] = (3, 5, 9)) -> Recipe:
    """Return a recipe that counts."""
    settings = LanguageSettings(
        corpus="toy-lines",
        tokenizer=CHARACTERS,
        architecture=COUNTS,
        config={"order": 4},
        learns=learns,
        cache=20 if learns == "train" else 0,
        vocabularies=vocabularies,
    )
    return language_recipe("toy-counts", "Toy counts", settings)


def network(**config: object) -> Recipe:
    """Return a recipe that trains, and is measured with a cache and beside the counts."""
    settings = LanguageSettings(
        corpus="toy-lines",
        tokenizer=CHARACTERS,
        architecture="recurrent-language-model",
        config={**SIZES, **config},
        kept_epochs=(0,),
        neural_cache=20,
        beside=("toy-counts",),
        fit=LanguageFit(epochs=3, rows=4, steps=10, warmup=2, learning_rate=2e-2, averaging=0.5, sampled=0),
    )
    return language_recipe("toy-network", "Toy network", settings)


def made(recipe: Recipe) -> Run:
    """Return the run of a recipe."""
    run = produce(recipe, Options(device="cpu"))
    assert run is not None
    return run


@pytest.mark.usefixtures("corpus")
def test_a_run_that_counts_says_what_it_reaches_at_every_order() -> None:
    run = made(counting())
    assert run.epochs == ()
    assert run.metrics.keys() == {
        "validation",
        "test",
        "1-gram",
        "2-gram",
        "3-gram",
        *map(SMALLER.format, (3, 5, 9)),
        "unigram cache",
    }
    losses = [run.metrics[f"{order}-gram"]["loss"] for order in (1, 2, 3)] + [run.metrics["test"]["loss"]]
    assert losses == sorted(losses, reverse=True), "the toy text repeats itself"
    assert run.metrics["test"]["tokens"] == run.metrics["test"]["characters"] == 2 * len(LINES)
    assert run.vocabulary.words[2:].count(EOS) == 1
    assert counting().evaluate("toy-counts", Options(device="cpu"), None) == run.metrics["test"]
    assert sorted(path.name for path in run.folder.iterdir()) == [
        "README.md",
        "ngrams.safetensors.gz",
        "run.json",
        "vocabulary.txt",
    ]


@pytest.mark.usefixtures("corpus")
def test_a_smaller_vocabulary_is_the_text_with_its_rare_characters_made_one(monkeypatch: pytest.MonkeyPatch) -> None:
    run = made(counting())
    for size in (5, 9):  # with 3, an end of a line is an unknown character
        known = run.vocabulary.words[len(SPECIALS) :][: size - 1]
        merged = "".join(sign if sign.replace("\n", EOS) in known else "~" for sign in LINES)
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules[__name__], "LINES", merged)
            alike = made(counting(vocabularies=()))
        found = run.metrics[SMALLER.format(size)]
        assert found["loss"] == pytest.approx(alike.metrics["test"]["loss"])
        assert found["validation_loss"] == pytest.approx(alike.metrics["validation"]["loss"])
        assert found["unknown"] == merged.count("~") / len(merged) > 0
    counted = smaller_vocabularies(run)
    assert [one.vocabulary for one in counted] == [3, 5, 9, predicted_count(run)]
    assert counted[-1].unknown == 0
    assert len(measured_models(run)) == 1 + 3 + 1, "what predicts other tokens does not stand among the others"
    assert not smaller_vocabularies(made(counting(vocabularies=(99,)))), "there are no more characters than that"


@pytest.mark.usefixtures("corpus")
def test_what_learnt_from_the_validation_text_is_not_measured_on_it() -> None:
    run = made(counting("development"))
    assert "validation" not in run.metrics
    assert not any("validation_loss" in found for found in run.metrics.values())
    with pytest.raises(ValueError, match="no text for choosing"):
        replace(counting("development").settings, cache=20)


@pytest.mark.usefixtures("corpus")
def test_a_network_is_measured_alone_with_a_cache_and_beside_counts() -> None:
    made(counting("development"))
    run = made(network())
    assert run.epochs[0] == 0
    assert run.best_epoch in run.epochs
    assert run.metrics.keys() == {"validation", "test", "neural cache", "mixed with toy-counts"}
    assert run.metrics["mixed with toy-counts"]["loss"] < run.metrics["test"]["loss"]
    assert network().evaluate("toy-network", Options(device="cpu"), None) == pytest.approx(run.metrics["test"])
    assert network().evaluate("toy-network", Options(device="cpu"), 0)["loss"] > run.metrics["test"]["loss"]
    model = predictor(run)
    ids = run.vocabulary.encode("the cat", 100).ids
    assert np.exp(model.read(model.begin(), ids).log_probabilities).mean() > 0.2


@pytest.mark.usefixtures("corpus")
def test_a_classifier_begins_as_a_language_model_ended() -> None:
    made(counting())
    run = made(network())
    assert is_language_model("toy-network")
    size = len(run.vocabulary)
    classifier = RecurrentClassifier(RecurrentConfig(size, 16, cell="lstm", units=12, cutoffs=(5,)))
    with pytest.raises(TrainingError, match="sizes of toy-network do not match"):
        start_from_language_model(classifier, "toy-network")
    classifier = RecurrentClassifier(RecurrentConfig(size, 16, cell="lstm", units=12, cutoffs=(size,))).eval()
    start_from_language_model(classifier, "toy-network")
    ids = torch.from_numpy(run.vocabulary.encode("the cat", 100).ids).unsqueeze(0)
    module = run.load().module
    ours = classifier.unroll(classifier.embed(ids), classifier.mask(ids)).states
    theirs = module.unroll(module.embed(ids), module.mask(ids)).states
    torch.testing.assert_close(ours, theirs)


@pytest.mark.usefixtures("corpus")
def test_a_network_learns_with_weight_drop_and_runs_from_before_it_are_read() -> None:
    made(counting())
    run = made(network(weight_drop=0.5))
    assert run.config["weight_drop"] == 0.5
    before, *_, last = (record.validation_loss for record in read_history(run, LanguageEpoch))
    assert last < before - 0.3
    without = {name: value for name, value in run.config.items() if name != "weight_drop"}
    replace(run, config=without).save()
    module = Run.open(run.folder).module(run.best_epoch, architectures())
    assert (module.config.weight_drop, module.encoder.weight_drop.p) == (0, 0)
