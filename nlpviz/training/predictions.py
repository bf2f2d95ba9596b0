"""A classifier's predictions for all test documents: at every kept epoch, and at the best one without their ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.data import Corpus, corpus_named
from nlpviz.data.columns import LabelledTexts
from nlpviz.networks.architectures import architectures, class_probabilities, padded
from nlpviz.results.predictions import Predicted
from nlpviz.runs import Run, TrainedModel
from nlpviz.runs.files import write_whole
from nlpviz.runs.predictions import RATINGS_MASKED, STEPS, levels_of, write_predictions
from nlpviz.text.ratings import in_ratings, masked
from nlpviz.text.vocabulary import tokenize
from nlpviz.training.batches import bucketed
from nlpviz.training.devices import sent
from nlpviz.training.measures import asked_at_once
from nlpviz.training.provenance import write_card
from nlpviz.training.texts import encoded, labelled_texts

ANSWERS, USED = "test-answers.npz", ".test-answers.npz"
"""What a run in the making answers to all test documents: it travels from where it was fitted to where the corpus is.

Once it is used it is hidden, and goes when the run is put in place.
"""
Answers = Callable[[Sequence[str]], NDArray[np.floating]]


class Answered(NamedTuple):
    """Predictions for N test documents: the best epoch's probabilities, (N, K), and other epochs' predictions."""

    best: NDArray[np.float64]
    others: Mapping[int, Predicted]


class Rated(NamedTuple):
    """Which texts of a split state a rating: how many of its tokens are read, (N,), and those R texts masked."""

    tokens: NDArray[np.int64]
    masked: list[str]

    @classmethod
    def of(cls, texts: Sequence[str], max_length: int) -> Rated:
        """Return the ratings within the first ``max_length`` tokens of each text; 0 reads whole texts."""
        inside = [in_ratings(text, tokenize(text))[: max_length or None].sum() for text in texts]
        return cls(np.array(inside), [masked(text) for text, count in zip(texts, inside, strict=True) if count])


def predict_run(
    run: Run,
    say: Callable[[str], None] = lambda _: None,
    epochs: Sequence[int] | None = None,
    card: Callable[[Run, Corpus, str], None] = write_card,
) -> Run:
    """Write a network's predictions for all test documents into the run's folder, its manifest and its card.

    A minute an epoch for 25,000 reviews. Of a corpus whose texts state ratings, those that do are read again without.

    Args:
        run: whose network is asked.
        say: called with a line of text about each step.
        epochs: of the surveyed ones, the best one among them; None asks all. What is known of others is written, too.
        card: writes the model card of such a run.
    """
    corpus = corpus_named(run.corpus["name"])
    test = labelled_texts(corpus.name, "test")
    sentences = architectures()[run.architecture].reads_sentences
    rows = encoded(run.vocabulary, test.texts, sentences=sentences)
    known = kept_answers(run.folder)

    def predict(epoch: int) -> NDArray[np.floating]:
        say(f"Classifying {len(rows):,} test texts at epoch {epoch}")
        return probabilities(run.load(epoch), rows)

    plain = predict(run.best_epoch) if known is None else known.best
    by_epoch: dict[int, Predicted] = {run.best_epoch: Predicted.of(plain), **(known.others if known else {})}
    asked = [one for one in run.surveyed if epochs is None or one in epochs or one in by_epoch]
    by_epoch = {epoch: by_epoch.get(epoch) or Predicted.of(predict(epoch)) for epoch in asked}

    def ask(texts: Sequence[str]) -> NDArray[np.floating]:
        return probabilities(run.load(run.best_epoch), encoded(run.vocabulary, texts, sentences=sentences))

    rated = Rated.of(test.texts, run.max_length) if corpus.states_ratings else None
    metrics = write(run.folder, test, by_epoch, plain, rated, ask)
    run = replace(run, metrics={**run.metrics, **metrics})
    card(run, corpus, architectures()[run.architecture].source)
    return run.save()


def keep_answers(path: Path, answered: Answered) -> None:
    """Write an unfinished run's predictions for all test documents, so that no epoch is computed twice."""
    columns: dict[str, Any] = {"best": np.log(np.maximum(answered.best, np.finfo(np.float64).tiny)).astype(np.float32)}
    for epoch, predicted in answered.others.items():
        columns |= {f"classes.{epoch}": predicted.classes, f"levels.{epoch}": levels_of(predicted.probabilities)}

    def save(partial: Path) -> None:
        with partial.open("wb") as stream:  # a path would be given an ending
            np.savez_compressed(stream, **columns)

    write_whole(path, save)


