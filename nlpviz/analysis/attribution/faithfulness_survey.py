"""Every method and every baseline over many test documents: all sets of a text's groups are read, nothing is searched.

The measures are in ``nlpviz/results/faithfulness_survey.py``. Eight groups have 256 sets, half as long as the text on
average: with them the best order, the worst one and the mean over all random orders are known, and the curve of any
order is looked up. What reads a text hundreds of times reads it less often here than for one text on its page, since a
group's score is the mean over many words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution import Method, explain_with, lime, methods_for, shapley
from nlpviz.analysis.attribution.baselines import baselines, like
from nlpviz.analysis.attribution.faithfulness import GroupReader, order_of
from nlpviz.results.explanation import Explanation
from nlpviz.results.faithfulness import ALIKE, Floats
from nlpviz.results.faithfulness_survey import FIFTHS, FaithfulnessSurvey
from nlpviz.runs import Run, TrainedModel
from nlpviz.text.vocabulary import tokenize

GROUPS, PARTS = 8, 4
"""Groups of a whole text, and of each fifth."""
LEAST, MOST = GROUPS, 200
"""Tokens of a document that is drawn; of fewer than 20 nothing is measured within fifths."""
ORDERS, SEED = 200, 0
"""Random orders that an order is compared with one by one, and the seed of these and of the sample."""
SAMPLES, WORDS = 200, 40_000
"""Of LIME, and of Shapley values: two orders of a text of 140 tokens, one of a longer one."""
_TOLD = 50  # documents between two lines


def sample(ids: Sequence[str], labels: NDArray[np.integer], texts: Sequence[str], count: int) -> list[tuple[str, str]]:
    """Return ids and texts of ``count`` documents of :data:`LEAST` to :data:`MOST` tokens, as many of each label.

    They are drawn with :data:`SEED`, the same for every run on a corpus; fewer where there are fewer.
    """
    classes = np.unique(labels).tolist()
    left = {label: count // len(classes) + (place < count % len(classes)) for place, label in enumerate(classes)}
    drawn = []
    for position in np.random.default_rng(SEED).permutation(len(texts)).tolist():
        label = int(labels[position])
        if left[label] and LEAST <= len(tokenize(texts[position])) <= MOST:
            left[label] -= 1
            drawn.append((ids[position], texts[position]))
            if not any(left.values()):
                break
    return drawn


class Lattice:
    """A network's probabilities for a text without each set of its groups; any order's curve is looked up in them."""

    def __init__(self, probability: Floats) -> None:
        """Take the target's probability (2^G,) without each set: group g is in a set that has bit g."""
        self.p = probability
        self.groups = len(probability).bit_length() - 1
        self._size = np.array([int(one).bit_count() for one in range(len(probability))])

    def comprehensiveness(self, orders: NDArray[np.integer]) -> Floats:
        """Return that of each of ``orders`` (R, G), shape (R,)."""
        gone = np.cumsum(1 << orders, axis=1)
        return np.asarray(self.p[0] - self.p[gone].mean(axis=1), np.float64)

    def sufficiency(self, comprehensiveness: Floats) -> Floats:
        """Return the sufficiency of orders by the comprehensiveness of the reversed ones."""
        return np.asarray(comprehensiveness + (self.p[-1] - self.p[0]) / self.groups, np.float64)

    @property
    def best(self) -> float:
        """The highest comprehensiveness of all orders."""
        return float(self.p[0]) - self._least(1) / self.groups

    @property
    def worst(self) -> float:
        """The lowest."""
        return float(self.p[0]) + self._least(-1) / self.groups

    @property
    def mean(self) -> float:
        """The mean over all orders: of each size, all sets are as frequent."""
        means = [self.p[self._size == size].mean() for size in range(1, self.groups + 1)]
        return float(self.p[0] - np.mean(means))

    def _least(self, sign: int) -> float:
        """Return the least sum of ``sign`` times p on a way from no group to all of them (Held and Karp 1962)."""
        least = np.full(len(self.p), np.inf)
        least[0] = 0
        sets = np.arange(len(self.p))
        for size in range(1, self.groups + 1):
            here = sets[self._size == size]
            for group in range(self.groups):
                own = here[here >> group & 1 == 1]
                least[own] = np.minimum(least[own], least[own ^ (1 << group)] + sign * self.p[own])
        return float(least[-1])


class _OfText(NamedTuple):
    """What M orders reach on a text: (M,), and what all orders do."""

    comprehensiveness: Floats
    sufficiency: Floats
    beaten: Floats
    within: Floats
    best: Floats  # (2,)
    worst: Floats  # (2,)
    random: Floats  # (2,)
    within_random: Floats  # ()
    shares: Floats  # (M, 5)


class _Log:
    """What was measured of each document, in a file of a line each where there is one."""

    def __init__(self, path: Path | None, asked: str) -> None:
        """Read what is in ``path``, but for a line that was cut off; start over where something else was ``asked``."""
        self.path, self.known = path, dict[str, _OfText]()
        if path is None:
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
        if not lines or lines[0] != asked + "\n":
            path.write_text(asked + "\n", encoding="utf-8")
            return
        if not lines[-1].endswith("\n"):
            path.write_text("".join(lines := lines[:-1]), encoding="utf-8")
        for line in lines[1:]:
            name, *values = json.loads(line)
            self.known[name] = _OfText(*(np.array(value, dtype=np.float64) for value in values))

    def add(self, name: str, measured: _OfText) -> None:
        """Keep what was measured of a document."""
        self.known[name] = measured
        if self.path is not None:
            line = json.dumps([name, *(np.asarray(value).tolist() for value in measured)])
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")


