"""Runs that tell negative from positive texts, asked what they make of minimal pairs, epoch by epoch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from nlpviz.results.behaviours import Probed
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.own_evaluation import predictor
from nlpviz.run_kinds.parts import UsageError
from nlpviz.runs import Run
from nlpviz.runs.ngram_weights import WEIGHTS, read_weights
from nlpviz.text.vocabulary import tokenize

_NEGATIVE, _POSITIVE = frozenset({"negative", "neg"}), frozenset({"positive", "pos"})


def tells_sentiment(run: Run) -> bool:
    """Return whether a run gives any text a probability of *positive*: of two classes, *negative* and *positive*.

    A bag of n-grams may have been published without its weights.
    """
    can_answer = bool(run.epochs) or WEIGHTS in run.files
    return can_answer and kind_of(run).predictor is not None and _positive(run) is not None


def check_sentiment(run: Run) -> int:
    """Return which of a run's classes is *positive*.

    Raises:
        UsageError: if the run predicts no classes, or others than *negative* and *positive*.
    """
    kind = kind_of(run)
    if kind.predictor is None:
        raise UsageError(f"The run {run.name!r} {kind.says}, not a sentiment classifier.")
    positive = _positive(run)
    if positive is None:
        there = ", ".join(run.class_names[:5]) + (", …" if len(run.class_names) > 5 else "")
        raise UsageError(
            f"The pairs test sentiment and need a run with the classes negative and positive; {run.name!r} has {there}."
        )
    return positive


def asked_epochs(run: Run) -> tuple[int | None, ...]:
    """Return the epochs whose weights a run keeps; None alone of a run without epochs."""
    return run.epochs or (None,)


def probe(run: Run, epoch: int | None, pairs: Sequence[MinimalPair], device: str = "auto") -> Probed:
    """Return what a run makes of M pairs at ``epoch``; None for a run without epochs.

    Raises:
        UsageError: if the run does not tell negative from positive texts.
        RunError: if it is damaged, or keeps no such epoch.
    """
    positive = check_sentiment(run)
    answers = predictor(run, 0 if epoch is None else run.check_epoch(epoch), device)
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.first, pair.second)))
    place = {text: at for at, text in enumerate(texts)}
    of_texts = answers(texts)[:, positive].astype(np.float32)
    knows = _known(run)
    known = [knows(pair.first) and (pair.misspelt or knows(pair.second)) for pair in pairs]
    places = np.array([[place[pair.first], place[pair.second]] for pair in pairs], dtype=np.intp).reshape(-1, 2)
    return Probed(run.name, run.title, epoch, of_texts[places], np.array(known, dtype=bool))


def probe_epochs(
    run: Run, pairs: Sequence[MinimalPair], device: str = "auto", report: Callable[[float], object] = lambda _: None
) -> list[Probed]:
    """Return what each kept epoch of a run makes of pairs, in ascending order; one result without epochs.

    Args:
        run: that tells negative from positive texts.
        pairs: M of them.
        device: on which networks run.
        report: progress callback, called with the completed fraction.
    """
    epochs, found = asked_epochs(run), []
    for at, epoch in enumerate(epochs):
        report(at / len(epochs))
        found.append(probe(run, epoch, pairs, device))
    return found


def _known(run: Run) -> Callable[[str], bool]:
    """Return what says whether a run knows all words of a text."""
    if WEIGHTS in run.files:
        weights = read_weights(run)
        knows = cache(lambda word: not weights.weigh(word).unknown)
        return lambda text: all(knows(token.word) for token in tokenize(text))
    vocabulary = run.vocabulary
    return lambda text: all(token.word in vocabulary for token in vocabulary.tokens(text))


def _positive(run: Run) -> int | None:
    folded = [name.strip().casefold() for name in run.class_names]
    if len(folded) != 2:
        return None
    for at in (0, 1):
        if folded[at] in _POSITIVE and folded[1 - at] in _NEGATIVE:
            return at
    return None
