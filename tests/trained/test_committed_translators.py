"""The committed translators: whole, small, as good as their cards say, and what a person would expect of them."""

from __future__ import annotations

import re
from dataclasses import asdict

import numpy as np
import pytest

from nlpviz.analysis.inspection.phrases import phrase_plane, phrase_states
from nlpviz.analysis.inspection.translation import TranslationOptions, translate
from nlpviz.data import CorpusMissing, corpora
from nlpviz.data.sentences import sentences
from nlpviz.language.decoding.bleu import SIGNATURE
from nlpviz.results.history import TranslatorEpoch
from nlpviz.runs import Run, list_runs
from nlpviz.runs.history import read_history
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.translators import (
    BLEU,
    BLEU_SENTENCES,
    KIND,
    TARGET_VOCABULARY,
    load_translator,
    read_bleu,
    read_sentences,
)
from nlpviz.runs.weights import weights_file
from nlpviz.training import on_device
from nlpviz.training.recipes import recipes
from nlpviz.training.translator_bleu import measure
from nlpviz.ui.translation import phrases
from tests.promises import for_each
from tests.trained.again import again

RUNS = [run for run in list_runs()[0].values() if run.kind == KIND]
KINDS = ("none", "dot", "general", "concat", "local-m", "local-p", "transformer")
PROMISED = {f"multi30k-en-fr-{kind}" for kind in KINDS} | {"multi30k-en-de-general", "multi30k-en-de-transformer"}
BARS = {"fr": 55.0, "de": 36.0}  # of the best run
SAMPLE = 150  # test sentences

pytestmark = pytest.mark.skipif(not RUNS, reason="no translator is in trained/ yet")
every = for_each(RUNS)


def bleu(run: Run) -> float:
    return float(run.metrics["translation"]["bleu"])


def best(target: str) -> Run:
    """Return the run with the highest BLEU into a language."""
    return max((run for run in RUNS if run.recipe["target"] == target), key=bleu)


def test_the_runs_that_are_promised_are_there() -> None:
    assert {run.name for run in RUNS} >= PROMISED
    assert any(run.recipe["target"] == "de" for run in RUNS)
    assert any(len(run.epochs) >= 4 for run in RUNS), "early epochs of one of them"


@pytest.mark.parametrize("target", BARS)
def test_the_best_are_as_good_as_they_must_be(target: str) -> None:
    assert bleu(best(target)) >= BARS[target]


def test_attention_beats_none() -> None:
    with_it = [run for run in RUNS if run.recipe["target"] == "fr" and run.config.get("attention") != "none"]
    without = [run for run in RUNS if run.config.get("attention") == "none"]
    assert min(map(bleu, with_it)) > max(map(bleu, without))


@every
def test_a_run_is_made_of_these_files(run: Run) -> None:
    weights = map(weights_file, run.epochs)
    assert set(run.files) - {"frozen.safetensors"} == {
        VOCABULARY, TARGET_VOCABULARY, HISTORY, BLEU, BLEU_SENTENCES, "README.md", *weights,
    }  # fmt: skip
    pair = load_translator(run).languages
    for side in (pair.source, pair.target):
        assert not any(sign.isspace() for word in side.words for sign in word)


@every
def test_run_is_what_its_recipe_makes(run: Run) -> None:
    settings = on_device(recipes()[run.name].settings, run.device)
    assert (run.architecture, run.max_length, run.seed) == (
        settings.architecture,
        settings.max_length,
        settings.fit.seed,
    )
    assert {key: run.config[key] for key in settings.config} == dict(settings.config)
    fit = asdict(settings.fit)
    for name, value in run.recipe["fit"].items():
        assert fit[name] == value


@every
def test_history_and_card_say_the_same(run: Run) -> None:
    history = read_history(run, TranslatorEpoch)
    assert [record.epoch for record in history] == list(range(len(history)))
    chosen = max(history, key=lambda record: (record.validation_bleu, -record.epoch))
    assert chosen.epoch == run.best_epoch
    assert history[run.best_epoch].validation_loss < history[0].validation_loss
    rows = {row.epoch: row for row in reversed(read_bleu(run))}
    assert rows[run.best_epoch].bleu == pytest.approx(bleu(run), abs=1e-5)
    card = run.file("README.md").read_text(encoding="utf-8")
    assert f"{bleu(run):.1f}" in card
    assert re.sub(r"version:.*", "", SIGNATURE) in card
    assert f"{run.parameter_count:,}" in card


@every
def test_alignments_of_every_kept_epoch_are_weights(run: Run) -> None:
    for epoch in run.epochs:
        result = translate(load_translator(run, epoch), "A man in a red shirt is reading.", TranslationOptions(width=1))
        one = result.hypotheses[0]
        if run.config.get("attention") == "none":
            assert one.alignment is None
        elif result.window is None:
            assert one.alignment is not None
            np.testing.assert_allclose(one.alignment.sum(axis=1), 1, atol=1e-4)
        else:
            assert one.alignment is not None
            assert (one.alignment.sum(axis=1) <= 1 + 1e-4).all()


@again(RUNS)
def test_every_example_has_a_translation(run: Run) -> None:
    trained = load_translator(run)
    for example in sentences():
        result = translate(trained, example.text, TranslationOptions(width=2))
        assert result.text, example.id
    assert translate(trained, "A dog is running.").hypotheses[0].ended


def test_a_simple_sentence_is_translated_as_a_person_would() -> None:
    for target, words in {"fr": {"chien", "noir"}, "de": {"Hund", "schwarzer"}}.items():
        said = translate(load_translator(best(target)), "A black dog is running on the beach.").text
        assert words <= set(re.findall(r"\w+", said)), said


@every
def test_words_count_for_more_than_meaning_in_the_example_phrases(run: Run) -> None:
    """The changelog says so; the page says what the cosines are."""
    examples = phrases.parse(phrases._ready(run))
    plane = phrase_plane(phrase_states(load_translator(run), examples.texts))
    assert phrases.words_or_meaning(plane, examples).startswith("Phrases cluster by words more than by meaning: ")


def test_before_training_the_output_biases_are_the_frequencies() -> None:
    """What cards say of epoch 0."""
    run = next(run for run in RUNS if 0 in run.epochs)
    trained = load_translator(run, 0)
    counts, biases = trained.languages.target.counts, trained.module.get_parameter("bias").numpy()
    assert np.corrcoef(np.log(np.asarray(counts) + 1), biases)[0, 1] > 0.999


@again(RUNS)
def test_bleu_is_measured_again_on_a_sample(run: Run) -> None:
    try:
        texts = corpora()["multi30k"].read("test_2016_flickr").texts
    except CorpusMissing as missing:
        pytest.skip(str(missing))
    sources, references = (texts[run.recipe[side]][:SAMPLE] for side in ("source", "target"))
    measured = measure(load_translator(run), sources, references).facts["bleu"]
    assert abs(measured - bleu(run)) < 8, "three standard errors of so few sentences"


@every
def test_sentences_add_up_to_the_bleu_of_the_manifest(run: Run) -> None:
    stored = read_sentences(run)
    assert len(stored.length) == run.metrics["translation"]["sentences"]
    assert stored.score()[0] == pytest.approx(run.metrics["translation"]["bleu"], abs=0.02)
    assert (stored.correct <= stored.total).all()
