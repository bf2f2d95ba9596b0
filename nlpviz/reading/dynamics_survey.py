"""How a network's state moves over test reviews: axes, ends, slow points, modifiers, at every kept epoch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.reading.attention_survey import spaced
from nlpviz.reading.modifiers import modifier_effects
from nlpviz.reading.slow_points import STEPS, FixedInput, Settled, eigenvalues, jacobians, line, settle
from nlpviz.reading.state_path import class_direction, fitted_axes, read_after_each, word_by_word
from nlpviz.results.dynamics import LASTING, SLOW, Contexts, Dynamics, SlowPoints, time_constants
from nlpviz.results.modifiers import MODIFIERS, VALENCE
from nlpviz.results.state_space import StateSpace
from nlpviz.runs import Run, TrainedModel
from nlpviz.runs.dynamics import write_dynamics
from nlpviz.text.vocabulary import UNKNOWN

if TYPE_CHECKING:
    from torch import Tensor

WALKED, CONTEXTS, OTHERS = 64, 32, 150
"""Reviews whose whole states are followed; contexts of modifiers; random words."""
EIGENVALUES = 12
_ENTRIES, _SQUARES = 8_000, 4_000_000  # of all contexts, of all Jacobians together: a wide state has fewer of them
_ROWS = 50  # reviews at once
_STARTS = 12  # at least, where there are as many reviews
_FOR_EACH_START = 4  # reviews in all


class Walk(NamedTuple):
    """States of B reviews after each of T words.

    Attributes:
        states: (T, B, S), whole.
        shown: (T, B, H), what they show.
        read: bool (T, B), which words there are.
        mean: (D,), the mean vector of all their words.
    """

    states: Tensor
    shown: Tensor
    read: Tensor
    mean: Tensor


def survey_dynamics(
    run: Run, texts: Sequence[str], labels: NDArray[np.integer], say: Callable[[str], None] = lambda _: None
) -> Run:
    """Measure the dynamics of a run's network at every kept epoch; write them into the run's folder.

    Args:
        run: whose network reads word by word.
        texts: test documents.
        labels: (N,), their classes.
        say: is told one line at a time what is being done.
    """
    found = []
    for epoch in run.epochs:
        say(f"Following the state of epoch {epoch} through {len(texts):,} test documents")
        found.append(dynamics(run.load(epoch), texts, labels))
    return write_dynamics(run, found)


def dynamics(trained: TrainedModel, texts: Sequence[str], labels: NDArray[np.integer]) -> Dynamics:
    """Return the dynamics of one epoch's network over ``texts``; nothing of it is drawn differently a second time."""
    import torch

    from nlpviz.models import Recurrent, padded

    module = word_by_word(trained)
    rows = [trained.encode(text).row for text in texts]
    space = _space(trained, rows, labels)
    if not isinstance(module, Recurrent) or not module.causal:
        return Dynamics(space)
    some = [rows[position] for position in spaced(len(rows), WALKED) if len(rows[position])]
    if not some:
        return Dynamics(space)
    with torch.inference_mode():
        ids = padded(some)
        walk = walked(module, module.embed(ids), module.mask(ids))
    rng = np.random.default_rng(0)
    inputs = {"mean": walk.mean, "zero": torch.zeros_like(walk.mean)}
    starts = _one_of_each(walk, rng)[0]
    most = min(_SQUARES // module.state_size**2, len(texts) // _FOR_EACH_START)
    starts = starts[spaced(len(starts), max(most, _STARTS))]
    found = (_slow_points(trained, space, walk, starts, word, name) for name, word in inputs.items())
    slow = tuple(one for one in found if one is not None)
    contexts = _contexts(module, walk, rng)
    return Dynamics(space, slow, contexts, modifier_effects(trained, contexts, _random_words(trained, some, rng)))


def walked(module: Any, embedded: Tensor, mask: Tensor) -> Walk:  # noqa: ANN401 - a Recurrent
    """Return the states of the texts (B, T, D) after each word, step by step from zero."""
    import torch

    state = module.begin().expand(len(embedded), -1)
    states, shown = [], []
    for word in embedded.unbind(dim=1):
        state, seen = module.advance(word, state)
        states.append(state)
        shown.append(seen)
    read = mask.bool()
    return Walk(torch.stack(states), torch.stack(shown), read.T, embedded[read].mean(dim=0))


def _space(trained: TrainedModel, rows: Sequence[NDArray[np.int64]], labels: NDArray[np.integer]) -> StateSpace:
    """Return the principal axes of what is read after each word of the texts, and where these end."""
    import torch

    from nlpviz.models import padded

    module = word_by_word(trained)
    direction, bias = class_direction(module)
    ends, every = [], []
    with torch.inference_mode():
        for first in range(0, len(rows), _ROWS):
            ids = padded(rows[first : first + _ROWS])
            embedded, mask = module.embed(ids), module.mask(ids)
            ends.append(module.encode(embedded, mask).numpy())
            # what reads both ways would read each review as often as it has words
            every.append(read_after_each(module, embedded, mask)[mask.bool()].numpy() if module.causal else ends[-1])
    points, last = np.concatenate(every), np.concatenate(ends)
    mean, axes, shares = fitted_axes(points, direction)
    return StateSpace(
        run=trained.run.name,
        epoch=trained.epoch,
        mean=mean,
        axes=axes,
        shares=shares,
        fitted=len(points),
        reviews=len(rows),
        ends=((last - mean) @ axes.T).astype(np.float32),
        scores=(last @ direction + bias).astype(np.float32),
        labels=labels.astype(np.int8),
    )


def _one_of_each(walk: Walk, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Return a state of each text, and what it shows, after a word drawn at random: (B, S) and (B, H)."""
    import torch

    lengths = walk.read.sum(dim=0).numpy()
    at = torch.from_numpy(rng.integers(lengths))
    text = torch.arange(len(lengths))
    return walk.states[at, text], walk.shown[at, text]


def _contexts(module: Any, walk: Walk, rng: np.random.Generator) -> Contexts:  # noqa: ANN401 - of word_by_word
    direction, bias = class_direction(module)
    states, shown = _one_of_each(walk, rng)
    kept = spaced(len(states), max(min(CONTEXTS, _ENTRIES // states.shape[1]), 1))
    scores = shown.numpy()[kept] @ direction + bias
    return Contexts(states.numpy()[kept].copy(), scores.astype(np.float32))


def _random_words(trained: TrainedModel, rows: Sequence[NDArray[np.int64]], rng: np.random.Generator) -> list[str]:
    """Return words of the texts, each as often as it is likely to be drawn there, but none that is tried itself."""
    words = trained.vocabulary.words
    ids, counted = np.unique(np.concatenate(rows), return_counts=True)
    known = [
        (words[number], count)
        for number, count in zip(ids.tolist(), counted.tolist(), strict=True)
        if number > UNKNOWN and words[number] not in (*VALENCE, *MODIFIERS)
    ]
    if not known:
        return []
    names, counts = zip(*known, strict=True)
    share = np.array(counts, dtype=np.float64) / sum(counts)
    return [str(name) for name in rng.choice(names, size=OTHERS, p=share)]


def _slow_points(
    trained: TrainedModel, space: StateSpace, walk: Walk, starts: Tensor, word: Tensor, name: str
) -> SlowPoints | None:
    """Return the points where the network rests as it reads ``word`` (D,) for ever, from ``starts`` (B, S).

    A search that left all bounds is left out; None where all did.
    """
    direction, bias = class_direction(word_by_word(trained))
    still = FixedInput(trained.module, word)
    own = walk.states.index_select(2, still.entries)
    visited = own[walk.read].double()
    within = visited.amin(dim=0).clamp_max(0), visited.amax(dim=0).clamp_min(0)  # each text begins at zero
    found = settle(still.step, starts.index_select(1, still.entries), STEPS, within)
    moved = (own[1:] - own[:-1]).norm(dim=2)[walk.read[1:]]
    typical = float(moved.median()) if len(moved) else float(own[0].norm(dim=1).median())
    order = np.argsort(found.speeds, kind="stable")[: int(np.isfinite(found.speeds).sum())]
    if not len(order):
        return None
    found = Settled(found.points[order], found.speeds[order])
    shown = still.shown(found.points).numpy()
    values = eigenvalues(jacobians(still.step, found.points))
    shares, spread, cosine = line(shown[found.speeds < SLOW * typical], walk.shown[walk.read].numpy(), direction)
    return SlowPoints(
        run=trained.run.name,
        epoch=trained.epoch,
        input=name,
        state_size=len(still.entries),
        step=typical,
        speeds=(found.speeds / max(typical, 1e-12)).astype(np.float32),
        places=space.project(shown).astype(np.float32),
        scores=(shown @ direction + bias).astype(np.float32),
        eigenvalues=values[:, :EIGENVALUES].astype(np.complex64),
        lasting=(time_constants(values) > LASTING).sum(axis=1),
        unstable=(np.abs(values) > 1).sum(axis=1),
        shares=shares,
        spread=spread,
        cosine=cosine,
    )
