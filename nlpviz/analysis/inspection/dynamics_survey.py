"""How a network's state moves over test reviews: axes, ends, slow points, modifiers, at every kept epoch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.attention_survey import spaced
from nlpviz.analysis.inspection.modifiers import modifier_effects
from nlpviz.analysis.inspection.slow_points import STEPS, FixedInput, Settled, eigenvalues, jacobians, line, settle
from nlpviz.analysis.inspection.state_path import class_direction, fitted_axes, read_after_each, word_by_word
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
        say: called with a line of text about each step.
    """
    found = []
    for epoch in run.surveyed:
        say(f"Recording the states of epoch {epoch} in {len(texts):,} test documents")
        found.append(dynamics(run.load(epoch), texts, labels))
    return write_dynamics(run, found)


def dynamics(trained: TrainedModel, texts: Sequence[str], labels: NDArray[np.integer]) -> tuple[Dynamics, ...]:
    """Return the dynamics of one epoch's network over ``texts``, along the direction of each class.

    Of two classes, along that of the last one alone. Nothing is drawn differently a second time.
    """
    import torch

    from nlpviz.networks.architectures import Recurrent, padded

    module = word_by_word(trained)
    rows = [trained.encode(text).row for text in texts]
    directions = _directions(trained)
    spaces = _spaces(trained, rows, labels, directions)
    some = [rows[position] for position in spaced(len(rows), WALKED) if len(rows[position])]
    if not isinstance(module, Recurrent) or not module.causal or not some:
        return tuple(map(Dynamics, spaces))
    with torch.inference_mode():
        ids = padded(some)
        walk = walked(module, module.embed(ids), module.mask(ids))
    rng = np.random.default_rng(0)
    inputs = {"mean": walk.mean, "zero": torch.zeros_like(walk.mean)}
    starts = _one_of_each(walk, rng)[0]
    most = min(_SQUARES // module.state_size**2, len(texts) // _FOR_EACH_START)
    starts = starts[spaced(len(starts), max(most, _STARTS))]
    slow = [_slow_points(trained, spaces[0], (walk, starts, word), directions, name) for name, word in inputs.items()]
    contexts = _contexts(walk, rng, directions)
    others = _random_words(trained, some, rng)
    return tuple(
        Dynamics(
            space,
            tuple(found[position] for found in slow if found),
            contexts[position],
            modifier_effects(trained, contexts[position], target, others),
        )
        for position, (space, target) in enumerate(zip(spaces, directions, strict=True))
    )


def _directions(trained: TrainedModel) -> dict[int, tuple[NDArray[np.float32], float]]:
    """Return the class direction (E,) and its bias by the index of the class, of two classes that of the last one."""
    classes, module = len(trained.run.class_names), word_by_word(trained)
    return {target: class_direction(module, target) for target in range(1 if classes == 2 else 0, classes)}


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


def _spaces(
    trained: TrainedModel,
    rows: Sequence[NDArray[np.int64]],
    labels: NDArray[np.integer],
    directions: Mapping[int, tuple[NDArray[np.float32], float]],
) -> list[StateSpace]:
    """Return the principal axes of what is read after each word of the texts, and where these end, for each class.

    All have the same axes, which point towards the last class.
    """
    import torch

    from nlpviz.networks.architectures import padded

    module = word_by_word(trained)
    ends, every = [], []
    with torch.inference_mode():
        for first in range(0, len(rows), _ROWS):
            ids = padded(rows[first : first + _ROWS])
            embedded, mask = module.embed(ids), module.mask(ids)
            ends.append(module.encode(embedded, mask).numpy())
            # what reads both ways would read each review as often as it has words
            every.append(read_after_each(module, embedded, mask)[mask.bool()].numpy() if module.causal else ends[-1])
    points, last = np.concatenate(every), np.concatenate(ends)
    mean, axes, shares = fitted_axes(points, directions[max(directions)][0])
    return [
        StateSpace(
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
        for direction, bias in directions.values()
    ]


def _one_of_each(walk: Walk, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Return a state of each text, and what it shows, after a word drawn at random: (B, S) and (B, H)."""
    import torch

    lengths = walk.read.sum(dim=0).numpy()
    at = torch.from_numpy(rng.integers(lengths))
    text = torch.arange(len(lengths))
    return walk.states[at, text], walk.shown[at, text]


def _contexts(
    walk: Walk, rng: np.random.Generator, directions: Mapping[int, tuple[NDArray[np.float32], float]]
) -> list[Contexts]:
    """Return states in the middle of the texts, the same ones with the scores of each class."""
    states, shown = _one_of_each(walk, rng)
    kept = spaced(len(states), max(min(CONTEXTS, _ENTRIES // states.shape[1]), 1))
    held, seen = states.numpy()[kept].copy(), shown.numpy()[kept]
    return [Contexts(held, (seen @ direction + bias).astype(np.float32)) for direction, bias in directions.values()]


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
    trained: TrainedModel,
    space: StateSpace,
    search: tuple[Walk, Tensor, Tensor],
    directions: Mapping[int, tuple[NDArray[np.float32], float]],
    name: str,
) -> list[SlowPoints]:
    """Return the points where the network rests as it reads the same word for ever, with the scores of each class.

    A search that left all bounds is left out; nothing comes back where all did.

    Args:
        trained: the network.
        space: the axes on which the points are placed.
        search: states of texts, the states to begin with (B, S), the word (D,).
        directions: of the classes.
        name: of the word.
    """
    walk, starts, word = search
    still = FixedInput(trained.module, word)
    own = walk.states.index_select(2, still.entries)
    visited = own[walk.read].double()
    within = visited.amin(dim=0).clamp_max(0), visited.amax(dim=0).clamp_min(0)  # each text begins at zero
    found = settle(still.step, starts.index_select(1, still.entries), STEPS, within)
    moved = (own[1:] - own[:-1]).norm(dim=2)[walk.read[1:]]
    typical = float(moved.median()) if len(moved) else float(own[0].norm(dim=1).median())
    order = np.argsort(found.speeds, kind="stable")[: int(np.isfinite(found.speeds).sum())]
    if not len(order):
        return []
    found = Settled(found.points[order], found.speeds[order])
    shown = still.shown(found.points).numpy()
    values = eigenvalues(jacobians(still.step, found.points))
    slow, read = shown[found.speeds < SLOW * typical], walk.shown[walk.read].numpy()
    first, *others = directions.values()
    shares, spread, cosine = line(slow, read, first[0])
    of_first = SlowPoints(
        run=trained.run.name,
        epoch=trained.epoch,
        input=name,
        state_size=len(still.entries),
        step=typical,
        speeds=(found.speeds / max(typical, 1e-12)).astype(np.float32),
        places=space.project(shown).astype(np.float32),
        scores=(shown @ first[0] + first[1]).astype(np.float32),
        eigenvalues=values[:, :EIGENVALUES].astype(np.complex64),
        lasting=(time_constants(values) > LASTING).sum(axis=1),
        unstable=(np.abs(values) > 1).sum(axis=1),
        shares=shares,
        spread=spread,
        cosine=cosine,
    )
    return [
        of_first,
        *(
            replace(
                of_first, scores=(shown @ direction + bias).astype(np.float32), cosine=line(slow, read, direction)[2]
            )
            for direction, bias in others
        ),
    ]
