"""The weights that a finished training stores: those of some epochs, and the unchanged weights once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs.files import write_whole
from nlpviz.runs.levels import CHANGES, LEVELS, SHAPE, Grid, changes
from nlpviz.runs.weights import (
    BASE,
    EPOCH,
    FROZEN,
    LARGE,
    base_file,
    epochs_in,
    read_weights,
    stored_arrays,
    weights_file,
    weights_files,
    write_weights,
)

if TYPE_CHECKING:
    from torch import Tensor

_ABOUT = "nlpviz"
_NEW = ".new-"  # hidden until all files are written: epochs are made of each other
Stored = dict[str, NDArray[Any]]
"""Arrays of one epoch as files hold them."""
SPARSE = (0, 1, 2, 3, 5, 8, *range(12, 101, 4))
"""Epochs that are kept where each takes much room: the first ones, which change most, then every fourth."""


def kept_of(wanted: Collection[int] | None, trained: Collection[int], best: int) -> tuple[int, ...]:
    """Return which of the ``trained`` epochs a run keeps: those ``wanted`` and the ``best`` one; None wants all."""
    return tuple(epoch for epoch in trained if wanted is None or epoch == best or epoch in wanted)


def prune_checkpoints(folder: Path, kept: Collection[int], *, eight_bits: bool, large: int = LARGE) -> None:
    """Leave in ``folder`` the weights of the ``kept`` epochs alone, each by itself, and once what none of them changed.

    What was pruned before may be pruned again: a training that was stopped here goes on from here.
    """
    epochs = taken_out(folder, kept, eight_bits=eight_bits, large=large)
    for epoch, tensors in epochs.items():
        write_weights(folder / weights_file(epoch), tensors, eight_bits=eight_bits, large=large)


def taken_out(folder: Path, kept: Collection[int], *, eight_bits: bool, large: int) -> dict[int, dict[str, Tensor]]:
    """Return what changes of the weights of the ``kept`` epochs, ascending; write what does not into ``frozen``.

    The files of other epochs are deleted.
    """
    import torch

    there = [path.name for path in folder.glob("*.safetensors")]
    epochs = {epoch: read_weights(folder / name for name in weights_files(epoch, there)) for epoch in sorted(set(kept))}
    for epoch in set(epochs_in(EPOCH, there)) - epochs.keys():
        (folder / weights_file(epoch)).unlink()
    first, *others = epochs.values()
    still = {
        name: tensor
        for name, tensor in first.items()
        if others and all(torch.equal(tensor, other[name]) for other in others)
    }
    if still:
        write_weights(folder / FROZEN, still, eight_bits=eight_bits, large=large)
    return {
        epoch: {name: tensor for name, tensor in tensors.items() if name not in still}
        for epoch, tensors in epochs.items()
    }


def write_on_grid(
    folder: Path,
    base: int,
    epochs: Mapping[int, Mapping[str, Tensor]],
    grids: Mapping[str, Grid],
    about: str = "",
) -> None:
    """Write the weights of ``epochs``, ascending, into ``folder``: tensors that have a grid on it, others as they are.

    Args:
        folder: the run's.
        base: the epoch that is read at once; others are changes from the neighbour on the way from it.
        epochs: epoch -> tensors.
        grids: name -> the grid of that tensor at all epochs.
        about: what the file of the base says besides; :func:`said_of_grid` returns it.
    """
    stored: dict[int, Stored] = {}
    for epoch, tensors in epochs.items():
        stored[epoch] = {
            name: tensor.half().contiguous().numpy() for name, tensor in tensors.items() if name not in grids
        }
        stored[epoch] |= {name + LEVELS: grid.levels(tensors[name].numpy()) for name, grid in grids.items()}
    scales = {f"{name}.{part}": getattr(grid, part) for name, grid in grids.items() for part in ("low", "step")}
    _write(folder, base, stored, scales, about)


def said_of_grid(folder: Path) -> str:
    """Return what the file of the base in ``folder`` says besides; empty where no epochs are on a grid."""
    from safetensors import safe_open

    for base in epochs_in(BASE, [path.name for path in folder.iterdir()]):
        with safe_open(folder / base_file(base), "np") as stored:
            return str((stored.metadata() or {}).get(_ABOUT, ""))
    return ""


def settle(folder: Path) -> None:
    """Put files in place that a process wrote and was killed before it could; forget them if they are not all there.

    The base is written last: where it is, all others are.
    """
    arrived = {path: path.with_name(path.name.removeprefix(_NEW)) for path in sorted(folder.glob(f"{_NEW}*"))}
    if any(target.name.startswith(BASE) for target in arrived.values()):
        for old in folder.glob(f"{BASE}*"):
            if old not in arrived.values():
                old.unlink()
        for path, target in sorted(arrived.items(), key=lambda one: one[1].name, reverse=True):  # the base last
            path.replace(target)
    else:
        for path in arrived:
            path.unlink()


def keep_only(folder: Path, kept: Collection[int]) -> None:
    """Leave in ``folder`` the weights of the ``kept`` epochs, of those on one grid, exactly as they were.

    The epoch that is read at once is among them.
    """
    there = [path.name for path in folder.glob("*.safetensors")]
    trained, (base,), about = epochs_in(EPOCH, there), epochs_in(BASE, there), said_of_grid(folder)
    own = {epoch: [folder / name for name in weights_files(epoch, there) if name != FROZEN] for epoch in kept}
    read = {epoch: stored_arrays(paths) for epoch, paths in sorted(own.items())}
    scales: Stored = {}
    for arrays in read.values():
        scales = {name: arrays.pop(name) for name in list(arrays) if name.endswith((".low", ".step"))}
    for epoch in set(trained) - set(kept):
        (folder / weights_file(epoch)).unlink()
    _write(folder, base, read, scales, about)


def _write(folder: Path, base: int, epochs: Mapping[int, Stored], scales: Stored, about: str) -> None:
    """Write small tensors and levels of ``epochs``, ascending: of the base whole, of the others the changes."""
    from safetensors.numpy import save_file

    whole = dict(scales)
    for name, levels in epochs[base].items():
        if name.endswith(LEVELS) and levels.dtype == np.uint16:  # half of the high bytes is empty
            tensor = name.removesuffix(LEVELS)
            whole[tensor + CHANGES] = changes(levels, np.zeros_like(levels))
            whole[tensor + SHAPE] = np.array(levels.shape, dtype=np.int32)
        elif name.endswith(LEVELS):
            whole[name] = levels
    kept = list(epochs)
    for place, epoch in enumerate(kept):
        own = {}
        neighbour = epochs[kept[place + (epoch < base) - (epoch > base)]]
        for name, array in epochs[epoch].items():
            if not name.endswith(LEVELS):
                own[name] = array
            elif epoch != base:
                own[name.removesuffix(LEVELS) + CHANGES] = changes(array, neighbour[name])
        write_whole(folder / f"{_NEW}{weights_file(epoch)}", partial(save_file, own))
    write_whole(folder / f"{_NEW}{base_file(base)}", partial(save_file, whole, metadata={_ABOUT: about}))
    settle(folder)
