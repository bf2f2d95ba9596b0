"""The model card of a run of paragraph vectors."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.runs import Run
from nlpviz.runs.files import write_text
from nlpviz.significance import wilson
from nlpviz.training.provenance import made_from, of_texts, plain


def write_paragraph_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write the run's model card, ``README.md``, from what its manifest says."""
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. {run.config["vocabulary_size"]:,} words, vectors of {run.config["dimensions"]} numbers;
{run.parameter_count:,} parameters, the vectors of texts not among them. Learnt from {_texts(run, corpus)}.

## What it reaches

| split | accuracy | 95% interval | documents |
| --- | --- | --- | --- |
{_measured(run)}

A logistic regression over the vectors, fitted to {run.corpus["train"]:,} training texts; its strength (C =
{run.metrics["validation"]["strength"]:g}) and the epoch ({run.best_epoch}) were chosen on the validation texts.
All vectors that are judged were inferred with seed 0 after training, those of training texts too. Word vectors never
saw a test text: gensim's notebook, which reaches 89.6 to 89.8%, learns from the test texts, without their labels, as
well. The test split was measured once, with the weights as they are stored here.

## How it was trained

- Epochs kept: {", ".join(map(str, run.epochs))}{_begun(run)}.
- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
{made_from(run, corpus)}
- {of_texts(run)}: only weights, words with their counts, ids, labels, numbers.

## What it must not be used for

This is a small model for teaching. It was trained on {corpus.written} and nothing else: what it predicts for other
texts is not known. Do not use it to make decisions about people.
""",
    )


def _begun(run: Run) -> str:
    return " (0 is before training: random word vectors)" if 0 in run.epochs else ""


def _texts(run: Run, corpus: Corpus) -> str:
    """Return which texts word vectors were learnt from: the validation texts are among them, without their labels."""
    labelled = run.corpus["train"] + run.corpus["validation"]
    others = f" and {run.corpus['unlabelled']:,} unlabelled ones" * bool(run.corpus["unlabelled"])
    return f"{labelled:,} training texts{others} of {plain(corpus.title)}, without labels"


def _measured(run: Run) -> str:
    lines = []
    for split, values in run.metrics.items():
        count = values.get("documents", 0)
        low, high = wilson(values["accuracy"], count)
        lines.append(f"| {split} | {values['accuracy']:.2%} | {low:.2%} to {high:.2%} | {count:,.0f} |")
    return "\n".join(lines)
