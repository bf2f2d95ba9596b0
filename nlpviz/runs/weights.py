"""The weights of a run's epochs, in as few bytes as the accuracy of its predictions allows.

safetensors files, so that nothing is unpickled:

``frozen.safetensors``
    What no kept epoch changes.
``base-07.safetensors``
    Of a run whose epochs lie on one grid (:mod:`nlpviz.runs.levels`): the grid, and the levels of epoch 7.
``epoch-05.safetensors``
    All that is left. Next to a base these are the small tensors of epoch 5, and by how much its levels differ from
    those of the next epoch on the way from the base.

A tensor ``w`` is stored as it is, in half precision, or as ``w.levels``, ``w.low`` and ``w.step``
(:mod:`nlpviz.runs.quantized`): who loads it need not know.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.discovery.read_once import state_of
from nlpviz.runs.files import write_whole
from nlpviz.runs.levels import CHANGES, LEVELS, SHAPE, changed
from nlpviz.runs.quantized import Quantized, pack, unpack

if TYPE_CHECKING:
    from torch import Tensor

FROZEN = "frozen.safetensors"
INITIAL = "initial.safetensors"
"""Large tables of epoch 0, apart from its other weights where another run begins with the same ones."""
LARGE = 1 << 20
"""A table with at least so many numbers is stored in eight bits where a run asks for it and names no other size."""
BASE, EPOCH = "base-", "epoch-"
_ENDING = ".safetensors"


def weights_file(epoch: int) -> str:
    """Return the name of the file with the weights of ``epoch``."""
    return f"{EPOCH}{epoch:02d}{_ENDING}"


def base_file(epoch: int) -> str:
    """Return the name of the file with the grid of all epochs and the levels of ``epoch``."""
    return f"{BASE}{epoch:02d}{_ENDING}"


def weights_files(epoch: int, there: Collection[str]) -> list[str]:
    """Return the names of the files that together hold the weights of ``epoch``, of a run whose files are ``there``.

    They are in the order in which they are to be read: what a later one holds counts.
    """
    bases = epochs_in(BASE, there)
    if not bases or (epoch == 0 and INITIAL in there):
        first = [FROZEN, INITIAL] if epoch == 0 else [FROZEN]
        return [*(name for name in first if name in there), weights_file(epoch)]
    kept, base = epochs_in(EPOCH, there), bases[0]
    way = [one for one in kept if base <= one < epoch] + [one for one in reversed(kept) if epoch < one <= base]
    return [*({FROZEN} & set(there)), base_file(base), *map(weights_file, (*way, epoch))]


def all_weights(epochs: Iterable[int], there: Collection[str]) -> set[str]:
    """Return the names of the files with weights of ``epochs``, but for tables that several runs may share."""
    return {name for epoch in epochs for name in weights_files(epoch, there)} - {FROZEN, INITIAL}


def epochs_in(stem: str, there: Collection[str]) -> list[int]:
    """Return the epochs in the names of files that begin with ``stem``, ascending."""
    return sorted(int(name[len(stem) : -len(_ENDING)]) for name in there if name.startswith(stem))


def write_weights(path: Path, tensors: Mapping[str, Tensor], *, eight_bits: bool = False, large: int = LARGE) -> None:
    """Write tensors in half precision, or tables of them with ``large`` numbers and more in eight bits a number."""
    import torch
    from safetensors.torch import save_file

    stored: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if eight_bits and tensor.dim() == 2 and tensor.numel() >= large:
            packed = pack(tensor.detach().float().cpu().numpy())
            stored |= {f"{name}.{part}": torch.from_numpy(array) for part, array in packed._asdict().items()}
        else:
            stored[name] = tensor.detach().half().contiguous().cpu()
    write_whole(path, lambda partial: save_file(stored, partial))


def read_weights(paths: Iterable[Path]) -> dict[str, Tensor]:
    """Return the tensors of several files together, single precision; :func:`weights_files` says in which order.

    Raises:
        safetensors.SafetensorError: if a file is none of safetensors.
        KeyError: if a part of a table in eight bits is missing.
        ValueError: if changes are of other levels.
    """
    import torch

    stored = stored_arrays(paths)
    tables = {name.removesuffix(LEVELS) for name in stored if name.endswith(LEVELS)}
    tensors = {}
    for table in tables:
        parts = (stored.pop(f"{table}.{part}") for part in Quantized._fields)
        tensors[table] = torch.from_numpy(unpack(Quantized(*parts)))
    return tensors | {name: torch.from_numpy(array).float() for name, array in stored.items()}


def stored_arrays(paths: Iterable[Path]) -> dict[str, NDArray[Any]]:
    """Return the same as they are stored: small tensors, and of others levels, lowest values and steps.

    Raises:
        ValueError: if changes are of other levels.
    """
    from safetensors.numpy import load_file

    paths = tuple(paths)
    stored: dict[str, NDArray[Any]] = {}
    for path in (*(path for path in paths[:-1] if not path.name.startswith(EPOCH)), paths[-1]):
        stored |= {name: array for name, array in load_file(path).items() if not name.endswith((CHANGES, SHAPE))}
    return {**stored, **_levels(paths)}


def _levels(paths: tuple[Path, ...]) -> Mapping[str, NDArray[Any]]:
    """Return the levels that several files hold together, each with changes from those that were read before."""
    from safetensors.numpy import load_file

    *before, last = paths
    levels = dict(_remembered(tuple(before), tuple(map(state_of, before)))) if before else {}
    read = load_file(last)
    for name, array in read.items():
        if name.endswith(CHANGES):
            tensor = name.removesuffix(CHANGES)
            shape = read.get(tensor + SHAPE)  # of a base: its levels are changes from 0
            origin = levels[tensor + LEVELS] if shape is None else np.zeros(shape, dtype=np.uint16)
            levels[tensor + LEVELS] = changed(origin, array)
        elif name.endswith(LEVELS):
            levels[name] = array
    return levels


# Epochs are read one after the other, and each is made of the one before it on the way from the base.
@lru_cache(maxsize=4)
def _remembered(paths: tuple[Path, ...], _states: tuple[Hashable, ...]) -> Mapping[str, NDArray[Any]]:
    return _levels(paths)


def apart(path: Path) -> tuple[bytes, bytes] | None:
    """Return the large tables in eight bits of a file of weights, and its other weights, each as a file's content.

    What they are stored as does not change. None where there are none of the one or of the other.
    """
    from safetensors.numpy import load_file, save

    stored = load_file(path)
    large = {name.removesuffix("levels") for name, array in stored.items() if _is_large(name, array.size)}
    tables = {name: array for name, array in stored.items() if f"{name.rpartition('.')[0]}." in large}
    others = {name: array for name, array in stored.items() if name not in tables}
    return (save(tables), save(others)) if tables and others else None


def _is_large(name: str, numbers: int) -> bool:
    return name.endswith(".levels") and numbers >= LARGE
