"""The view of calibration: every epoch's error is counted anew, and the diagram is that of the chosen epoch."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of, every_epoch_of
from tests.pages.conftest import Page, figure, numbers, said

PAGE = {"name": "Inside the model", "view": "calibration"}
RUN = "imdb-lstm-lm"


def by_hand(probabilities: np.ndarray, labels: np.ndarray) -> float:
    """Return the expected calibration error, bin by bin."""
    confidence, right = probabilities.max(axis=1).astype(float), probabilities.argmax(axis=1) == labels
    error = 0.0
    for bin_ in range(15):
        inside = (confidence > bin_ / 15) & (confidence <= (bin_ + 1) / 15)
        if inside.any():
            error += inside.mean() * abs(right[inside].mean() - confidence[inside].mean())
    return error


def test_errors_are_those_of_the_documents_at_every_epoch(page: Page) -> None:
    app = page(**PAGE, run=RUN)
    assert not app.exception
    run = open_run(RUN)
    labels, by_epoch = documents_of(run).labels, every_epoch_of(run)
    assert set(by_epoch) > set(run.epochs), "epochs whose weights are not kept are shown, too"
    errors = [by_hand(by_epoch[epoch], labels) for epoch in sorted(by_epoch)]
    drawn = figure(app)["figure"]["data"]
    assert numbers(drawn[0]["y"]) == pytest.approx(errors, abs=1e-4)
    accuracy = next(trace for trace in drawn if trace["name"] == "accuracy")
    assert numbers(accuracy["y"]) == pytest.approx(
        [(by_epoch[epoch].argmax(axis=1) == labels).mean() for epoch in sorted(by_epoch)]
    )
    least = min(by_epoch, key=lambda epoch: errors[sorted(by_epoch).index(epoch)])
    table = dict(app.dataframe[0].value.itertuples(index=False))
    assert (table["Epoch with the smallest calibration error"], table["Smallest calibration error"]) == (
        str(least),
        f"{min(errors):.1%}",
    )


def test_the_diagram_and_the_sentence_are_of_the_chosen_epoch(page: Page) -> None:
    app = page(**PAGE, run=RUN, epoch="1", beside="imdb-cnn")
    labels, probabilities = documents_of(open_run(RUN)).labels, every_epoch_of(open_run(RUN))[1]
    assert f"confidence and accuracy differ by {by_hand(probabilities, labels):.1%} on average" in said(app)
    assert "At epoch 1, mean confidence is" in said(app)
    table = {column["heading"]: column["column"] for column in figure(app, 1)["table"]}
    assert numbers(table["texts"]).sum() == len(labels)
    assert f"{open_run('imdb-cnn').title}, error" in {trace.get("name") for trace in figure(app)["figure"]["data"]}


def test_of_twenty_classes_and_of_an_epoch_that_is_not_there(page: Page) -> None:
    app = page(**PAGE, run="newsgroups-cnn", epoch="99")
    assert not app.exception
    assert "The link sets epoch to 99, which does not exist" in said(app)
    assert f"At epoch {open_run('newsgroups-cnn').best_epoch}, mean confidence is" in said(app)
