"""Runs of the kind ``"language-model"``: a network's weights by epoch, or a table of n-grams, and what each reaches.

``vocabulary.txt`` holds the words or characters, ``history.csv`` the losses of a network's epochs,
``ngrams.safetensors.gz`` the n-grams of a model that counts (:mod:`nlpviz.text.ngrams.trie`), which no epoch changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.perplexity import MeasuredModel, SmallerVocabulary
from nlpviz.runs.folders import roots
from nlpviz.runs.packed_arrays import read_packed, write_packed
from nlpviz.runs.run import Run, RunError
from nlpviz.text.ngrams.kneser_ney import KneserNey
from nlpviz.text.ngrams.trie import NgramTrie
from nlpviz.text.vocabulary import PAD, UNKNOWN

KIND = "language-model"
COUNTS = "kneser-ney"
"""The architecture of a run that counts."""
NGRAMS = "ngrams.safetensors.gz"
MIXED = "mixed with "
"""What the metrics of a mixture begin with; the name of the other run follows."""
SMALLER = "vocabulary"
"""What the metrics of n-grams that were counted with fewer words say of these: how many tokens are predicted."""
_SETTINGS = {
    "unknown": "{:.1%} unknown",
    "window": "{:,.0f} tokens",
    "theta": "θ = {:g}",
    "weight": "λ = {:g}",
}


def counts_ngrams(run: Run) -> bool:
    """Return whether a language model is a table of counts, not a network."""
    return run.architecture == COUNTS


def reads_on(run: Run) -> bool:
    """Return whether a run is a language model that reads word by word from its state: a recurrent network."""
    return run.kind == KIND and "cell" in run.config  # a contract of architectures; asking the network needs torch


def never_predicted(run: Run) -> tuple[int, ...]:
    """Return the ids that have no probability: padding, and the unknown word where training has none."""
    return (PAD,) if run.config["predicts_unknown"] else (PAD, UNKNOWN)


def predicted_count(run: Run) -> int:
    """Return how many ids of the vocabulary share the probability."""
    return len(run.vocabulary) - len(never_predicted(run))


def model_title(run: Run, epoch: int | None = None, order: int | None = None) -> str:
    """Return a model's title next to others: its run, with a network's epoch, or the order of shorter n-grams."""
    if epoch is not None:
        return f"{run.title}, epoch {epoch}"
    return run.title if order in (None, run.config["order"]) else f"{run.title}, order {order}"


def measured_models(run: Run) -> tuple[MeasuredModel, ...]:
    """Return a run's measures on its test text: by itself, as shorter n-grams, with a cache, mixed with another run."""
    test = run.metrics["test"]
    tokens, vocabulary = int(test["tokens"]), predicted_count(run)
    each = test["nats_per_character"] / test["loss"]
    found = [MeasuredModel(run.title, test["loss"], test["nats_per_character"], tokens, vocabulary)]
    for name, known in run.metrics.items():
        if name not in ("validation", "test") and SMALLER not in known:
            loss = known["loss"]
            beside = f" + {_title(name.removeprefix(MIXED))}" if name.startswith(MIXED) else f", {name}"
            found.append(MeasuredModel(run.title + beside, loss, loss * each, tokens, vocabulary, settings_of(known)))
    return tuple(found)


def measured_on(runs: Sequence[Run], corpus: str) -> list[MeasuredModel]:
    """Return the measures of all runs on one test text, whose title ``corpus`` their titles do without."""
    measured = (model for run in runs for model in measured_models(run))
    return [replace(model, title=model.title.replace(f" on {corpus}", "")) for model in measured]


def _title(name: str) -> str:
    """Return what people call the run of that name, which may be gone since: then its name."""
    folders = (root / name for root in roots())
    there = next((folder for folder in folders if (folder / "run.json").exists()), None)
    return name if there is None else Run.open(there).title


def smaller_vocabularies(run: Run) -> tuple[SmallerVocabulary, ...]:
    """Return the measures of n-grams with smaller vocabularies, then with the whole; empty if not measured."""
    found = [
        SmallerVocabulary(int(known[SMALLER]), known["unknown"], known["loss"])
        for known in run.metrics.values()
        if SMALLER in known
    ]
    whole = run.metrics["test"]
    every = [SmallerVocabulary(predicted_count(run), whole["unknown"], whole["loss"])] if found else []
    return (*sorted(found, key=lambda one: one.vocabulary), *every)


def ids_in(other: Run, run: Run) -> NDArray[np.int64]:
    """Return the id that ``other`` has for each id of ``run``, (V,).

    Two runs may have the same words in another order, since each ranks them by the counts of what it learnt from.

    Raises:
        RunError: if their words are not the same ones, so that their probabilities cannot be compared.
    """
    words, theirs = run.vocabulary.words, other.vocabulary.words
    if sorted(words) != sorted(theirs) or never_predicted(run) != never_predicted(other):
        raise RunError(f"The runs {run.name!r} and {other.name!r} have different vocabularies.")
    place = {word: number for number, word in enumerate(theirs)}
    return np.array([place[word] for word in words], dtype=np.int64)


def settings_of(found: Mapping[str, float]) -> str:
    """Return the settings of a cache or a mixture, of what a manifest knows of it, as people read them."""
    return ", ".join(form.format(found[key]) for key, form in _SETTINGS.items() if key in found)


def write_ngrams(folder: Path, trie: NgramTrie) -> None:
    """Write all n-grams with their counts."""
    write_packed(folder / NGRAMS, trie.arrays())


def kneser_ney(run: Run, order: int | None = None) -> KneserNey:
    """Return the model of a run that counts, of n-grams of ``order`` words at most, by default its own.

    Raises:
        RunError: if the run counts none, has none so long, or the file is damaged.
    """
    if not counts_ngrams(run):
        raise RunError(f"The run {run.name!r} is a neural network, not an n-gram model.")
    longest = int(run.config["order"])
    order = longest if order is None else order
    if not 1 <= order <= longest:
        raise RunError(f"The run {run.name!r} uses n-grams of 1 to {longest} tokens, not {order}.")
    return run.kept(f"{NGRAMS}.{order}", lambda run: _smoothed(run, order))


def _smoothed(run: Run, order: int) -> KneserNey:
    return KneserNey(run.kept(NGRAMS, _trie), order, never_predicted(run))


def _trie(run: Run) -> NgramTrie:
    try:
        return NgramTrie.of_arrays(read_packed(run.file(NGRAMS)))
    except (KeyError, ValueError):
        raise RunError(f"{NGRAMS} of the run {run.name!r} cannot be read: it is damaged.") from None
