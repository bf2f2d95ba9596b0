"""Models of topics, beside which autoencoders of documents stand: their bound, by the same definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlpviz.run_kinds import Answer, Column, Criterion, Evaluation, Kind, Request, parameters
from nlpviz.run_kinds.document_autoencoder import BOUND, NOISE, RECONSTRUCTION, lines, of_test
from nlpviz.run_kinds.recipes import measured_again
from nlpviz.runs import Run
from nlpviz.runs.codes import TOPICS, TOPICS_KIND
from nlpviz.runs.run import VOCABULARY


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return the bound and what it is made of, measured again with the topics that the run keeps."""
    found = measured_again(run, None, request)
    return Evaluation({"run": run.name, **found}, lines(run.name, found))


def _learnt(run: Run, _: Sequence[Any]) -> tuple[Answer, ...]:
    tried = run.recipe["tried"]
    sentence = (
        "{topics} topics, the best of {tried} settings on the validation documents. Perplexity bound on "
        "{documents:,.0f} test documents, measured once: **{perplexity:.1f}**."
    )
    return (Answer(sentence, {**run.metrics["test"], "topics": run.config["topics"], "tried": len(tried)}),)


KIND = Kind(
    name=TOPICS_KIND,
    says="is a topic model",
    table="Variational autoencoders and topics",
    headline=BOUND,
    criterion=Criterion("validation", "bound", NOISE, more_is_better=False),
    evaluate=_evaluate,
    columns=(
        Column(BOUND.name, BOUND.written),
        Column(RECONSTRUCTION.name, of_test("reconstruction", ".3f")),
        Column("KL (nats per document)", of_test("divergence", ".2f")),
        Column("Active units", lambda run: f"{run.config['topics']} topics"),
        Column("Completion", of_test("completion", ".1f")),
        Column("Best epoch (validation)", lambda _: "no epochs"),
        Column("Parameters", parameters),
    ),
    files=lambda _: frozenset({VOCABULARY, TOPICS}),
    learnt=_learnt,
    refusals={"survey": "cannot be surveyed, because it is a topic model"},
    group=lambda run: (run.corpus["name"],),
    order=52,
)
