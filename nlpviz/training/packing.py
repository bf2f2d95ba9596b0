"""The corpus data that fits read, packed into parts.

A pack's folder holds, on both machines::

    pack-01.zip …       what each corpus gives, compressed, and pack.json: which recipe reads what
    sources/            what of it was read, decompressed
    runs/               where runs are fitted: the folder of the runs while a pack is trained from
    bundle-01.zip …     fitted runs on their way back (:mod:`nlpviz.training.bundling`)

Each split of a corpus travels once, the test split too, and every recipe encodes it for itself. There are no texts in a
pack, but labels, the numbers of words and, once, the words: listed, so that the texts can be put together again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock
from safetensors.numpy import load_file

from nlpviz.runs import Run, open_run
from nlpviz.runs.files import write_text, write_whole
from nlpviz.runs.sharing import copied
from nlpviz.training import Options, Recipe, Stages, TrainingError
from nlpviz.training.arrays import Arrays
from nlpviz.training.bounds import rehearsal
from nlpviz.training.compressed import decompress, write_compressed
from nlpviz.training.parts import MIB, read_parts, write_parts
from nlpviz.training.sources import Reader

PACK, PACK_PART = "pack", 60 * MIB
"""What travels at once has at most 64 MiB."""
RUNS, CONTENT = "runs", "pack.json"
_SOURCES, _COMPRESSED, _DECOMPRESSED = "sources", ".safetensors.xz", ".safetensors"


@dataclass(frozen=True)
class Pack:
    """What a pack holds.

    Attributes:
        reads: recipe -> the names of the sources that it reads.
        share: of each corpus; 1 unless it is for a rehearsal.
        files: all that belongs to it.
    """

    reads: dict[str, list[str]]
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
        raise TrainingError(
            f"{recipe.name} can only be fitted on the machine with its corpus: `python -m nlpviz train {recipe.name}`."
        )
    return recipe.stages


def pack(recipes: Sequence[Recipe], folder: Path, options: Options, share: float = 1.0) -> list[Path]:
    """Write what ``recipes`` read into parts in ``folder``, and the runs along that they begin with; return the parts.

    Recipes that are fitted where their corpus is are left out.
    """
    packed = [recipe for recipe in recipes if recipe.stages is not None]
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob(f"{PACK}-*.zip")):
        raise TrainingError(f"{folder} already contains a pack; name another folder or delete the pack.")
    with TemporaryDirectory(dir=folder) as name, rehearsal(share):
        aside = Path(name)
        readers = {recipe.name: stages_of(recipe).reads() for recipe in packed}
        files = _write_sources({name: one for read in readers.values() for name, one in read.items()}, aside, options)
        names = {recipe.name for recipe in packed}
        for needed in sorted({need for recipe in packed for need in stages_of(recipe).begins} - names):
            files |= _files_of(copied(open_run(needed), aside / needed), f"{RUNS}/")
        content = Pack({name: list(read) for name, read in readers.items()}, share, list(files))
        write_text(aside / CONTENT, json.dumps(asdict(content), indent=1))
        return write_parts({CONTENT: aside / CONTENT, **files}, folder, PACK, PACK_PART)


def _write_sources(readers: Mapping[str, Reader], aside: Path, options: Options) -> dict[str, Path]:
    """Read each source and write it compressed into ``aside``; return the files by their names in the pack.

    Two at most are compressed while the next one is read.
    """
    written = {}
    with ThreadPoolExecutor(2) as compressing:
        for name, read in readers.items():
            (aside / name).mkdir()
            path = aside / f"{name}{_COMPRESSED}"
            written[path] = compressing.submit(write_compressed, path, read(aside / name, options))
    for writing in written.values():
        writing.result()
    return {path.name: path for path in written}


# --------------------------------------------------------------------------------------------- on the other machine


def open_pack(folder: Path) -> Pack:
    """Unpack the parts in ``folder`` once, and return what is in them.

    Raises:
        TrainingError: if there are none, or not all of them.
    """
    if not folder.is_dir():
        raise TrainingError(f"The folder {folder} does not exist.")
    with FileLock(folder / ".pack.lock"):  # several processes may train from one pack
        opened = _opened(folder)
        if opened is None:
            read_parts(folder.glob(f"{PACK}-*.zip"), folder)
            opened = _opened(folder)
    if opened is None:
        raise TrainingError(f"{folder} lacks parts of the pack; create it again with `python -m nlpviz pack FOLDER`.")
    return opened


def _opened(folder: Path) -> Pack | None:
    """Return what the unpacked pack in ``folder`` holds, or None if it is not whole."""
    try:
        said = json.loads((folder / CONTENT).read_text(encoding="utf-8"))
        content = Pack(said["reads"], said["share"], said["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return content if all((folder / name).exists() for name in content.files) else None


def packed_arrays(folder: Path, recipe: Recipe, options: Options) -> Arrays:
    """Return the data for the fit of ``recipe``, encoded from an unpacked pack."""
    sources = {name: partial(packed_source, folder, name) for name in open_pack(folder).reads[recipe.name]}
    return stages_of(recipe).encode(sources, options)


def packed_source(folder: Path, name: str) -> Arrays:
    """Return one source of an unpacked pack, which is decompressed once, whichever process needs it first."""
    (folder / _SOURCES).mkdir(exist_ok=True)
    path = folder / _SOURCES / f"{name}{_DECOMPRESSED}"
    with FileLock(path.with_suffix(".lock")):
        if not path.exists():
            write_whole(path, partial(decompress, folder / f"{name}{_COMPRESSED}"))
    return load_file(path)


def _files_of(run: Run, under: str = "") -> dict[str, Path]:
    """Return the files of a run that has all of them, by what they are called in a part."""
    return {f"{under}{run.name}/{path.name}": path for path in sorted(run.folder.iterdir())}
