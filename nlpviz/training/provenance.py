"""With what a run was trained: libraries, device, day; and the card that tells people."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

import torch

from nlpviz import __version__
from nlpviz.data import Corpus
from nlpviz.runs import Run
from nlpviz.runs.beginning import before_training
from nlpviz.runs.files import write_text
from nlpviz.runs.own_corpora import KEPT_TEXTS, RECIPE
from nlpviz.runs.predictions import RATINGS_MASKED
from nlpviz.significance import compare_counts, wilson

BY_ALL_QUESTIONS = """\
Settings were compared by these questions too, in short trainings: the accuracy is not one on unseen questions. How far
the two halves differ shows how far chance goes."""
BY_EVERY_SECOND = """\
Learning rates, the number of negative samples and the initial sums of squares were chosen by every second question of
each section, in trainings on the same text; the other questions chose none of these, but use the same pairs of words in
other combinations, and all other settings were once compared by all questions: the accuracy is not one on unseen
questions."""


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that a training's numbers depend on."""
    libraries = {name: version(name) for name in ("torch", "accelerate", "numpy", "scikit-learn")}
    return {"nlpviz": __version__, "python": platform.python_version(), **libraries}


def describe(device: torch.device) -> str:
    """Return what a person would call ``device``: ``"cuda: NVIDIA H200"``, ``"cpu: 2 threads"``."""
    if device.type == "cuda":
        return f"cuda: {torch.cuda.get_device_name(device)}"
    threads = torch.get_num_threads()
    return f"{device.type}: {threads} thread{'s' * (threads != 1)}"


def today() -> str:
    """Return the day, ISO 8601, in UTC."""
    return datetime.now(UTC).date().isoformat()


def write_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write the run's model card, ``README.md``, from what its manifest says."""
    measured = "\n".join(
        f"| {split} | {values['accuracy']:.2%} | {_interval(values)} | {values['loss']:.3f} |"
        f" {values['documents']:,.0f} |"
        for split, values in run.metrics.items()
    )
    begun = f" (0 is before training, {before_training(run)})" if 0 in run.epochs else ""
    epochs = f"Epochs kept: {', '.join(map(str, run.epochs))}{begun}; " if run.epochs else ""
    pace = f", {run.seconds_per_epoch:,.0f} s an epoch" if run.epochs else ""
    chosen = f"epoch {run.best_epoch} is the best on the validation split." if run.epochs else ""
    how = (
        "with the weights as they are stored here"
        if run.epochs
        else "with weights that are not stored but fitted again"
    )
    splits = f"\n{corpus.splits}" if corpus.splits else ""
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{_what(run, corpus, source)}

## What it reaches

| split | accuracy | 95% interval | loss (nats) | documents |
| --- | --- | --- | --- | --- |
{measured}

{_ratings(run)}{_updates(run)}{epochs}{chosen} The test split was measured once, {how}.{splits}

## How it was trained

- Trained on {run.device} in {run.seconds:,.0f} s{pace}, seed {run.seed}, {run.created},
  with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
{made_from(run, corpus)}
- {of_texts(run)}: only weights, words with their counts, short n-grams, ids, labels, numbers.

## What it must not be used for

This is a small model for teaching. It was trained on {corpus.written} and nothing else: what it predicts for other
texts is not known. Do not use it to make decisions about people.
""",
    )


def _listed(names: Sequence[str]) -> str:
    """Return names in a row: ``"negative and positive"``."""
    names = [plain(name) for name in names]
    return " and ".join([", ".join(names[:-1]), names[-1]])


def plain(text: str) -> str:
    """Return what a person called a class or a file, for Markdown: no sign of it means anything."""
    return re.sub(r"([\\`*_\[\]<>|~$!])", r"\\\1", text)


def made_from(run: Run, corpus: Corpus) -> str:
    """Return by which command a run is made, of what, and where its training was stopped."""
    again = f"measured again by `python -m nlpviz evaluate {run.name}`.{_stopped(run)}"
    if corpus.url:
        return f"""\
- Made by `python -m nlpviz train {run.name}`; {again}
- Corpus: {corpus.url}. {corpus.licence} {corpus.citation}."""
    return f"""\
