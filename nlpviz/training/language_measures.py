"""The measures of a language model on a text: by itself, with a cache, or mixed with another model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.language import Predictor
from nlpviz.language.caches import NeuralCache, cache_log_probabilities, with_cache
from nlpviz.language.counts import CountPredictor
from nlpviz.language.mixtures import best_weight, mixed
from nlpviz.language.networks import NetworkPredictor
from nlpviz.language.predictors import counting, predictor
from nlpviz.runs import Run, open_run
from nlpviz.runs.language import MIXED, SMALLER, counts_ngrams, ids_in, never_predicted
from nlpviz.text.ngrams.kneser_ney import KneserNey
from nlpviz.text.ngrams.trie import count
from nlpviz.text.tokenizers import EOS
from nlpviz.text.vocabulary import PAD, UNKNOWN
from nlpviz.training import Options, accelerator_for
from nlpviz.training.streams import stream

Splits = Mapping[str, tuple[NDArray[np.int64], int]]
"""Split -> its ids, and how many characters they stand for."""

THETAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
"""θ of a neural cache that are tried on the validation text."""
BEGINNING = 5_000
"""Tokens at the beginning of a text whose loss is also reported: they show quickly whether it can be reproduced."""
CACHE, NEURAL = "unigram cache", "neural cache"


def texts_of(run: Run, splits: tuple[str, ...]) -> Splits:
    """Return splits of a run's corpus as ids, with the number of characters that they stand for."""
    read = {split: stream(run.corpus["name"], split, run.tokenizer) for split in splits}
    return {split: (run.vocabulary.ids(text.tokens), text.characters) for split, text in read.items()}


@dataclass(frozen=True, eq=False)
class Reading:
    """A text as a run's own model read it, once: caches and mixtures are computed from it.

    Attributes:
        run: a language model.
        device: of its model and of those it is mixed with.
        model: the run's.
        ids: the text, (T,).
        characters: that it stands for.
        own: the log-probability of each token by the model, (T,).
        vectors: what a network predicted each token from, (T, D), for its neural cache; None of a run that has none.
    """

    run: Run
    device: str
    model: Predictor
    ids: NDArray[np.int64]
    characters: int
    own: NDArray[np.floating[Any]]
    vectors: Tensor | None

    @property
    def facts(self) -> dict[str, float]:
        """Loss in nats per token, of the beginning too, perplexity, nats and bits per character, how many of both.

        The share of unknown tokens, which are predicted as one word, is reported as well.

        Tokens without a probability, which no corpus has that a run is measured on, are counted and left out of means.
        """
        known = np.isfinite(self.own)
        loss = -float(self.own[known].mean())
        nats = loss * len(self.ids) / self.characters
        left_out = {} if known.all() else {"unpredicted": int((~known).sum())}
        return {
            "loss": loss,
            "beginning_loss": -float(self.own[:BEGINNING][known[:BEGINNING]].mean()),
            "perplexity": float(np.exp(loss)),
            "nats_per_character": nats,
            "bits_per_character": nats / float(np.log(2)),
            "unknown": float((self.ids == UNKNOWN).mean()),
            "tokens": len(self.ids),
            "characters": self.characters,
            **left_out,
        }


def read_text(run: Run, text: tuple[NDArray[np.int64], int], epoch: int | None, device: str) -> Reading:
    """Return a run's model's reading of a text.

    Args:
        run: a language model.
        text: ids and characters.
        epoch: None for the best one.
        device: as a person named it.
    """
    place = str(accelerator_for(device).device.type)
    model, (ids, characters) = predictor(run, epoch, place), text
    if run.recipe["neural_cache"]:
        assert isinstance(model, NetworkPredictor)
        vectors, _ = model.hidden(model.begin(), ids)
        own = model.log_probabilities(vectors, ids).astype(np.float64)
        return Reading(run, place, model, ids, characters, own, vectors)
    return Reading(run, place, model, ids, characters, _log_probabilities(model, ids), None)


def measure_all(run: Run, splits: Splits, options: Options) -> dict[str, dict[str, float]]:
    """Return the measures of a run, and of caches, mixtures and shorter n-grams, with settings chosen on validation.

    The keys are those of the manifest's metrics: the splits, ``"3-gram"``, ``"vocabulary of 1,000"``,
    ``"unigram cache"``, ``"neural cache"``, ``"mixed with RUN"``.
    """
    read = {split: read_text(run, text, None, options.device) for split, text in splits.items()}
    found = {split: reading.facts for split, reading in read.items()}
    if counts_ngrams(run):
        for order in range(1, int(run.config["order"])):
            options.say(f"Evaluating {order}-grams")
            found[f"{order}-gram"] = _measured_as(f"{order}-gram", {}, read)
    known_words = len(run.vocabulary) - UNKNOWN
    for size in (one for one in run.recipe.get("vocabularies", ()) if one < known_words):
        options.say(f"Counting n-grams for a vocabulary of {size:,}")
        unknown = float((_merged(read["test"].ids, size) == UNKNOWN).mean())
        known = {SMALLER: size, "unknown": unknown}
        found[f"vocabulary of {size:,}"] = _measured_as("", known, read)
    if window := run.recipe["cache"]:
        options.say(f"Evaluating a cache of {window} words")
        held_out = read["validation"]
        weight, _ = _best_cached(held_out.own, _cached(held_out, window))
        found[CACHE] = _measured_as(CACHE, {"window": window, "weight": weight}, read)
    if window := run.recipe["neural_cache"]:
        options.say(f"Evaluating a neural cache of {window} words")
        theta, weight = _best_neural(read["validation"], window)
        found[NEURAL] = _measured_as(NEURAL, {"window": window, "theta": theta, "weight": weight}, read)
    for name in run.recipe["beside"]:
        options.say(f"Evaluating the mixture with {name}")
        held_out, other = read["validation"], open_run(name)
        unseen = _without_validation(other) or predictor(other, None, held_out.device)
        theirs = _log_probabilities(unseen, ids_in(other, run)[held_out.ids])
        weight, mean = best_weight(held_out.own, theirs)
        tested = _measured_as(MIXED + name, {"weight": weight}, {"test": read["test"]})
        found[MIXED + name] = {"weight": weight, "validation_loss": -mean, **tested}
    return found


