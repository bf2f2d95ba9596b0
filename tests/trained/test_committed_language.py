"""Committed language models: what they must reach, and that their numbers come out again."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nlpviz.data import CorpusMissing
from nlpviz.language.predictors import counting, predictor
from nlpviz.runs import Run, RunError, list_runs, open_run
from nlpviz.runs.gains import GAINS, read_gains
from nlpviz.runs.language import KIND, MIXED, SMALLER, counts_ngrams, ids_in
from nlpviz.text.tokenizers import EOS
from nlpviz.training.language_measures import BEGINNING, CACHE, read_text, texts_of, variant_loss
from tests.promises import for_each
from tests.trained.again import again

BARS = {  # perplexity a word; of Shakespeare nats per character: the value, and how far it may be missed
    ("wikitext2-kn", "test"): (217.8, 0.1),
    ("wikitext2-kn", "validation"): (232.5, 0.1),
    ("wikitext2-kn", "3-gram"): (224.4, 0.1),
    ("wikitext2-kn", "2-gram"): (264.0, 0.1),
    ("wikitext2-kn", CACHE): (170.0, 0.1),
    ("shakespeare-kn", "test"): (1.516, 0.002),
}
AT_MOST = {
    ("wikitext2-lstm", "test"): 115.0,
    ("wikitext2-lstm", "neural cache"): 95.0,
    ("shakespeare-lstm", "test"): math.exp(1.50),
}
"""Perplexities that are not to be exceeded."""
QUICK = 1_000
"""Of smaller vocabularies, whose n-grams are counted again, those up to this size are measured here."""
TOKENS = {"wikitext2": 245_569, "tinyshakespeare": 111_540}
RUNS = [run for run in list_runs()[0].values() if run.kind == KIND]
MIXED_RUNS = [run for run in RUNS if run.recipe["beside"]]
COUNTS, NETWORKS = ([run for run in RUNS if counts_ngrams(run) == counts] for counts in (True, False))


def text_of(run: Run) -> tuple[np.ndarray, int]:
    """Return a run's test text; skips where the corpus is not at hand."""
    try:
        return texts_of(run, ("test",))["test"]
    except CorpusMissing:
        pytest.skip("the corpus is not on this machine")


@pytest.mark.parametrize(("name", "row"), BARS)
def test_counts_reach_what_was_measured_elsewhere(name: str, row: str) -> None:
    expected, most = BARS[name, row]
    loss = next(run for run in RUNS if run.name == name).metrics[row]["loss"]
    assert abs((math.exp(loss) if expected > 10 else loss) - expected) <= most


@pytest.mark.parametrize(("name", "row"), AT_MOST)
def test_networks_reach_what_they_must(name: str, row: str) -> None:
    loss = next(run for run in RUNS if run.name == name).metrics[row]["loss"]
    assert math.exp(loss) <= AT_MOST[name, row]


@for_each(MIXED_RUNS)
def test_a_mixture_beats_both(run: Run) -> None:
    for name in run.recipe["beside"]:
        alone = [open_run(one).metrics["test"]["loss"] for one in (run.name, name)]
        assert run.metrics[MIXED + name]["loss"] < min(alone)


@for_each(MIXED_RUNS)
def test_what_is_mixed_means_the_same_words(run: Run) -> None:
    for other in map(open_run, run.recipe["beside"]):
        ids = ids_in(other, run)
        assert [other.vocabulary.words[one] for one in ids] == list(run.vocabulary.words)


def test_runs_that_rank_the_same_characters_otherwise_are_compared() -> None:
    """Counted with the validation text, some characters change places."""
    ids = ids_in(open_run("shakespeare-kn"), open_run("shakespeare-lstm"))
    assert (ids != np.arange(len(ids))).any()
    with pytest.raises(RunError, match="have different vocabularies"):
        ids_in(open_run("shakespeare-kn"), open_run("wikitext2-lstm"))


@for_each(run for run in MIXED_RUNS if GAINS in run.files)
def test_gains_are_those_of_the_measured_losses(run: Run) -> None:
    for name, groups in read_gains(run).items():
        some = [one for one in groups if one.grouping == groups[0].grouping]
        tokens = sum(one.tokens for one in some)
        for other, loss in ((run.name, "nats"), (name, "other_nats")):
            mean = sum(getattr(one, loss) * one.tokens for one in some) / tokens
            assert mean == pytest.approx(open_run(other).metrics["test"]["loss"], abs=1e-3)


@for_each(RUNS)
def test_the_whole_test_text_was_measured_over_the_whole_vocabulary(run: Run) -> None:
    if tokens := TOKENS.get(run.corpus["name"]):
        assert run.metrics["test"]["tokens"] == tokens
    if run.corpus["name"] == "wikitext2":
        assert len(run.vocabulary) - 1 == 33_278
    assert EOS in run.vocabulary


@again(COUNTS)
def test_counts_are_measured_again_to_the_last_digit(run: Run) -> None:
    text = text_of(run)
    reading = read_text(run, text, None, "cpu")
    assert reading.facts["loss"] == pytest.approx(run.metrics["test"]["loss"], abs=1e-9)
    for name, known in run.metrics.items():
        if name not in ("validation", "test") and known.get(SMALLER, 0) <= QUICK:
            assert variant_loss(reading, name, known) == pytest.approx(known["loss"], abs=1e-9)


@again(NETWORKS)
def test_networks_are_measured_again(run: Run) -> None:
    """By the beginning of the test text, whose loss stands beside that of the whole; by all of it where it does not."""
    ids, characters = text_of(run)
    known = run.metrics["test"]
    count = BEGINNING if "beginning_loss" in known else len(ids)
    found = read_text(run, (ids[:count], characters), None, "cpu").facts["loss"]
    assert found == pytest.approx(known.get("beginning_loss", known["loss"]), rel=1e-3)


@for_each(COUNTS)
def test_every_order_sums_to_one(run: Run) -> None:
    for order in range(1, int(run.config["order"]) + 1):
        model = counting(run, order)
        found = np.exp(model.distributions(model.begin(), np.array([2, 3, 2, 5, 7, 3])))
        np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-9)


@for_each(RUNS)
def test_a_common_text_is_likelier_than_its_words_turned_round(run: Run) -> None:
    text = "ROMEO:\nWhat is the matter?\n" if run.tokenizer.of_characters else "one of the most important of the first"
    model, ids = predictor(run), run.vocabulary.encode(text, run.max_length).ids
    there, back = (model.read(model.begin(), words).log_probabilities.sum() for words in (ids, ids[::-1].copy()))
    assert there > back
