"""Input reduction: words are removed one by one while the prediction stays the same, until none can be.

Feng, Wallace, Grissom II, Iyyer, Rodriguez and Boyd-Graber (2018), *Pathologies of Neural Models Make Interpretations
Difficult*, section 2. There the word with the smallest importance goes first, with a beam; here the few with the
smallest are read without, and the one goes that costs the prediction least. Of a long text many go at once.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution.first_order import gradients, probabilities
from nlpviz.results.edits import Reduction
from nlpviz.runs import TrainedModel

TRIED = 5
"""Words without which a text is read at each step."""
_SHARE, _ONE_BY_ONE = 0.15, 40  # of the words that go at once, down to so many words
SECONDS = 15.0


def reduce_input(
    trained: TrainedModel, text: str, report: Callable[[float], object] = lambda _: None, seconds: float = SECONDS
) -> Reduction | None:
    """Return the words that remain after removing as many words as possible without changing the prediction.

    Based on input reduction (Feng et al. 2018, section 2), with a greedy search. Each step tries to remove each of the
    five least important words and removes the one whose removal keeps the probability highest. In long texts, several
    words are removed per step.

    Args:
        trained: a classifier, loaded by ``Run.load``.
        text: any text.
        report: progress callback, called with the removed fraction of the words.
        seconds: the time limit, after which the search returns the words that are left.

    Returns:
        The remaining words and the probability of the class before and after; None for a text without words.

    Example:
        >>> from nlpviz.analysis.attribution.input_reduction import reduce_input
        >>> from nlpviz.runs import open_run
        >>> model = open_run("imdb-cnn").load()
        >>> reduction = reduce_input(model, "What a waste of time, although the actors are good.")
        >>> reduction.words, round(reduction.after, 2)
        (('waste',), 0.89)
    """
    encoded, begun = trained.encode(text), monotonic()
    row, left = encoded.row, np.arange(len(encoded.ids))
    if not len(row):
        return None
    first = probabilities(trained, [row])[0]
    predicted, read, stopped = int(first.argmax()), 1, False
    probability, share = float(first[predicted]), _SHARE
    while len(left) > 1 and not (stopped := monotonic() - begun > seconds):
        ((gradient, embedded),) = gradients(trained, [row[left]], predicted)
        order = np.argsort(np.abs((gradient * embedded).sum(dim=1).numpy()), kind="stable")
        many = max(1, int(share * len(left))) if len(left) > _ONE_BY_ONE else 1
        ways = [order[:many]] if many > 1 else [order[at : at + 1] for at in range(min(TRIED, len(order)))]
        kept = [np.delete(left, way) for way in ways]
        found = probabilities(trained, [row[one] for one in kept])
        read += len(kept)
        best = _best(found, predicted)
        if best is None and many == 1:
            break
        if best is None:
            share /= 2
            continue
        left, probability = kept[best], float(found[best, predicted])
        report(1 - len(left) / len(row))
    return Reduction(
        predicted=trained.run.class_names[predicted],
        words=tuple(encoded.read[place].word for place in left),
        places=tuple(left.tolist()),
        tokens=len(row),
        before=float(first[predicted]),
        after=probability,
        read=read,
        stopped=stopped,
    )


def _best(found: NDArray[np.float32], predicted: int) -> int | None:
    """Return which text is most surely of the class among those predicted to be; None where none is."""
    kept = [at for at, one in enumerate(found) if int(one.argmax()) == predicted]
    return max(kept, key=lambda at: float(found[at, predicted])) if kept else None