def survey_faithfulness(
    run: Run, texts: Sequence[tuple[str, str]], say: Callable[[str], None] = lambda _: None, log: Path | None = None
) -> FaithfulnessSurvey:
    """Return how faithful the methods that can explain a run's network are at its best epoch, and the baselines.

    Args:
        run: of a classifier.
        texts: ids and texts of documents of :data:`LEAST` tokens at least.
        say: called with a line of text about each step.
        log: a file in which a stopped survey left what it had measured, from which this one goes on.
    """
    trained, chosen = run.load(), [_quicker(method) for method in methods_for(run).values()]
    others = baselines(run.corpus["name"])
    orders = (*(method.name for method in chosen), *(baseline.name for baseline in others))
    done = _Log(log, f"{run.fingerprint} {GROUPS} {SAMPLES} {WORDS} {' '.join(orders)}")
    found: list[_OfText] = []
    tokens = []
    for position, (name, text) in enumerate(texts):
        if position % _TOLD == 0:
            say(f"Removing words in the orders of {len(chosen)} methods: document {position + 1:,} of {len(texts):,}")
        if name not in done.known:
            explained = [explain_with(trained, text, method) for method in chosen]
            explained += [like(explained[0], baseline) for baseline in others]
            done.add(name, _measure(trained, explained))
        found.append(done.known[name])
        tokens.append(len(trained.encode(text).ids))
    of = dict(zip(_OfText._fields, (np.array(column, np.float64) for column in zip(*found, strict=True)), strict=True))
    return FaithfulnessSurvey(
        run=run.name,
        epoch=run.best_epoch,
        ids=tuple(name for name, _ in texts),
        tokens=np.array(tokens, dtype=np.int32),
        groups=GROUPS,
        orders=orders,
        shares=of.pop("shares").mean(axis=0),
        seed=SEED,
        **of,
    )


def _quicker(method: Method) -> Method:
    """Return a method as it is for surveys."""
    if method.name == "lime":
        return replace(method, attribute=partial(lime.attribute, samples=SAMPLES))
    if method.name == "shapley":
        return replace(method, attribute=partial(shapley.attribute, words=WORDS, fewest=1))
    return method


def _measure(trained: TrainedModel, explained: Sequence[Explanation]) -> _OfText:
    first = explained[0]
    reader = GroupReader(trained, first.encoded, first.target, GROUPS)
    whole = Lattice(reader.without(range(1 << reader.groups)))
    orders = np.array([order_of(one, reader.starts) for one in explained])
    draw = np.random.default_rng(SEED)
    random = whole.comprehensiveness(np.array([draw.permutation(reader.groups) for _ in range(ORDERS)]))
    own, turned = whole.comprehensiveness(orders), whole.sufficiency(whole.comprehensiveness(orders[:, ::-1]))
    beaten = (own[:, np.newaxis] > random).mean(axis=1) + (own[:, np.newaxis] == random).mean(axis=1) / 2
    within, within_random = _within(trained, explained)
    return _OfText(
        own,
        turned,
        beaten,
        within,
        np.array([whole.best, whole.sufficiency(np.array(whole.worst))]),
        np.array([whole.worst, whole.sufficiency(np.array(whole.best))]),
        np.array([whole.mean, whole.sufficiency(np.array(whole.mean))]),
        np.array(within_random),
        np.array([_fifths(one.scores) for one in explained]),
    )


def _within(trained: TrainedModel, explained: Sequence[Explanation]) -> tuple[Floats, float]:
    """Return the values of the orders (M,) within fifths, normalised, and that of random orders on average."""
    first = explained[0]
    reader = GroupReader(trained, first.encoded, first.target, FIFTHS * PARTS)
    if reader.groups < FIFTHS * PARTS:
        return np.full(len(explained), np.nan), float("nan")
    sets = [small << PARTS * fifth for fifth in range(FIFTHS) for small in range(1 << PARTS)]
    ranks = np.array([np.argsort(order_of(one, reader.starts)) for one in explained])  # (M, 20): which comes when
    every = np.array(list(permutations(range(PARTS))))
    gained, stake, at_random = np.zeros(len(explained)), 0.0, 0.0
    for fifth, part in enumerate(reader.without(sets).reshape(FIFTHS, -1)):
        lattice = Lattice(part)
        own = ranks[:, PARTS * fifth : PARTS * (fifth + 1)].argsort(axis=1)
        gained += lattice.comprehensiveness(own) - lattice.worst
        at_random += float(lattice.comprehensiveness(every).mean()) - lattice.worst
        stake += lattice.best - lattice.worst
    if stake <= ALIKE:
        return np.full(len(explained), np.nan), float("nan")
    return gained / stake, at_random / stake


def _fifths(scores: NDArray[np.floating]) -> Floats:
    """Return the share of the magnitudes of ``scores`` (T,) in each fifth of the text, (5,); level where all are 0."""
    magnitude = np.abs(scores).astype(np.float64)
    place = np.arange(len(scores)) * FIFTHS // max(len(scores), 1)
    sums = np.bincount(place, magnitude, FIFTHS)
    return sums / sums.sum() if sums.sum() else np.full(FIFTHS, 1 / FIFTHS)
