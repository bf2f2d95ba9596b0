"""The provenance of a run: libraries, device, day; and its model card."""

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
from nlpviz.runs.files import write_text
from nlpviz.runs.initial_weights import before_training
from nlpviz.runs.own_corpora import KEPT_TEXTS, RECIPE
from nlpviz.runs.predictions import RATINGS_MASKED
from nlpviz.stats.significance import compare_counts, wilson

BY_ALL_QUESTIONS = """\
Settings were also compared on these questions in short training runs, so the questions were not strictly held out. The
difference between the two halves indicates how much the accuracy varies by chance."""
BY_EVERY_SECOND = """\
Learning rates, the number of negative samples and the initial sums of squares were chosen on every second question of
each section, in training runs on the same text. The other questions were not used for this choice, but they combine the
same pairs of words, and all other settings were once compared on all questions. They were therefore not strictly held
out."""


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that a training's numbers depend on."""
    libraries = {name: version(name) for name in ("torch", "accelerate", "numpy", "scikit-learn")}
    return {"nlpviz": __version__, "python": platform.python_version(), **libraries}


def describe(device: torch.device) -> str:
    """Return the displayed name of ``device``: ``"cuda: NVIDIA H200"``, ``"cpu: 2 threads"``."""
    if device.type == "cuda":
        return f"cuda: {torch.cuda.get_device_name(device)}"
    threads = torch.get_num_threads()
    return f"{device.type}: {threads} thread{'s' * (threads != 1)}"


def today() -> str:
    """Return the day, ISO 8601, in UTC."""
    return datetime.now(UTC).date().isoformat()


def save_card(run: Run, model: str, results: str, training: str, limitations: str) -> None:
    """Write the run's model card, ``README.md``, of four parts."""
    write_text(
        run.folder / "README.md",
        f"""\
# {run.title} (`{run.name}`)

## Model

{model}

## Results

{results}

## Training

{training}

## Limitations

{limitations}
""",
    )


def only_for_teaching(corpus: Corpus) -> str:
    """Return the limitations of a model of texts."""
    return f"""\
This is a small model for teaching, trained only on {corpus.written}. Its performance on other texts is unknown. Do not
use it to make decisions about people."""


def trained_on(run: Run) -> str:
    """Return where, when and how long a network was trained, as an entry of a list."""
    return f"""\
- Trained on `{run.device}` in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s per epoch, seed {run.seed},
  {run.created}, with {libraries(run)}."""


def libraries(run: Run) -> str:
    """Return the libraries of a training, with their versions."""
    return ", ".join(f"{name} {number}" for name, number in run.versions.items())


def checkpoints(run: Run, start: str = "") -> str:
    """Return the kept epochs, and with which weights the first one ``start``ed, where it is kept."""
    before = f" (epoch 0 is before training{start})" if 0 in run.epochs else ""
    return f"{', '.join(map(str, run.epochs))}{before}"


def write_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write the run's model card, ``README.md``, from its manifest."""
    measured = "\n".join(
        f"| {split} | {values['accuracy']:.2%} | {_interval(values)} | {values['loss']:.3f} |"
        f" {values['documents']:,.0f} |"
        for split, values in run.metrics.items()
    )
    begun = f" (epoch 0 is before training, {before_training(run)})" if 0 in run.epochs else ""
    epochs = f"Checkpoint epochs: {', '.join(map(str, run.epochs))}{begun}; " if run.epochs else ""
    pace = f", {run.seconds_per_epoch:,.0f} s per epoch" if run.epochs else ""
    chosen = f"epoch {run.best_epoch} is best on the validation split. " if run.epochs else ""
    how = (
        ", with the stored weights"
        if run.epochs
        else ". The classifier itself is not stored, so it is refitted for every further evaluation"
    )
    splits = f"\n{corpus.splits}" if corpus.splits else ""
    save_card(
        run,
        model=_what(run, corpus, source),
        results=f"""\
| Split | Accuracy | 95% confidence interval | Loss (nats) | Documents |
| --- | --- | --- | --- | --- |
{measured}

{_ratings(run)}{_updates(run)}{epochs}{chosen}The test split was evaluated once{how}.{splits}""",
        training=f"""\
- Trained on `{run.device}` in {run.seconds:,.0f} s{pace}, seed {run.seed}, {run.created},
  with {libraries(run)}.
{made_from(run, corpus)}
- {of_texts(run)}, only weights, words, word counts, short n-grams, ids, labels and numerical results.""",
        limitations=only_for_teaching(corpus),
    )


_MEASURED = {
    "analogies": "all questions",
    "analogies, every second": "every second question",
    "analogies, the others": "the other questions",
}


def in_words(measured: str) -> str:
    """Return what a card calls a key of the metrics."""
    return _MEASURED.get(measured, measured.replace("test, beside ", "test, combined with "))


