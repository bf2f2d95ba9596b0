"""What is said of runs: n-grams fit a region, the last epoch is no end, a loss that rose is not said to fall."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest

from nlpviz.run_kinds import history, kind_of
from nlpviz.runs import Run, list_runs, open_run
from nlpviz.text.vocabulary import tokenize

CLASSIFIERS = [run for run in list_runs()[0].values() if run.kind == "classifier"]
REGIONAL = [run for run in CLASSIFIERS if "region_sizes" in run.config]


@pytest.mark.parametrize("run", CLASSIFIERS, ids=lambda run: run.name)
def test_a_best_epoch_that_is_the_last_is_called_so(run: Run) -> None:
    """Nobody knows what another epoch would have brought; where later ones were tried, that is not said."""
    records = history(run)
    ((sentence, _),) = kind_of(run).learnt(run, records)
    last = run.best_epoch == max(record.epoch for record in records)
    assert ("is the last one trained" in sentence) == last


def test_a_run_of_which_each_is_true_is_there() -> None:
    """Else the test above might say nothing."""
    lasts = {run.best_epoch == history(run)[-1].epoch for run in CLASSIFIERS}
    assert lasts == {True, False}


def test_a_loss_that_rose_is_not_said_to_fall() -> None:
    run = open_run("enwiki-skipgram")
    records = [one for one in history(run) if not isnan(one.loss)]
    assert records[-1].loss < records[0].loss
    upwards = [one._replace(loss=other.loss) for one, other in zip(records, reversed(records), strict=True)]
    for known, word in ((records, "fell"), (upwards, "went")):
        sentence, pieces = kind_of(run).learnt(run, known)[-1]
        first, last = known[0], known[-1]
        expected = f"from {first.loss:.3f} in epoch {first.epoch} to {last.loss:.3f} in epoch {last.epoch}."
        assert sentence.format(**pieces) == f"The loss {word} {expected}"


@pytest.mark.parametrize("run", CLASSIFIERS, ids=lambda run: run.name)
def test_parameters_of_regions_are_explained_where_there_are_regions(run: Run) -> None:
    assert ("for each region size" in kind_of(run).reading(run)) == (run in REGIONAL)


def test_the_loss_of_knowing_nothing_is_that_of_as_many_classes() -> None:
    run = CLASSIFIERS[0]
    assert "(0.69 if the model gives all classes" in kind_of(run).reading(run)
    assert "(1.39 if the model gives all classes" in kind_of(run).reading(replace(run, class_names=tuple("abcd")))


def test_what_the_first_page_says_is_found_fits_a_region(pytestconfig: pytest.Config) -> None:
    """Four tokens, such as "don't waste your money", are longer than any region of these networks."""
    widest = max(size for run in REGIONAL for size in run.config["region_sizes"])
    assert len(tokenize("don't waste your money")) > widest
    said = (Path(pytestconfig.rootpath) / "app.py").read_text(encoding="utf-8").split('"""')[1]
    for quoted in re.findall(r'"([^"]+)"', said):
        assert len(tokenize(quoted)) <= widest, quoted
