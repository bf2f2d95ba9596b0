"""The weights of a run's epochs: half precision, what no epoch changes stored once, large tables in eight bits.

safetensors files, so that nothing is unpickled. ``embedding.weight`` may be stored as ``embedding.weight.levels``,
``.low`` and ``.step`` (:mod:`nlpviz.runs.quantized`): who loads it need not know. Where few of the levels change from
one kept epoch to the next, the earlier one's are kept as the change from the later one's, compressed: the last epoch is
whole, and read at once.
"""

from __future__ import annotations

import lzma
from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.read_once import state_of
from nlpviz.runs.files import write_whole
from nlpviz.runs.quantized import Quantized, pack, unpack

if TYPE_CHECKING:
    from torch import Tensor

FROZEN = "frozen.safetensors"
INITIAL = "initial.safetensors"
"""Large tables of epoch 0, apart from its other weights where another run begins with the same ones."""
_LEVELS, _CHANGES = ".levels", ".changes"
_WORTH = 0.7  # changes that take more of the levels' room are not worth reading two files
LARGE = 1 << 20
"""A table with at least so many numbers is stored in eight bits where a run asks for it and names no other size."""


def weights_file(epoch: int) -> str:
    """Return the name of the file with the weights of ``epoch``."""
    return f"epoch-{epoch:02d}.safetensors"


def changes_file(epoch: int, later: int) -> str:
    """Return the name of the file with the levels of ``epoch`` as changes from those of a ``later`` one."""
    return f"changes-{epoch:02d}-from-{later:02d}.safetensors"


def weights_files(epoch: int, there: Collection[str]) -> list[str]:
    """Return the names of the files that together hold the weights of ``epoch``, of a run whose files are ``there``.

    They are in the order in which they are to be read: what a later one holds counts.
    """
    for name in there:
        if name.startswith(f"changes-{epoch:02d}-"):
            later = int(name.removesuffix(".safetensors").rpartition("-")[2])
            return [*weights_files(later, there), name, weights_file(epoch)]
    apart = [FROZEN, INITIAL] if epoch == 0 else [FROZEN]
    return [*(name for name in apart if name in there), weights_file(epoch)]


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

    stored = _stored(tuple(paths))
    tables = {name.removesuffix(".levels") for name in stored if name.endswith(".levels")}
    tensors = {}
    for table in tables:
        parts = (stored.pop(f"{table}.{part}").numpy() for part in Quantized._fields)
        tensors[table] = torch.from_numpy(unpack(Quantized(*parts)))
    return tensors | {name: tensor.float() for name, tensor in stored.items()}


def _stored(paths: tuple[Path, ...]) -> dict[str, Tensor]:
    """Return the tensors of several files together as they are stored; what a later file holds counts."""
    from safetensors.torch import load_file

    changed = [place for place, path in enumerate(paths) if path.name.startswith("changes-")]
    later = paths[: changed[-1]] if changed else ()  # what the last changes are of: the next epoch
    stored = dict(_of_next_epoch(later, tuple(map(state_of, later)))) if later else {}
    for path in paths[len(later) :]:
        for name, tensor in load_file(path).items():
            levels = name.removesuffix(_CHANGES) + _LEVELS
            if name.endswith(_CHANGES):
                stored[levels] = stored[levels] + _unpacked(tensor, stored[levels])
            else:
                stored[name] = tensor
    return stored


# Epochs are read one after the other, and each is made of the next one: a few remembered spare most of the unpacking.
@lru_cache(maxsize=4)
def _of_next_epoch(paths: tuple[Path, ...], _states: tuple[Hashable, ...]) -> Mapping[str, Tensor]:
    return _stored(paths)


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


def prune_checkpoints(folder: Path, kept: Collection[int], *, eight_bits: bool, large: int = LARGE) -> None:
    """Leave in ``folder`` the weights of the ``kept`` epochs alone, and once what none of them changed.

    What was pruned before may be pruned again: a training that was stopped here goes on from here.
    """
    import torch

    frozen, there = folder / FROZEN, [path.name for path in folder.glob("*.safetensors")]
    epochs = {
        folder / weights_file(epoch): read_weights(folder / name for name in weights_files(epoch, there))
        for epoch in sorted(kept)
    }
    for path in folder.glob("epoch-*.safetensors"):
        if path not in epochs:
            path.unlink()
    first, *others = epochs.values()
    still = {
        name: tensor
        for name, tensor in first.items()
        if others and all(torch.equal(tensor, other[name]) for other in others)
    }
    if still:
        write_weights(frozen, still, eight_bits=eight_bits, large=large)
    for path, tensors in epochs.items():
        moved = {name: tensor for name, tensor in tensors.items() if name not in still}
        write_weights(path, moved, eight_bits=eight_bits, large=large)
    for path in folder.glob("changes-*.safetensors"):  # the weights are whole again
        path.unlink()


def keep_changes(folder: Path, kept: Collection[int]) -> None:
    """Store the levels of the ``kept`` epochs as changes from those of the next one, where that takes much less room.

    Epoch 0 stays whole: other runs begin with the same tables. The epochs' files are whole before.
    """
    from safetensors.numpy import load_file, save_file

    changes: dict[tuple[int, int], dict[str, NDArray[np.uint8]]] = {}
    for epoch, later in pairwise(sorted(set(kept) - {0})):
        tables, after = load_file(folder / weights_file(epoch)), load_file(folder / weights_file(later))
        packed = {}
        for name, levels in tables.items():
            if name.endswith(_LEVELS) and name in after and after[name].shape == levels.shape:
                change = lzma.compress((levels - after[name]).tobytes())  # modulo 256
                if len(change) <= _WORTH * levels.nbytes:
                    packed[name.removesuffix(_LEVELS) + _CHANGES] = np.frombuffer(change, dtype=np.uint8)
        changes[epoch, later] = packed
    for (epoch, later), packed in changes.items():
        if packed:
            path = folder / weights_file(epoch)
            moved = {name.removesuffix(_CHANGES) + _LEVELS for name in packed}
            others = {name: array for name, array in load_file(path).items() if name not in moved}
            write_whole(folder / changes_file(epoch, later), partial(save_file, packed))
            write_whole(path, partial(save_file, others))


def _unpacked(changes: Tensor, levels: Tensor) -> Tensor:
    """Return changes of the shape of ``levels`` from their compressed form."""
    import torch

    try:
        content = bytearray(lzma.decompress(changes.numpy().tobytes()))
        return torch.frombuffer(content, dtype=torch.uint8).view_as(levels)
    except (lzma.LZMAError, RuntimeError) as error:
        raise ValueError("changes of other levels") from error