def variant_loss(reading: Reading, name: str, known: Mapping[str, float]) -> float:
    """Return the loss on a text of one of a run's variants, with the settings ``known`` from its manifest."""
    return float(-_by_variant(reading, name, known).mean())


def _by_variant(reading: Reading, name: str, known: Mapping[str, Any]) -> NDArray[np.floating[Any]]:
    """Return the log-probability of each token by the model that one of the manifest's metrics is of."""
    if SMALLER in known:
        size = int(known[SMALLER])
        model = reading.run.kept(f"{SMALLER} {size}", lambda run: _counted_with(run, size))
        return _log_probabilities(model, _merged(reading.ids, size))
    if name.endswith("-gram"):
        return _log_probabilities(counting(reading.run, int(name.removesuffix("-gram"))), reading.ids)
    if name == CACHE:
        return with_cache(reading.own, _cached(reading, int(known["window"])), known["weight"])
    if name == NEURAL:
        (cached,) = _neurally_cached(reading, int(known["window"]), (known["theta"],))
        return with_cache(reading.own, cached, known["weight"])
    other = open_run(name.removeprefix(MIXED))
    ids = ids_in(other, reading.run)[reading.ids]
    theirs = _log_probabilities(predictor(other, None, reading.device), ids)
    return mixed(reading.own, theirs, known["weight"])


def _merged(ids: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return ``ids`` of which only ``size`` are left, the unknown word's and those of the commonest words."""
    return np.where(ids < UNKNOWN + size, ids, UNKNOWN)


def _counted_with(run: Run, size: int) -> Predictor:
    """Return the n-grams of a run counted again in its training text, with ``size`` tokens that are predicted."""
    train, _ = texts_of(run, (run.recipe["learns"],))[run.recipe["learns"]]
    return _smoothed(_merged(train, size), UNKNOWN + size, run, (PAD,))


def _smoothed(train: NDArray[np.int64], size: int, run: Run, never: tuple[int, ...]) -> Predictor:
    """Return the n-grams of ``train``, of ``size`` ids and as long as those of ``run``."""
    order, boundary = int(run.config["order"]), run.vocabulary.id(EOS)
    begins = boundary if boundary < size else UNKNOWN
    return CountPredictor(KneserNey(count(train, size, order), order, never), begins)


def _without_validation(run: Run) -> Predictor | None:
    """Return the model of a run that learnt from the validation text too, without that; None where it did not."""
    if run.recipe["learns"] == "train":
        return None
    train, _ = texts_of(run, ("train",))["train"]
    return _smoothed(train, len(run.vocabulary), run, never_predicted(run))


def _best_neural(reading: Reading, window: int) -> tuple[float, float]:
    """Return θ and λ with which a neural cache predicts the validation text best."""
    choices = []
    for theta, cached in zip(THETAS, _neurally_cached(reading, window, THETAS), strict=True):
        weight, mean = _best_cached(reading.own, cached)
        choices.append((mean, theta, weight))
    _, theta, weight = max(choices)
    return theta, weight


def _cached(reading: Reading, window: int) -> NDArray[np.float64]:
    return cache_log_probabilities(reading.ids, reading.ids[:0], window)


def _neurally_cached(reading: Reading, window: int, thetas: tuple[float, ...]) -> list[NDArray[np.float64]]:
    """Return a neural cache's own log-probabilities of each token for each of some θ; NaN where it is empty."""
    assert isinstance(reading.model, NetworkPredictor)
    assert reading.vectors is not None
    cache = NeuralCache(reading.model, window, 0.0, 0.0)
    return cache.cached(cache.begin(), reading.ids, reading.vectors, thetas)


def _best_cached(own: NDArray[np.floating[Any]], cached: NDArray[np.floating[Any]]) -> tuple[float, float]:
    """Return the weight with which a cache helps a model best, and the mean log-probability of the tokens then."""
    return best_weight(np.where(np.isnan(cached), own, cached), own)


def _measured_as(name: str, known: Mapping[str, float], read: Mapping[str, Reading]) -> dict[str, float]:
    """Return a variant's settings, its losses on test and, where it was not learnt from, validation; its perplexity."""
    losses = {split: variant_loss(reading, name, known) for split, reading in read.items()}
    chosen_on = {"validation_loss": losses["validation"]} if "validation" in losses else {}
    return {
        **known,
        **chosen_on,
        "loss": losses["test"],
        "perplexity": float(np.exp(losses["test"])),
        "tokens": len(read["test"].ids),
    }


def _log_probabilities(model: Predictor, ids: NDArray[np.int64]) -> NDArray[np.floating[Any]]:
    """Return the log-probability of each token of a text read as one."""
    return model.read(model.begin(), ids).log_probabilities.astype(np.float64)
