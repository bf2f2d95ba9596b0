"""What a fit needs of the corpora, packed into parts, and runs that were fitted from them, bundled on their way back.

A pack's folder holds, on both machines::

    pack-01.zip …       arrays of each corpus as numpy's npz, without pickle, and pack.json: which recipe reads which
    runs/               where they are unpacked and fitted: the folder of the runs while a pack is trained from
    bundle-01.zip …     fitted runs on their way back

There are no texts in a pack: ids, the words that they stand for with their counts, labels; of a translator's validation
sentences the words, numbered, for BLEU compares words.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from nlpviz.read_once import sha256
from nlpviz.runs import Run, open_run
from nlpviz.runs.files import write_text
from nlpviz.runs.sharing import copied
from nlpviz.training import Options, Recipe, Stages, TrainingError
from nlpviz.training.arrays import LOGGED, Arrays
from nlpviz.training.bounds import rehearsal
from nlpviz.training.parts import MIB, read_parts, write_parts

PACK, BUNDLE = "pack", "bundle"
PACK_PART, BUNDLE_PART = 48 * MIB, 15 * MIB
"""A part and the code have to travel together in 60 MiB; what comes back, in files of 15."""
RUNS, CONTENT, RETURNED = "runs", "pack.json", "bundle.json"
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
        for needed in sorted({need for recipe in packed for need in recipe.needs} - names):
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


def bundle(names: Iterable[str], folder: Path) -> list[Path]:
    """Write the fitted runs called ``names`` into parts in ``folder``, to be copied back; return the parts.

    A run is bundled once: what was bundled before is told by ``runs/.bundled.json``.
    """
    record = folder / RUNS / ".bundled.json"
    with FileLock(record.with_suffix(".lock")):
        return _bundle(names, folder, record)


def _bundle(names: Iterable[str], folder: Path, record: Path) -> list[Path]:
    before: list[str] = json.loads(record.read_text(encoding="utf-8")) if record.exists() else []
    new = [name for name in names if name not in before]
    if not new:
        return []
    with TemporaryDirectory(dir=folder) as aside:
        returned = Path(aside) / RETURNED
        write_text(returned, json.dumps({"share": open_pack(folder).share}))
        files = {RETURNED: returned}
        for name in new:
            files |= _files_of(copied(Run.open(folder / RUNS / name), Path(aside) / name))
        parts = write_parts(files, folder, BUNDLE, BUNDLE_PART)
    write_text(record, json.dumps([*before, *new]))
    return parts


def _files_of(run: Run, under: str = "") -> dict[str, Path]:
    """Return the files of a run that has all of them, by what they are called in a part."""
    return {f"{under}{run.name}/{path.name}": path for path in sorted(run.folder.iterdir())}


# ------------------------------------------------------------------------------------------------------- back again


@dataclass(frozen=True)
class Returned:
    """Fitted runs that came back.

    Attributes:
        folders: name -> folder with the fitted run, its manifest among the files.
        incomplete: files that lack a piece.
        share: of each corpus that they were fitted to.
    """

    folders: dict[str, Path]
    incomplete: list[str]
    share: float


def open_bundles(folder: Path) -> Returned:
    """Unpack the bundles in ``folder`` into ``folder/returned``.

    Raises:
        TrainingError: if there are none, or one is damaged.
    """
    parts = sorted(folder.glob(f"{BUNDLE}-*.zip"))
    if not parts:
        raise TrainingError(f"There is no {BUNDLE} of fitted runs in {folder}.")
    target = folder / "returned"
    incomplete = read_parts(parts, target)
    broken = {name.partition("/")[0] for name in incomplete}
    folders = {path.parent.name: path.parent for path in sorted(target.glob("*/run.json"))}
    whole = {name: position for name, position in folders.items() if name not in broken and _whole(position)}
    said = json.loads((target / RETURNED).read_text(encoding="utf-8"))
    return Returned(whole, sorted(broken | (folders.keys() - whole.keys())), float(said["share"]))


def _whole(folder: Path) -> bool:
    """Whether every file that a fitted run's manifest lists is there, unchanged."""
    files: dict[str, str] = json.loads((folder / "run.json").read_text(encoding="utf-8"))["files"]
    return all((folder / name).exists() and sha256(folder / name) == digest for name, digest in files.items())


def copy_fitted(fitted: Path, target: Path) -> None:
    """Make ``target`` a copy of the folder of a fitted run, whatever was begun there."""
    shutil.rmtree(target)
    shutil.copytree(fitted, target)
