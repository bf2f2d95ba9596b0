"""Every epoch of a training, stored as coarsely as the network's answers allow.

How much rounding a tensor changes the answers is measured, tensor by tensor, and says how many bits its numbers get: a
recurrent network needs eleven bits in its recurrent weights where eight do for its word vectors. If errors add up like
independent ones, the fewest bytes for a given error are those in which every number has an equal share of it ("reverse
water-filling": Cover and Thomas 2006, *Elements of Information Theory*, section 10.3.3).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil, log2
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from nlpviz.networks.architectures import Configured
from nlpviz.runs.epochs import SPARSE, kept_of, said_of_grid, settle, taken_out, write_on_grid
from nlpviz.runs.history import write_history
from nlpviz.runs.levels import Span
from nlpviz.runs.run import Run
from nlpviz.runs.weights import EPOCH, FROZEN, LARGE, epochs_in, read_weights
from nlpviz.training.manifest import TimedEpoch, paced
from nlpviz.training.provenance import describe

BOUND = 0.01
"""By so much 99 of 100 answers (logits, or log-probabilities in nats) may change at most."""
_SMALL = 1 << 12
"""Tensors with fewer numbers are stored in half precision."""
_FEWEST, _MOST = 8, 15  # bits of a level
_SHARE = 1 / 3  # of the bound, aimed at as root mean square: 99 of 100 normal errors are within 2.6 of that

Answers = Callable[[], NDArray[np.floating]]


@dataclass(frozen=True)
class StoredEpochs:
    """What was stored of a training.

    Attributes:
        epochs: whose weights are kept, ascending.
        best: the one of them that was chosen.
        change: by how much storing changed 99 of 100 answers of the best one at most.
    """

    epochs: tuple[int, ...]
    best: int
    change: float

    @classmethod
    def read(cls, written: str) -> StoredEpochs:
        """Return what a base says of itself, as JSON."""
        said = json.loads(written)
        return cls(tuple(said["epochs"]), said["best"], said["change"])

    def noted(self, run: Run) -> Run:
        """Return a run whose manifest says what was stored, how exactly, and which epochs are surveyed."""
        rounding = {"bound": BOUND, "change": self.change}
        surveyed = kept_of(SPARSE, self.epochs, self.best)
        return replace(
            run, epochs=self.epochs, recipe={**run.recipe, "rounding": rounding, "surveyed_epochs": surveyed}
        )


def store_epochs(
    folder: Path, wanted: Collection[int] | None, best: int, model: nn.Module, answers: Answers, *, large: int = LARGE
) -> StoredEpochs:
    """Leave the weights of the epochs that a run keeps in its folder, in as few bytes as the bound allows.

    Args:
        folder: with the weights of all epochs in half precision.
        wanted: the epochs to keep besides ``best``; None keeps all.
        best: the epoch that is used most; its answers are measured.
        model: is given weights of ``best``, rounded and not.
        answers: what ``model`` answers to some validation examples, without dropout: (N,) or (N, C).
        large: a table that no epoch changes is stored in eight bits from so many numbers on.
    """
    settle(folder)
    trained = epochs_in(EPOCH, [path.name for path in folder.iterdir()])
    kept = kept_of(wanted, trained, best)
    if there := said_of_grid(folder):
        before = StoredEpochs.read(there)
        if (before.epochs, before.best) == (kept, best):  # a training that was stopped after that goes on from here
            return before
    epochs = taken_out(folder, kept, eight_bits=True, large=large)
    exact = epochs[best]
    matrices = {name for name, tensor in exact.items() if tensor.dim() > 1 and tensor.numel() >= _SMALL}
    spans = {name: Span.of([tensors[name].numpy() for tensors in epochs.values()]) for name in sorted(matrices)}

    def answered(bits: Mapping[str, int]) -> NDArray[np.floating]:
        rounded = {name: torch.from_numpy(spans[name].grid(n).rounded(exact[name].numpy())) for name, n in bits.items()}
        model.load_state_dict({**frozen, **rounded})
        return answers()

    whole = {**model.state_dict(), **exact}
    frozen = {**whole, **read_weights([folder / FROZEN])} if (folder / FROZEN).exists() else whole
    model.load_state_dict(frozen)  # tables that no epoch changes are shared with other runs: their bits are given
    reference = answers()
    bits = _allotted({name: (_rms(answered({name: _FEWEST}) - reference), exact[name].numel()) for name in spans})
    while _most(answered(bits) - reference) > BOUND and bits and min(bits.values()) < _MOST:
        bits = {name: min(n + 1, _MOST) for name, n in bits.items()}
    for name in sorted(bits, key=lambda name: -exact[name].numel()):  # a bit fewer where there is room for it
        fewer = {**bits, name: max(bits[name] - 1, _FEWEST)}
        if fewer != bits and _most(answered(fewer) - reference) <= BOUND:
            bits = fewer
    final = answered(bits)
    model.load_state_dict(whole)
    stored = StoredEpochs(kept, best, round(_most(final - answers()), 5))
    grids = {name: spans[name].grid(n) for name, n in bits.items()}
    write_on_grid(folder, best, epochs, grids, json.dumps(asdict(stored)))
    return stored


def save_fitted(
    run: Run, model: nn.Module, records: Sequence[TimedEpoch], stored: StoredEpochs, device: torch.device
) -> Run:
    """Write the history and the manifest of a run that was begun, whose network was trained and stored."""
    write_history(run.folder, records)
    network = cast("Configured", model)
    return replace(
        stored.noted(paced(run, records)),
        config=asdict(network.config),
        best_epoch=stored.best,
        parameters=tuple(network.parameter_terms()),
        device=describe(device),
    ).save()


def _allotted(tensors: Mapping[str, tuple[float, int]]) -> dict[str, int]:
    """Return the bits of each tensor, from the error that eight bits make in the answers and its numbers."""
    together = sum(numbers for _, numbers in tensors.values())
    aim = (_SHARE * BOUND) ** 2 / max(together, 1)  # the variance that one number may add

    def bits(error: float, numbers: int) -> int:
        ratio = error**2 / numbers / aim  # a bit more quarters the variance
        return min(max(_FEWEST + ceil(log2(max(ratio, 1e-9)) / 2), _FEWEST), _MOST)

    return {name: bits(*measured) for name, measured in tensors.items()}


def _rms(errors: NDArray[np.floating]) -> float:
    return float(np.sqrt(np.square(errors, dtype=np.float64).mean()))


def _most(errors: NDArray[np.floating]) -> float:
    return float(np.quantile(np.abs(errors), 0.99))
