"""Fitted runs bundled for transfer, in parts: the most valuable runs first, and each file once.

A bundle's first part says which share of the corpora the runs were fitted to, and which files are the same as others of
the bundle: networks that begin with the same vectors and leave them as they are hold the same table.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from filelock import FileLock

from nlpviz.discovery.read_once import sha256
from nlpviz.runs import Run
from nlpviz.runs.files import write_text
from nlpviz.runs.folders import MANIFEST
from nlpviz.training import TrainingError
from nlpviz.training.parts import MIB, count_parts, read_parts, write_parts

BUNDLE, BUNDLE_PART, MOST = "bundle", 15 * MIB, 8
"""What comes back from a lent machine at once: so many files, of 16 MiB at most."""
RETURNED, REST = "bundle.json", "rest"


class Bundled(NamedTuple):
    """The parts that were written, and the runs that are in none of the first :data:`MOST`, but in ``rest-…``."""

    parts: list[Path]
    rest: list[str]


def bundle(runs: Sequence[Run], share: float, folder: Path, aside: Path) -> Bundled:
    """Write fitted runs into ``folder`` in place of the parts there, those first that come first.

    At no moment are runs missing that were there before: a part is put in the place of another one whole.

    Args:
        runs: fitted ones.
        share: of each corpus, that they were fitted to.
        folder: for at most :data:`MOST` parts.
        aside: a folder for what is being written, and for the runs that found no room in these.
    """
    with TemporaryDirectory(dir=aside) as name:
        made = Path(name)
        first, later, same = _chosen(runs, made)
        write_text(made / RETURNED, json.dumps({"share": share, "same": same}))
        parts = write_parts({RETURNED: made / RETURNED, **_all(first)}, made, BUNDLE, BUNDLE_PART)
        rest = write_parts(_all(later), made, f"{BUNDLE}-{REST}", BUNDLE_PART)
        placed = _placed(parts, folder, BUNDLE)
        return Bundled([*placed, *_placed(rest, aside, f"{BUNDLE}-{REST}")], list(later))


_Files = dict[str, Path]


def _chosen(runs: Sequence[Run], made: Path) -> tuple[dict[str, _Files], dict[str, _Files], dict[str, str]]:
    """Return the files of the runs that fit into the first parts, those of the others, and which files are the same."""
    first: dict[str, _Files] = {}
    later: dict[str, _Files] = {}
    held: dict[str, str] = {}
    same: dict[str, str] = {}
    for run in runs:
        files, doubles = _files(run, made, held)
        if count_parts({**_all(first), **files}, BUNDLE_PART - MIB) <= MOST:  # some room for what is the same
            first[run.name] = files
            held |= {run.files[Path(name).name]: name for name in files if Path(name).name != MANIFEST}
        else:
            later[run.name] = files
        same |= doubles
    return first, later, same


def _files(run: Run, made: Path, held: Mapping[str, str]) -> tuple[_Files, dict[str, str]]:
    """Return the files of a run by their names in a bundle, and those that the bundle holds under another name."""
    whole = replace(run, shared={}, folder=made / run.name)
    whole.folder.mkdir()
    whole.write()
    files, same = {f"{run.name}/{MANIFEST}": whole.folder / MANIFEST}, {}
    for name, digest in run.files.items():
        if digest in held:
            same[f"{run.name}/{name}"] = held[digest]
        else:
            files[f"{run.name}/{name}"] = run.file(name)
    return files, same


def _all(files: Mapping[str, _Files]) -> _Files:
    return {name: path for some in files.values() for name, path in some.items()}


def _placed(parts: Iterable[Path], folder: Path, stem: str) -> list[Path]:
    """Copy parts into a folder, each in place of the one of its name; remove those that are left of more parts."""
    folder.mkdir(parents=True, exist_ok=True)
    placed = []
    for part in parts:
        target = folder / part.name
        arriving = target.with_suffix(".partial")
        shutil.copyfile(part, arriving)
        placed.append(arriving.replace(target))
    for old in folder.glob(f"{stem}-[0-9]*.zip"):
        if old not in placed:
            old.unlink()
    return placed


@dataclass(frozen=True)
class Returned:
    """Fitted runs that were returned.

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
        raise TrainingError(f"{folder} contains no {BUNDLE}-*.zip with fitted runs.")
    target = folder / "returned"
    with FileLock(folder / ".returned.lock"):  # several processes may complete the returned runs
        incomplete = read_parts(parts, target)
        said = json.loads((target / RETURNED).read_text(encoding="utf-8"))
        for name, other in said["same"].items():
            if (target / other).exists() and (target / name).parent.is_dir():
                shutil.copyfile(target / other, target / name)
    broken = {name.partition("/")[0] for name in incomplete}
    folders = {path.parent.name: path.parent for path in sorted(target.glob(f"*/{MANIFEST}"))}
    whole = {name: position for name, position in folders.items() if name not in broken and _whole(position)}
    return Returned(whole, sorted(broken | (folders.keys() - whole.keys())), float(said["share"]))


def _whole(folder: Path) -> bool:
    """Whether every file that a fitted run's manifest lists is there, unchanged."""
    files: dict[str, str] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    return all((folder / name).exists() and sha256(folder / name) == digest for name, digest in files.items())


def copy_fitted(fitted: Path, target: Path) -> None:
    """Make ``target`` a copy of the folder of a fitted run, whatever was begun there."""
    shutil.rmtree(target)
    shutil.copytree(fitted, target)
