"""What a language model reaches on a text, alone and with a cache or beside another model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.language import Predictor
from nlpviz.language.caches import NeuralCache, UnigramCache, cache_log_probabilities
from nlpviz.language.counts import CountPredictor
from nlpviz.language.mixtures import WEIGHTS, Mixture, best_weight, mixed
from nlpviz.language.networks import NetworkPredictor
from nlpviz.language.opening import counting, predictor
from nlpviz.ngrams.kneser_ney import KneserNey
from nlpviz.ngrams.trie import count
from nlpviz.runs import Run, open_run
from nlpviz.runs.language import counts_ngrams, never_predicted
from nlpviz.text.tokenizers import EOS
from nlpviz.training import Options, accelerator_for
from nlpviz.training.streams import stream

Splits = Mapping[str, tuple[NDArray[np.int64], int]]
"""Split -> its ids, and how many characters they stand for."""

THETAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
"""θ of a neural cache that are tried on the validation text."""
CACHE, NEURAL, MIXED = "unigram cache", "neural cache", "mixed with {}"


def texts_of(run: Run, splits: tuple[str, ...] = ("validation", "test")) -> Splits:
    """Return splits of a run's corpus as ids, with the number of characters that they stand for."""
    read = {split: stream(run.corpus["name"], split, run.tokenizer) for split in splits}
    return {split: (run.vocabulary.ids(text.tokens), text.characters) for split, text in read.items()}


def measured(run: Run, text: tuple[NDArray[np.int64], int], epoch: int | None, device: str) -> dict[str, float]:
    """Return loss in nats a token, perplexity, nats and bits a character, and how many tokens and characters there are.

    Args:
        run: a language model.
        text: ids and characters.
        epoch: None for the best one.
        device: as a person named it.
    """
    return _facts(_losses(predictor(run, epoch, _on(device)), text[0]).mean(), text)


def measure_all(run: Run, splits: Splits, options: Options) -> dict[str, dict[str, float]]:
    """Return what a run reaches, and what caches, mixtures and shorter n-grams do: settings chosen on validation.

    The keys are those of the manifest's metrics: the splits, ``"3-gram"``, ``"unigram cache"``, ``"neural cache"``,
    ``"mixed with RUN"``.
    """
    device = _on(options.device)
    model = predictor(run, None, device)
    own = {split: _log_probabilities(model, ids) for split, (ids, _) in splits.items()}
    found = {split: _facts(float(-own[split].mean()), splits[split]) for split in splits}
    if counts_ngrams(run):
        for order in range(1, int(run.config["order"])):
            options.say(f"Measuring n-grams of {order}")
            shorter = counting(run, order)
            found[f"{order}-gram"] = _both(
                {split: _log_probabilities(shorter, ids) for split, (ids, _) in splits.items()}, splits
            )
    if window := run.recipe["cache"]:
        options.say(f"Measuring a cache of {window} words")
        cached = {split: _cached(ids, window) for split, (ids, _) in splits.items()}
        weight, _ = best_weight(*_filled(cached["validation"], own["validation"]))
        both = {split: mixed(*_filled(cached[split], own[split]), weight) for split in splits}
        found[CACHE] = {"window": window, "weight": weight, **_both(both, splits)}
    if window := run.recipe["neural_cache"]:
        assert isinstance(model, NetworkPredictor)
        options.say(f"Measuring a neural cache of {window} words")
        theta, weight = _best_neural(model, splits["validation"][0], own["validation"], window)
        cache = NeuralCache(model, window, theta, weight)
        both = {split: _log_probabilities(cache, ids) for split, (ids, _) in splits.items()}
        found[NEURAL] = {"window": window, "theta": theta, "weight": weight, **_both(both, splits)}
    for name in run.recipe["beside"]:
        options.say(f"Measuring the mixture with {name}")
        other = predictor(open_run(name), None, device)
        theirs = {split: _log_probabilities(other, ids) for split, (ids, _) in splits.items()}
        if unseen := _without_validation(open_run(name)):
            theirs["validation"] = _log_probabilities(unseen, splits["validation"][0])
        weight, _ = best_weight(own["validation"], theirs["validation"])
        both = {split: mixed(own[split], theirs[split], weight) for split in splits}
        found[MIXED.format(name)] = {"weight": weight, **_both(both, splits)}
    return found


