"""The weights of a run's epochs: half precision, what no epoch changes stored once, large tables in eight bits.

safetensors files, so that nothing is unpickled. ``embedding.weight`` may be stored as ``embedding.weight.levels``,
``.low`` and ``.step`` (:mod:`nlpviz.runs.quantized`): who loads it need not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.runs.files import write_whole
from nlpviz.runs.quantized import Quantized, pack, unpack

if TYPE_CHECKING:
    from torch import Tensor

FROZEN = "frozen.safetensors"
INITIAL = "initial.safetensors"
"""Large tables of epoch 0, apart from its other weights where another run begins with the same ones."""
LARGE = 1 << 20
"""A table with at least so many numbers is stored in eight bits where a run asks for it and names no other size."""


def weights_file(epoch: int) -> str:
    """Return the name of the file with the weights of ``epoch``."""
    return f"epoch-{epoch:02d}.safetensors"


def weights_files(epoch: int, there: Collection[str]) -> list[str]:
    """Return the names of the files that together hold the weights of ``epoch``, of a run whose files are ``there``."""
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
    """Return the tensors of several files together, single precision.

    Raises:
        safetensors.SafetensorError: if a file is none of safetensors.
        KeyError: if a part of a table in eight bits is missing.
    """
    import torch
    from safetensors.torch import load_file

    stored: dict[str, Tensor] = {}
    for path in paths:
        stored |= load_file(path)
    tables = {name.removesuffix(".levels") for name in stored if name.endswith(".levels")}
    tensors = {}
    for table in tables:
        parts = (stored.pop(f"{table}.{part}").numpy() for part in Quantized._fields)
        tensors[table] = torch.from_numpy(unpack(Quantized(*parts)))
    return tensors | {name: tensor.float() for name, tensor in stored.items()}


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

    names = {weights_file(epoch) for epoch in kept}
    for path in folder.glob("epoch-*.safetensors"):
        if path.name not in names:
            path.unlink()
    frozen = folder / FROZEN
    shared = [frozen] if frozen.exists() else []
    epochs = {folder / name: read_weights([*shared, folder / name]) for name in sorted(names)}
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