def _listed(names: Sequence[str]) -> str:
    """Return names in a row: ``"negative or positive"``."""
    names = [plain(name) for name in names]
    return " or ".join([", ".join(names[:-1]), names[-1]])


def plain(text: str) -> str:
    """Return what a person called a class or a file, for Markdown: no sign of it means anything."""
    return re.sub(r"([\\`*_\[\]<>|~$!])", r"\\\1", text)


def made_from(run: Run, corpus: Corpus) -> str:
    """Return by which command a run is made, of what, and where its training was stopped."""
    again = f"Evaluate again: `python -m nlpviz evaluate {run.name}`.{_stopped(run)}"
    if corpus.url:
        return f"""\
- Reproduce: `python -m nlpviz train {run.name}`. {again}
- Corpus: {corpus.url}. {corpus.licence} {corpus.citation}."""
    return f"""\
- Reproduce: `python -m nlpviz train {RECIPE}`, with the file in this folder. {again}
- Corpus: user data, {plain(corpus.file)}, SHA-256 {" and ".join(corpus.sha256)}."""


def _stopped(run: Run) -> str:
    """Return after how many of its epochs a training was stopped; nothing of one that made them all."""
    stopped = run.recipe.get("stopped")
    if stopped is None:
        return ""
    return f"\n- Stopped after {stopped['after']} of {stopped['of']} epochs because the time limit was reached."


def of_texts(run: Run) -> str:
    """Return whether the run's folder holds texts, up to a comma."""
    if (run.folder / KEPT_TEXTS).is_file():
        return f"{KEPT_TEXTS} contains the texts, as requested. The other files contain no corpus text"
    return "This folder contains no corpus text"


def _what(run: Run, corpus: Corpus, source: str) -> str:
    """Return what a classifier is, in a line."""
    classes = f"The model classifies texts as {_listed(run.class_names)}. {run.parameter_count:,} parameters."
    return f"Source: {source}. {classes} Training data: {plain(corpus.title)}."


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
    change, low, high = (f"{100 * share:+.2f}".replace("-", "−") for share in (found.difference, *found.interval))
    verdict = (
        "the difference is significant, so the model uses the ratings"
        if found.significant
        else "the difference is not significant"
    )
    return f"""\
{masked["rated"]:,.0f} test texts state a rating, such as 7/10, in the part that the model reads. Replacing every
rating with the unknown-word token changes accuracy by {change} percentage points (95% confidence interval {low} to
{high}; {masked["lost"]:,.0f} correct predictions lost, {masked["gained"]:,.0f} gained). In a paired test, {verdict}.

"""


def _updates(run: Run) -> str:
    """Return at how many words a network updates its state; nothing of one that skips none."""
    share = run.metrics["test"].get("updates")
    return "" if share is None else f"The network updates its state at {share:.1%} of the words in the test texts.\n\n"


def _analogies(run: Run) -> str:
    """Return how many analogy questions word vectors answer, as Markdown."""
    if not run.metrics:
        return "The vocabulary covers none of Google’s analogy questions, so this run has no analogy accuracy."
    rows = [
        f"| {in_words(name)} | {values['accuracy']:.2%} | {values['questions']:,.0f} |"
        for name, values in run.metrics.items()
    ]
    return "\n".join(
        [
            "| Google’s analogy questions covered by the vocabulary | Accuracy | Number of questions |",
            "| --- | --- | --- |",
            *rows,
            "",
            "Questions are answered from the stored vectors (quantised to eight bits per number) with 3CosAdd,",
            "excluding the three words of each question.",
            run.recipe.get("chosen", BY_ALL_QUESTIONS),  # older runs of words have none
        ]
    )


def write_word_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write the model card of a run of word vectors."""
    pace = f", {run.seconds_per_epoch:,.0f} s per epoch" if len(run.epochs) > 1 else ""
    peer = f"\n\n{run.recipe['peer']}" if run.recipe.get("peer") else ""
    save_card(
        run,
        model=f"""\
Source: {source}. {run.config["vocabulary_size"]:,} word vectors with {run.config["dimensions"]} dimensions each;
{run.parameter_count:,} parameters. Training data: {corpus.title}, {run.corpus["words"]:,} words.""",
        results=_analogies(run) + peer,
        training=f"""\
- Checkpoint epochs: {checkpoints(run)}.
- Trained on `{run.device}` in {run.seconds:,.0f} s{pace}, seed {run.seed}, {run.created},
  with {libraries(run)}.
{made_from(run, corpus)}
- {of_texts(run)}, only words, their counts, their vectors and numerical results.""",
        limitations="""\
The vectors reflect their corpus, including its prejudices. Do not use them to make decisions about people.""",
    )
