"""The model card of a run of paragraph vectors."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.runs import Run
from nlpviz.stats.significance import wilson
from nlpviz.training.provenance import (
    checkpoints,
    in_words,
    made_from,
    of_texts,
    only_for_teaching,
    plain,
    save_card,
    trained_on,
)


def write_paragraph_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write the run's model card, ``README.md``, from its manifest."""
    save_card(
        run,
        model=f"""\
Source: {source}. Vocabulary: {run.config["vocabulary_size"]:,} words. Vectors: {run.config["dimensions"]} dimensions.
{run.parameter_count:,} parameters, excluding the document vectors. Training data: {_texts(run, corpus)}.""",
        results=f"""\
| Split | Accuracy | 95% confidence interval | Documents |
| --- | --- | --- | --- |
{_measured(run)}

A logistic regression, fitted to the document vectors of {run.corpus["train"]:,} training texts, predicts the labels.
Its regularisation strength (C = {run.metrics["validation"]["strength"]:g}) and the epoch ({run.best_epoch}) were
chosen on the validation texts. All document vectors, including those of training texts, were
inferred with seed 0 after training. The word vectors were trained without the test texts.
Gensim’s notebook reaches 89.6% to 89.8%, but it also trains on the test texts, without their labels. The
test split was evaluated once, with the stored weights.""",
        training=f"""\
- Checkpoint epochs: {checkpoints(run, ", with random word vectors")}.
{trained_on(run)}
{made_from(run, corpus)}
- {of_texts(run)}, only weights, words, word counts, ids, labels and numerical results.""",
        limitations=only_for_teaching(corpus),
    )


def _texts(run: Run, corpus: Corpus) -> str:
    """Return which texts word vectors were learnt from: the validation texts are among them, without their labels."""
    labelled = run.corpus["train"] + run.corpus["validation"]
    others = f" and {run.corpus['unlabelled']:,} unlabelled texts" * bool(run.corpus["unlabelled"])
    return f"{plain(corpus.title)}, {labelled:,} training texts{others}, without labels"


def _measured(run: Run) -> str:
    lines = []
    for split, values in run.metrics.items():
        count = values.get("documents", 0)
        low, high = wilson(values["accuracy"], count)
        lines.append(f"| {in_words(split)} | {values['accuracy']:.2%} | {low:.2%} to {high:.2%} | {count:,.0f} |")
    return "\n".join(lines)
