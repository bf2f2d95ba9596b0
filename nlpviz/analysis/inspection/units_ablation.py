"""Ablation: how much the predictions lose when a unit's output is held at one value at every step.

A unit affects the rest of the network only through its hidden state: fixing that fixes all of it, its cell state
included. The network is taken word by word, and after each word the unit's entry is replaced both in the state that the
next word meets and in what is read. Of a network whose units have no recurrent weights (QRNN) only what is read
changes. A Skip RNN's update gate still sees the unit's own new value at the word itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.states import HIDDEN_STATE
from nlpviz.results.units import Ablation, Unit
from nlpviz.runs import RunError, TrainedModel
from nlpviz.stats.significance import compare
from nlpviz.text.vocabulary import EncodedText

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.networks.sequences import StepwiseClassifier

RANDOM_UNITS = 10
_AT_ONCE = 128  # documents


class Held(NamedTuple):
    """A unit of the last layer, by its number there, and the value at which it is held."""

    number: int
    value: float


def can_ablate(trained: TrainedModel) -> bool:
    """Return whether a run's network reads word by word in one direction, so that a unit can be held."""
    from nlpviz.networks.sequences import StepwiseClassifier

    return isinstance(trained.module, StepwiseClassifier) and trained.module.causal


def predicted_with(
    trained: TrainedModel,
    encoded: Sequence[EncodedText],
    held: Held | None = None,
    report: Callable[[float], object] = lambda _: None,
) -> NDArray[np.int64]:
    """Return the class (N,) that a network predicts for each text, with one unit held or none.

    Raises:
        RunError: if the network is not taken word by word in one direction.
    """
    import torch

    from nlpviz.networks.architectures import class_scores, padded
    from nlpviz.networks.sequences import StepwiseClassifier

    module = trained.module
    if not isinstance(module, StepwiseClassifier) or not module.causal:
        raise RunError(
            f"Units of the run {trained.run.name!r} cannot be ablated, because its network does not read word by word."
        )
    order = np.argsort([len(one.ids) for one in encoded], kind="stable")
    result = np.empty(len(encoded), dtype=np.int64)
    with torch.inference_mode():
        for first in range(0, len(order), _AT_ONCE):
            some = order[first : first + _AT_ONCE]
            ids = padded([encoded[position].row for position in some])
            logits = _logits(module, module.embed(ids), module.mask(ids), held)
            result[some] = class_scores(logits).argmax(dim=1).numpy()
            report(min(1.0, (first + _AT_ONCE) / len(order)))
    return result


def _logits(module: StepwiseClassifier, embedded: Tensor, mask: Tensor, held: Held | None) -> Tensor:
    """Return the logits (B, C) of texts (B, T, D) that are read word by word with one unit held."""
    import torch

    rows, longest, _ = embedded.shape
    state = module.begin().expand(rows, -1)
    shown = embedded.new_empty(rows, longest, module.encoder.size)
    places: list[int] = []
    for step in range(longest):
        state, shown[:, step] = module.advance(embedded[:, step], state)
        if held is None:
            continue
        if not step:
            places = _places(state, shown[:, 0], held.number)
        state[:, places] = held.value
        shown[:, step, held.number] = held.value
    read = module.read(shown, mask) if longest else torch.zeros(rows, module.encoder.size)
    logits: Tensor = module.output(read)
    return logits


def _places(state: Tensor, shown: Tensor, number: int) -> list[int]:
    """Return where the state (B, S) has the unit: it holds what is shown (B, H) as one block, or not at all."""
    size = shown.shape[1]
    starts = [one for one in range(state.shape[1] - size + 1) if bool((state[:, one : one + size] == shown).all())]
    return [one + number for one in starts]


def ablate(
    trained: TrainedModel,
    documents: tuple[Sequence[EncodedText], NDArray[np.integer]],
    held: Sequence[tuple[Unit, float, bool]],
    say: Callable[[str], None] = lambda _: None,
) -> tuple[float, dict[str, Ablation]]:
    """Return the accuracy of the whole network, and the effect of holding each of some units on it, by the unit's id.

    Args:
        trained: a run's model.
        documents: texts and their labels (N,).
        held: units of the last layer, the means at which they are held, and whether they were drawn at random.
        say: called with a line of text about each step.
    """
    encoded, labels = documents
    whole = predicted_with(trained, encoded) == labels
    result: dict[str, Ablation] = {}
    say(f"Ablating {len(held)} units (fixed at their means, one at a time) in {len(encoded):,} test documents")
    for unit, mean, random in held:
        right = predicted_with(trained, encoded, Held(unit.number, mean)) == labels
        result[unit.id] = Ablation(unit, mean, float(right.mean()), compare(right, whole), random)
    return float(whole.mean()), result


def output_of(unit: Unit) -> Unit | None:
    """Return the unit as an output, its hidden state; None where it is not in the last layer, so that it stays."""
    return unit._replace(part=HIDDEN_STATE) if unit.layer == unit.layers - 1 else None