def again(run: Run, name: str, known: Mapping[str, float], text: tuple[NDArray[np.int64], int], device: str) -> float:
    """Return the loss on a text of one of a run's variants, with the settings that its manifest ``known`` s."""
    return float(-_log_probabilities(variant(run, name, known, _on(device)), text[0]).mean())


def variant(run: Run, name: str, known: Mapping[str, Any], device: str = "cpu") -> Predictor:
    """Return the model that one of the manifest's metrics is of."""
    if name.endswith("-gram"):
        return counting(run, int(name.removesuffix("-gram")))
    if name == CACHE:
        return UnigramCache(predictor(run, None, device), int(known["window"]), known["weight"])
    model = predictor(run, None, device)
    if name == NEURAL:
        assert isinstance(model, NetworkPredictor)
        return NeuralCache(model, int(known["window"]), known["theta"], known["weight"])
    return Mixture(model, predictor(open_run(name.removeprefix(MIXED.format(""))), None, device), known["weight"])


def _without_validation(run: Run) -> Predictor | None:
    """Return the model of a run that learnt from the validation text too, without that; None where it did not."""
    if run.recipe["learns"] == "train":
        return None
    train, _ = texts_of(run, ("train",))["train"]
    trie, order = count(train, len(run.vocabulary), int(run.config["order"])), int(run.config["order"])
    return CountPredictor(KneserNey(trie, order, never_predicted(run)), run.vocabulary.id(EOS))


def _best_neural(
    model: NetworkPredictor, ids: NDArray[np.int64], own: NDArray[np.floating[Any]], window: int
) -> tuple[float, float]:
    """Return θ and λ with which a neural cache predicts the validation text best."""
    cache = NeuralCache(model, window, 0.0, 0.0)
    state = cache.begin()
    queries, _ = model.hidden(state.inner, ids)
    choices = []
    for theta, cached in zip(THETAS, cache.cached(state, ids, queries, THETAS), strict=True):
        weight, mean = best_weight(*_filled(cached, own), weights=WEIGHTS)
        choices.append((mean, theta, weight))
    _, theta, weight = max(choices)
    return theta, weight


def _cached(ids: NDArray[np.int64], window: int) -> NDArray[np.float64]:
    return cache_log_probabilities(ids, ids[:0], window)


def _filled(
    cached: NDArray[np.floating[Any]], own: NDArray[np.floating[Any]]
) -> tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]:
    """Return both, the cache's with the model's own where the cache is empty."""
    return np.where(np.isnan(cached), own, cached), own


def _both(log_probabilities: Mapping[str, NDArray[np.floating[Any]]], splits: Splits) -> dict[str, float]:
    """Return the losses on test text and, where it was not learnt from, on validation text; the former's perplexity."""
    losses = {split: float(-found.mean()) for split, found in log_probabilities.items()}
    chosen_on = {"validation_loss": losses["validation"]} if "validation" in losses else {}
    return {
        **chosen_on,
        "loss": losses["test"],
        "perplexity": float(np.exp(losses["test"])),
        "tokens": len(splits["test"][0]),
    }


def _losses(model: Predictor, ids: NDArray[np.int64]) -> NDArray[np.floating[Any]]:
    return -_log_probabilities(model, ids)


def _log_probabilities(model: Predictor, ids: NDArray[np.int64]) -> NDArray[np.floating[Any]]:
    """Return the log-probability of each token of a text read as one."""
    return model.read(model.begin(), ids).log_probabilities.astype(np.float64)


def _facts(loss: float, text: tuple[NDArray[np.int64], int]) -> dict[str, float]:
    tokens, characters = len(text[0]), text[1]
    nats = float(loss) * tokens / characters
    return {
        "loss": float(loss),
        "perplexity": float(np.exp(loss)),
        "nats_per_character": nats,
        "bits_per_character": nats / float(np.log(2)),
        "tokens": tokens,
        "characters": characters,
    }


def _on(device: str) -> str:
    return str(accelerator_for(device).device.type)
