"""Deletion in every order that matters: methods, random orders, and the best and the worst order of a text.

What is measured, and the papers, are in ``nlpviz/results/faithfulness.py``. The best and the worst order are searched
for by a beam search, as Edin et al. (2024) do: of all sets of k groups that can follow those kept at k - 1, the few are
kept whose curves are lowest, or highest, so far. Of a few groups every set is kept, which finds the best order of all.
A group is removed from the text that the model reads, as in ``deletion.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.explanation import Explanation
from nlpviz.results.faithfulness import Bounds, Faithfulness, Floats, fall
from nlpviz.runs import TrainedModel
from nlpviz.text.vocabulary import EncodedText

if TYPE_CHECKING:
    from nlpviz.networks.architectures import Classifier

GROUPS = 10
"""Of a longer text, neighbouring tokens are removed together: as many groups of about equal length."""
EXACT = 10
"""Of up to so many groups every set is read; of more, a beam search keeps :data:`WIDTH` sets at each step."""
WIDTH = 5
ORDERS, SEED = 20, 0
"""Random orders."""
_WORDS = 8192  # read at once
_TOGETHER = 2048  # texts that are read together where what begins alike is read once

Say = Callable[[float], object]


class GroupReader:
    """A network that reads one text without some of its groups, each choice of them once."""

    def __init__(self, trained: TrainedModel, encoded: EncodedText, target: int, groups: int = GROUPS) -> None:
        """Read ``encoded``, whose class ``target`` is asked for, in so many ``groups`` at most."""
        self.starts = starts(len(encoded.ids), groups)
        self.encoded = encoded
        self._trained, self._target = trained, target
        self._rereads = hasattr(trained.module, "classify_reread")
        self._group = np.repeat(np.arange(len(self.starts)), np.diff([*self.starts, len(encoded.ids)]))  # (T,)
        self._known: dict[int, float] = {}

    @property
    def groups(self) -> int:
        """G."""
        return len(self.starts)

    @property
    def readings(self) -> int:
        """How many texts have been read."""
        return len(self._known)

    def without(self, sets: Sequence[int]) -> Floats:
        """Return the target's probability (N,) without each set of groups: group g is in a set that has bit g."""
        new = sorted({one for one in sets if one not in self._known}, key=int.bit_count)
        at_once = _TOGETHER if self._rereads else max(1, _WORDS // max(len(self.encoded.ids), 1))
        for first in range(0, len(new), at_once):
            some = new[first : first + at_once]
            self._known.update(zip(some, self._read(some), strict=True))
        return np.array([self._known[one] for one in sets], dtype=np.float64)

    def curve(self, order: Sequence[int]) -> Floats:
        """Return the probability (G + 1,) without the first k groups of an order."""
        return self.without([sum(1 << group for group in order[:count]) for count in range(self.groups + 1)])

    def _read(self, sets: Sequence[int]) -> list[float]:
        import torch

        from nlpviz.networks.architectures import RereadClassifier, class_probabilities, padded

        row, classifier = self.encoded.row, cast("Classifier", self._trained.module)
        out = np.array([[one >> group & 1 for group in range(self.groups)] for one in sets], dtype=np.bool_)
        stay = [np.flatnonzero(~gone[self._group]) for gone in out.reshape(len(sets), -1)]
        with torch.inference_mode():
            if isinstance(classifier, RereadClassifier):
                places = np.full((len(sets), max(map(len, stay))), -2)
                for places_of, words in zip(places, stay, strict=True):
                    places_of[: len(words)] = words
                logits = classifier.classify_reread(classifier.embed(torch.from_numpy(row)[None]), places)
            else:
                ids = padded([row[words] for words in stay])
                logits = classifier.classify(classifier.embed(ids), classifier.mask(ids))
            return [float(one) for one in class_probabilities(logits)[:, self._target]]


def starts(tokens: int, groups: int = GROUPS) -> NDArray[np.int64]:
    """Return where each group of a text begins, (G,): every token, or so many ``groups`` of about equal length."""
    groups = min(tokens, groups)
    result: NDArray[np.int64] = np.arange(groups, dtype=np.int64) * tokens // max(groups, 1)
    return result


def search(
    trained: TrainedModel,
    explanation: Explanation,
    say: Say = lambda _: None,
    reader: GroupReader | None = None,
) -> Bounds:
    """Return the best and the worst order of a text's groups for comprehensiveness, as far as the search finds them.

    Args:
        trained: the model that is explained.
        explanation: of the predicted class by any method: only its text and target matter.
        say: progress callback, called with the completed fraction.
        reader: of that text, if it is to remember what it reads, or to read other groups.
    """
    reader = reader or GroupReader(trained, explanation.encoded, explanation.target)
    exact = reader.groups <= EXACT
    width = None if exact else WIDTH
    best = _beam(reader, 1, width, lambda share: say(share / 2))
    worst = _beam(reader, -1, width, lambda share: say(0.5 + share / 2))
    return Bounds(
        starts=reader.starts,
        tokens=len(reader.encoded.ids),
        width=0 if exact else WIDTH,
        best=best,
        worst=worst,
        readings=reader.readings,
    )


def _beam(reader: GroupReader, sign: int, width: int | None, say: Say) -> Floats:
    """Return the curve (G + 1,) of the order whose probabilities sum up to least, times ``sign``."""
    beam = {0: reader.without([0])}  # set: the curve that leads to it
    for count in range(reader.groups):
        say(count / reader.groups)
        ways: dict[int, Floats] = {}
        for gone, curve in beam.items():
            for group in range(reader.groups):
                after = gone | 1 << group
                if after != gone and (after not in ways or sign * curve.sum() < sign * ways[after].sum()):
                    ways[after] = curve
        reached = dict(zip(ways, reader.without(list(ways)), strict=True))
        longer = {one: np.append(curve, reached[one]) for one, curve in ways.items()}
        kept = sorted(longer, key=lambda one: sign * longer[one].sum())[:width]
        beam = {one: longer[one] for one in kept}
    (curve,) = beam.values()
    return curve


def measure(
    trained: TrainedModel, explanations: Sequence[Explanation], bounds: Bounds, reader: GroupReader | None = None
) -> Faithfulness:
    """Return how well the orders of several methods do on one text.

    A method's order begins with the groups whose tokens have the highest mean score, or magnitude where the scores have
    no sign.

    Args:
        trained: the model that is explained.
        explanations: of the predicted class of one text, one a method, one at least.
        bounds: of that text.
        reader: that searched: what it has read is known, so that of few groups nothing more is read.

    Raises:
        ValueError: if another class is explained than the predicted one.
    """
    first = explanations[0]
    if any(one.target != first.predicted for one in explanations):
        raise ValueError("faithfulness is measured for the predicted class")
    reader = reader or GroupReader(trained, first.encoded, first.target)
    draw = np.random.default_rng(SEED)
    orders = [order_of(one, reader.starts) for one in explanations]
    orders += [draw.permutation(reader.groups).tolist() for _ in range(ORDERS)]
    removed, backwards = [], []
    for order in orders:
        removed.append(reader.curve(order))
        backwards.append(reader.curve(order[::-1]))
    tried = [bounds.best, bounds.worst, *removed, *backwards]
    methods = len(explanations)
    return Faithfulness(
        run=first.run,
        epoch=first.epoch,
        target=first.class_names[first.target],
        methods=tuple(one.method for one in explanations),
        removed=np.stack(removed[:methods]),
        kept=np.stack(backwards[:methods])[:, ::-1].copy(),
        random_removed=np.stack(removed[methods:]),
        random_kept=np.stack(backwards[methods:])[:, ::-1].copy(),
        bounds=Bounds(
            starts=bounds.starts,
            tokens=bounds.tokens,
            width=bounds.width,
            best=max(tried, key=fall).copy(),
            worst=min(tried, key=fall).copy(),
            readings=bounds.readings,
        ),
        seed=SEED,
    )


def order_of(explanation: Explanation, begins: NDArray[np.int64]) -> list[int]:
    """Return the groups that begin at ``begins`` (G,), those with the highest mean score first; equal ones as read."""
    if not len(begins):
        return []
    scores = explanation.scores if explanation.signed else abs(explanation.scores)
    means = np.add.reduceat(scores.astype(np.float64), begins) / np.diff([*begins, len(scores)])
    order: list[int] = np.argsort(-means, kind="stable").tolist()
    return order
