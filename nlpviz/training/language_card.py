"""The model card of a language model's run."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.runs import Run
from nlpviz.runs.files import write_text
from nlpviz.runs.language import counts_ngrams, predicted_count, settings_of
from nlpviz.text.tokenizers import TOKENIZERS
from nlpviz.training.provenance import made_from, of_texts, plain
from nlpviz.training.streams import what_is_read

_SPLITS = ("validation", "test")
_BEGUN = """ (0 is before training, with random weights except for
  the output biases: the logarithm of how often each token occurs in training)"""


def write_language_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of a language model's run, from what its manifest says."""
    unit = TOKENIZERS[run.recipe["tokenizer"]].unit
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. {_what(run)} It read {plain(corpus.title)}, {run.corpus["train"]:,} {unit}s to train on.

## What it reaches

| text | perplexity | nats per {unit} | bits per character | {unit}s |
| --- | --- | --- | --- | --- |
{_rows(run)}

**Perplexity** is exp of the mean of −log p over all {unit}s of the text, read as one stream that starts after an
`<eos>`. Every line, blank ones too, ends in an `<eos>`, which is predicted and counted; contexts cross lines; p is over
the full vocabulary of {predicted_count(run):,} {unit}s, `<unk>` included where the training text has it. It cannot be
compared across vocabularies or tokenizers, bits per character only where nothing of the text is lost by either. A row
with another model or a cache is not this model alone.

{_chosen(run, corpus)}

## How it was {"made" if counts_ngrams(run) else "trained"}

{_how(run)}
{made_from(run, corpus)}
- {_holds(run)}

## What it must not be used for

It says how likely a text is under what it read, not whether it is true, good or well written. What it writes is made
up.
""",
    )


def _what(run: Run) -> str:
    if counts_ngrams(run):
        return f"Counts of {run.parameter_count:,} n-grams of up to {run.config['order']} tokens."
    return f"{run.parameter_count:,} parameters."


def _chosen(run: Run, corpus: Corpus) -> str:
    """Return what was chosen by which text, and what to know of the texts."""
    if run.recipe["learns"] == "train":
        chosen = "Settings were chosen by the validation text; then the test text was measured, once."
    else:
        chosen = "The validation text was counted as well: counting chooses nothing by it."
    return " ".join(filter(None, (chosen, what_is_read(corpus), corpus.splits)))


def _rows(run: Run) -> str:
    """Return the rows of the table: both texts, then the test text with caches, mixtures, shorter n-grams."""
    rows = []
    for split in (name for name in _SPLITS if name in run.metrics):
        found = run.metrics[split]
        rows.append(
            f"| {split} | {found['perplexity']:.2f} | {found['loss']:.4f} | {found['bits_per_character']:.4f} "
            f"| {found['tokens']:,.0f} |"
        )
    for name, found in run.metrics.items():
        if name not in _SPLITS:
            settings = f" ({said})" if (said := settings_of(found)) else ""
            rows.append(
                f"| test, {name}{settings} | {found['perplexity']:.2f} | {found['loss']:.4f} | "
                f"| {found['tokens']:,.0f} |"
            )
    return "\n".join(rows)


def _how(run: Run) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in run.versions.items())
    if counts_ngrams(run):
        return f"- Counted on {run.device} in {run.seconds:,.0f} s, {run.created}, with {versions}."
    begun = _BEGUN if 0 in run.epochs else ""
    return f"""- Epochs kept: {", ".join(map(str, run.epochs))}{begun}; epoch {run.best_epoch} has the lowest
  loss on the validation text.{_parts(run)} Weights are stored in 8 bits each.
- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {versions}."""


def _parts(run: Run) -> str:
    parts = run.recipe["fit"]["parts"]
    return f" Each epoch reads one of {parts} parts of the training text in turn." if parts > 1 else ""


def _holds(run: Run) -> str:
    if not counts_ngrams(run):
        return f"{of_texts(run)}: only weights, and words with their counts."
    return (
        f"{of_texts(run)}: only words with their counts, and n-grams with theirs, those that occur once too, from "
        "which parts of the text can be put together again."
    )
