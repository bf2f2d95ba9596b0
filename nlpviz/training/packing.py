"""What a fit needs of the corpora, packed into parts.

A pack's folder holds, on both machines::

    pack-01.zip …       arrays of each corpus as numpy's npz, without pickle, and pack.json: which recipe reads which
    runs/               where they are unpacked and fitted: the folder of the runs while a pack is trained from
    bundle-01.zip …     fitted runs on their way back (:mod:`nlpviz.training.bundling`)

There are no texts in a pack: ids, the words that they stand for with their counts, labels; of a translator's validation
sentences the words, numbered, for BLEU compares words.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from nlpviz.runs import Run, open_run
from nlpviz.runs.files import write_text
from nlpviz.runs.sharing import copied
from nlpviz.training import Options, Recipe, Stages, TrainingError
from nlpviz.training.arrays import LOGGED, Arrays
from nlpviz.training.bounds import rehearsal
from nlpviz.training.parts import MIB, read_parts, write_parts

PACK, PACK_PART = "pack", 48 * MIB
"""A part and the code have to travel together in 60 MiB."""
RUNS, CONTENT = "runs", "pack.json"
_NARROW = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32)


@dataclass(frozen=True)
class Pack:
    """What a pack holds.

    Attributes:
        reads: recipe -> the arrays that it reads.
        share: of each corpus; 1 unless it is for a rehearsal.
        files: all that belongs to it.
    """

    reads: dict[str, str]
    share: float
    files: list[str]


@contextmanager
def runs_in(folder: Path) -> Iterator[None]:
    """Let ``folder`` be the folder of the runs."""
    before = os.environ.get("NLPVIZ_TRAINED")
    os.environ["NLPVIZ_TRAINED"] = str(folder)
    try:
        yield
    finally:
        del os.environ["NLPVIZ_TRAINED"]
        if before is not None:
            os.environ["NLPVIZ_TRAINED"] = before


def stages_of(recipe: Recipe) -> Stages:
    """Return how a recipe is fitted away from its corpus.

    Raises:
        TrainingError: if nothing is gained by that.
    """
    if recipe.stages is None:
        raise TrainingError(f"{recipe.name} is fitted where its corpus is: `python -m nlpviz train {recipe.name}`.")
    return recipe.stages


def pack(recipes: Sequence[Recipe], folder: Path, options: Options, share: float = 1.0) -> list[Path]:
    """Write what ``recipes`` read into parts in ``folder``, and the runs along that they begin with; return the parts.

    Recipes that are fitted where their corpus is are left out.
    """
    packed = [recipe for recipe in recipes if recipe.stages is not None]
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob(f"{PACK}-*.zip")):
        raise TrainingError(f"There is a pack in {folder}: name another folder, or delete it.")
    with TemporaryDirectory(dir=folder) as name, rehearsal(share):
        aside = Path(name)
        files: dict[str, Path] = {}
        for recipe in packed:
            stages = stages_of(recipe)
            file = f"{stages.reads}.npz"
            if file not in files:
                files[file] = aside / file
                _write(files[file], stages.encode(aside, options))
        names = {recipe.name for recipe in packed}
        for needed in sorted({need for recipe in packed for need in stages_of(recipe).begins} - names):
            files |= _files_of(copied(open_run(needed), aside / needed), f"{RUNS}/")
        content = Pack({recipe.name: stages_of(recipe).reads for recipe in packed}, share, list(files))
        write_text(aside / CONTENT, json.dumps(asdict(content), indent=1))
        return write_parts({CONTENT: aside / CONTENT, **files}, folder, PACK, PACK_PART)


def _write(path: Path, arrays: Arrays) -> None:
    """Write arrays, whole numbers in as few bytes each as they need; test texts, which alone are logged, stay here."""
    travelling = {name: _narrowed(array) for name, array in arrays.items() if name.split(".")[0] != LOGGED}
    np.savez_compressed(path, **travelling)  # type: ignore[arg-type]


def _narrowed(array: NDArray[Any]) -> NDArray[Any]:
    if not len(array) or array.dtype.kind not in "iu":
        return array
    low, high = int(array.min()), int(array.max())
    fits = (kind for kind in _NARROW if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
    return array.astype(next(fits, array.dtype))


# --------------------------------------------------------------------------------------------- on the other machine


def open_pack(folder: Path) -> Pack:
    """Unpack the parts in ``folder`` once, and return what is in them.

    Raises:
        TrainingError: if there are none, or not all of them.
    """
    if not folder.is_dir():
        raise TrainingError(f"There is no folder {folder}.")
    with FileLock(folder / ".pack.lock"):  # several processes may train from one pack
        opened = _opened(folder)
        if opened is None:
            read_parts(folder.glob(f"{PACK}-*.zip"), folder)
            opened = _opened(folder)
    if opened is None:
        raise TrainingError(f"{folder} does not hold all parts of a pack: `python -m nlpviz pack FOLDER` makes them.")
    return opened


def _opened(folder: Path) -> Pack | None:
    """Return what the unpacked pack in ``folder`` holds, or None if it is not whole."""
    try:
        said = json.loads((folder / CONTENT).read_text(encoding="utf-8"))
        content = Pack(said["reads"], said["share"], said["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return content if all((folder / name).exists() for name in content.files) else None


def packed_arrays(folder: Path, reads: str) -> Arrays:
    """Return the arrays called ``reads`` of an unpacked pack, each read when it is asked for."""
    stored: Arrays = np.load(folder / f"{reads}.npz", allow_pickle=False)
    return stored


def _files_of(run: Run, under: str = "") -> dict[str, Path]:
    """Return the files of a run that has all of them, by what they are called in a part."""
    return {f"{under}{run.name}/{path.name}": path for path in sorted(run.folder.iterdir())}