def kept_answers(folder: Path) -> Answered | None:
    """Return what :func:`keep_answers` wrote into a run's folder, which no manifest lists from now on; None if nothing.

    Log-probabilities of the best epoch are in single precision, probabilities of the others in 65,535ths.
    """
    if (travelled := folder / ANSWERS).exists():
        travelled.replace(folder / USED)
    if not (folder / USED).exists():
        return None
    with np.load(folder / USED, allow_pickle=False) as kept:
        epochs = [int(name.partition(".")[2]) for name in kept.files if name.startswith("classes.")]
        others = {
            epoch: Predicted(kept[f"classes.{epoch}"], kept[f"levels.{epoch}"] / np.float32(STEPS)) for epoch in epochs
        }
        return Answered(np.exp(kept["best"].astype(np.float64)), others)


def write(
    folder: Path,
    test: LabelledTexts,
    by_epoch: Mapping[int, Predicted],
    plain: NDArray[np.floating],
    rated: Rated | None,
    ask: Answers,
) -> dict[str, dict[str, float]]:
    """Write the predictions for all test documents into a run's folder; return the effect of masking ratings.

    Args:
        folder: the run's.
        test: the N documents.
        by_epoch: the answers of each surveyed epoch.
        plain: (N, K), the probabilities that the chosen epoch predicts.
        rated: which documents state a rating; None where a corpus's do not.
        ask: what predicts (R, K), of the R texts that state a rating, with their ratings masked.

    Returns:
        The measures by their name among a run's metrics; none without ratings.
    """
    if rated is None:
        write_predictions(folder, test.ids, test.labels, by_epoch)
        return {}
    without = plain.copy()
    without[rated.tokens > 0] = ask(rated.masked)
    after = Predicted.of(without)
    write_predictions(folder, test.ids, test.labels, by_epoch, after, rated.tokens)
    before, now = plain.argmax(axis=1) == test.labels, after.classes == test.labels
    of_label = without[np.arange(len(without)), test.labels]
    measured = {
        "accuracy": float(now.mean()),
        "loss": float(-np.log(np.clip(of_label, 1e-12, None)).mean()),
        "documents": len(without),
        "rated": int((rated.tokens > 0).sum()),
        "lost": int((before & ~now).sum()),
        "gained": int((now & ~before).sum()),
    }
    return {RATINGS_MASKED: measured}


def probabilities(trained: TrainedModel, rows: Sequence[NDArray[np.integer]]) -> NDArray[np.float32]:
    """Return the probabilities of the classes, (N, K), of encoded texts, cut here as the model reads them."""
    return exact_probabilities(trained, rows).astype(np.float32)


def exact_probabilities(trained: TrainedModel, rows: Sequence[NDArray[np.integer]]) -> NDArray[np.float64]:
    """Return the same in double precision, in which the loss of a text that is all but certain is still known."""
    module = trained.module
    read = [row[: trained.run.max_length] for row in rows]
    device = next(trained.module.parameters()).device
    result = np.zeros((len(read), len(trained.run.class_names)))
    with torch.inference_mode():
        for positions in bucketed(np.array([len(row) for row in read]), asked_at_once(device), None):
            batch = sent(padded([read[position] for position in positions]), device)
            result[positions] = class_probabilities(module(batch).double()).cpu().numpy()  # 1 − p of a sigmoid near 1
    return result
