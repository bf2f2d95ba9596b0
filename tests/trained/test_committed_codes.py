"""What committed autoencoders of documents reach: their bars, and the same numbers again from what is committed."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.run_kinds import history
from nlpviz.runs import Run, list_runs, open_run
from nlpviz.runs.codes import CODE_KINDS, TOPICS_KIND, divergences_of, is_variational
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.training.codes_measures import ACTIVE, active_units
from tests.promises import for_each

RUNS = [run for run in list_runs()[0].values() if run.kind in CODE_KINDS]
BARRED = ("newsgroups-vae-32", "imdb-vae-32")
LOW = {"newsgroups-vae-32": 960.0}
"""Perplexity bounds that were reached, with some room."""


@pytest.mark.parametrize("name", BARRED)
def test_bound_is_below_that_of_topics_on_the_same_words_and_documents(name: str) -> None:
    run = open_run(name)
    topics = open_run(f"{run.corpus['name']}-lda")
    assert topics.kind == TOPICS_KIND
    assert topics.vocabulary.words == run.vocabulary.words
    assert topics.max_length == run.max_length
    for split in ("train", "validation", "test"):
        assert topics.corpus[split] == run.corpus[split], split
    for split in ("validation", "test"):
        assert run.metrics[split]["words"] == topics.metrics[split]["words"]
        assert run.metrics[split]["perplexity"] < topics.metrics[split]["perplexity"]
    assert run.metrics["test"]["perplexity"] < LOW.get(name, np.inf)


@pytest.mark.parametrize("name", BARRED)
def test_half_of_the_units_are_active(name: str) -> None:
    run = open_run(name)
    assert run.metrics["test"]["active"] >= run.config["latent"] / 2
    assert active_units(embeddings_of(run, run.best_epoch)) >= run.config["latent"] / 2


def test_topics_are_the_best_of_those_that_were_tried() -> None:
    for run in (open_run("newsgroups-lda"), open_run("imdb-lda")):
        best = min(run.recipe["tried"], key=lambda one: one["perplexity"])
        assert run.config["topics"] == best["topics"]
        assert run.metrics["validation"]["perplexity"] == pytest.approx(best["perplexity"], rel=0.01), "eight bits"


def test_units_collapse_where_nothing_is_done_and_not_where_something_is() -> None:
    active = {
        name: open_run(f"newsgroups-vae-{name}").metrics["test"]["active"]
        for name in ("collapsed", "annealed", "free-bits", "batch-norm")
    }
    assert active["collapsed"] <= 8
    assert active["annealed"] > active["collapsed"]
    assert active["free-bits"] == active["batch-norm"] == 32


@for_each(RUNS)
def test_numbers_of_a_run_belong_together(run: Run) -> None:
    test, records = run.metrics["test"], history(run)
    assert records[0].epoch == run.epochs[0] == 0
    assert len(documents_of(run).ids) == run.recipe["kept_documents"]
    codes = embeddings_of(run, run.best_epoch)
    assert codes.shape[1] == run.config["latent"]
    if not is_variational(run):
        assert "perplexity" not in test
        return
    assert test["perplexity"] == pytest.approx(np.exp(test["bound"]))
    cost = test["reconstruction"] * test["words"] + test["divergence"] * test["documents"]
    assert test["bound"] == pytest.approx(cost / test["words"])
    assert 0 <= test["information"] <= np.log(test["documents"])
    assert test["information"] <= test["divergence"] + 0.1, "information is a part of the KL divergence"
    chosen = next(record for record in records if record.epoch == run.best_epoch)
    assert chosen.bound == min(record.bound for record in records)
    kept = divergences_of(run, run.best_epoch)
    assert kept is not None
    assert kept.sum() == pytest.approx(test["divergence"], rel=0.1)
    assert ((codes.var(axis=0) > ACTIVE).sum() - test["active"]) ** 2 <= 4