- Made by `python -m nlpviz train {RECIPE}`, with that file of this folder; {again}
- Corpus: a person's own texts, {plain(corpus.file)}, sha256 {" and ".join(corpus.sha256)}."""


def _stopped(run: Run) -> str:
    """Return after how many of its epochs a training was stopped; nothing of one that made them all."""
    stopped = run.recipe.get("stopped")
    if stopped is None:
        return ""
    return f"\n- Stopped after {stopped['after']} of {stopped['of']} epochs, for its time was over."


def of_texts(run: Run) -> str:
    """Return whether the run's folder holds texts, up to a colon."""
    if (run.folder / KEPT_TEXTS).is_file():
        return (
            f"The texts are in this folder, as {KEPT_TEXTS}, for that was asked for; in its other files is none of them"
        )
    return "No text of the corpus is in this folder"


def _what(run: Run, corpus: Corpus, source: str) -> str:
    """Return what a classifier is, in a line."""
    told = f"it tells {_listed(run.class_names)} apart. {run.parameter_count:,} parameters."
    return f"{source}. Trained on {plain(corpus.title)}; {told}"


def _interval(measured: Mapping[str, float]) -> str:
    """Return Wilson's 95% interval of an accuracy over so many documents, as a card holds it."""
    low, high = wilson(measured["accuracy"], measured["documents"])
    return f"{low:.2%} to {high:.2%}"


def _ratings(run: Run) -> str:
    """Return what masking the ratings in the test texts makes of a classifier; nothing where nobody asked."""
    masked = run.metrics.get(RATINGS_MASKED)
    if not masked:
        return ""
    found = compare_counts(int(masked["gained"]), int(masked["lost"]), int(masked["documents"]))
    low, high = (100 * end for end in found.interval)
    verdict = (
        "that is the effect of reading the ratings"
        if found.significant
        else "a paired test finds no significant difference"
    )
    return f"""\
{masked["rated"]:,.0f} of the test texts state a rating, such as 7/10, where it is read. With every rating masked
by the unknown word the accuracy changes by {100 * found.difference:+.2f} points (95% interval {low:+.2f} to
{high:+.2f}; {masked["lost"]:,.0f} correct predictions lost, {masked["gained"]:,.0f} gained): {verdict}.

"""


def _updates(run: Run) -> str:
    """Return at how many words a network updates its state; nothing of one that skips none."""
    share = run.metrics["test"].get("updates")
    return "" if share is None else f"Its state is updated at {share:.1%} of the words of the test texts.\n\n"


def _analogies(run: Run) -> str:
    """Return how many analogy questions word vectors answer, as Markdown."""
    if not run.metrics:
        return "None of Google's analogy questions has all its four words in the vocabulary, so none was asked."
    rows = [
        f"| {name} | {values['accuracy']:.2%} | {values['questions']:,.0f} |" for name, values in run.metrics.items()
    ]
    return "\n".join(
        [
            "| Google's analogy questions, within the words that have a vector | accuracy | questions |",
            "| --- | --- | --- |",
            *rows,
            "",
            "3CosAdd, the three words of a question excluded, with the vectors as they are stored here, quantised to",
            "eight bits a number.",
            run.recipe["chosen"],
        ]
    )


def write_word_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write the model card of a run of word vectors."""
    pace = f", {run.seconds_per_epoch:,.0f} s an epoch" if len(run.epochs) > 1 else ""
    peer = f"\n{run.recipe['peer']}\n" if run.recipe.get("peer") else ""
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. {run.config["vocabulary_size"]:,} words with {run.config["dimensions"]} dimensions, trained on {corpus.title},
{run.corpus["words"]:,} words. {run.parameter_count:,} parameters.

## What it reaches

{_analogies(run)}
{peer}
## How it was trained

- Epochs kept: {", ".join(map(str, run.epochs))}{" (0 is before training)" if 0 in run.epochs else ""}.
- Trained on {run.device} in {run.seconds:,.0f} s{pace}, seed {run.seed}, {run.created},
  with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
{made_from(run, corpus)}
- {of_texts(run)}: only words with their counts, and numbers.

## What it must not be used for

The vectors reflect their corpus, including its prejudices; do not use them to make decisions about people.
""",
    )
