"""Where runs are: the project's ``trained/``, and the user's folders.

``$NLPVIZ_TRAINED`` names one folder or several, separated as in ``$PATH``; without it, the project's and the user's own
are listed. Runs of the project's recipes go into the project's folder if it is among them, those on user data
into the first other folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

from nlpviz.discovery.places import checkout

_CHECKOUT = checkout()
PROJECT = None if _CHECKOUT is None else _CHECKOUT / "trained"
"""The project's folder of runs; None for an installed nlpviz that was not started in the repository's folder."""
NO_RUNS = (
    "There are no trained runs here. Train one with `nlpviz train imdb-cnn`, or clone nlpviz’s repository with "
    "`git clone --depth 1` and set NLPVIZ_TRAINED to the path of the clone’s folder `trained`."
)
MANIFEST = "run.json"
Manifest = tuple[str, tuple[int, ...]]
"""Where a run's manifest is, and its times and size; without these where there is none."""


class FoundRuns(NamedTuple):
    """The content of the folders of runs; equal as long as no run is added, removed or changed.

    Attributes:
        manifests: one a run.
        problems: one sentence for each folder of runs that may not be listed.
    """

    manifests: list[Manifest]
    problems: list[str]


def roots() -> tuple[Path, ...]:
    """Return the folders of runs in their order."""
    usual = (users_folder(),) if PROJECT is None else (PROJECT, users_folder())
    named = os.environ.get("NLPVIZ_TRAINED", "")
    return tuple(Path(one).expanduser() for one in named.split(os.pathsep) if one) or usual


def root() -> Path:
    """Return the folder into which runs of the project's recipes go."""
    return next((one for one in roots() if one.resolve() == PROJECT), roots()[0])


def own_root() -> Path:
    """Return the folder for runs on user data.

    That is the first that is not the project's; where ``$NLPVIZ_TRAINED`` names no other, the project's after all,
    since a run in a folder that is not listed would not be found again.
    """
    return next((one for one in roots() if one.resolve() != PROJECT), roots()[0])


def users_folder() -> Path:
    """Return the user's own folder of runs, which need not exist yet: ``~/.local/share/nlpviz/trained`` on Linux."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "nlpviz" / "trained"


def find() -> FoundRuns:
    """Return the content of the folders of runs, with one system call per run, since every page needs it.

    A folder whose name begins with a dot is no run.
    """
    found = FoundRuns([], [])
    for one in roots():
        try:
            with os.scandir(one) as there:
                folders = sorted([each.path for each in there if each.is_dir() and not each.name.startswith(".")])
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as problem:
            found.problems.append(f"The runs in {one} cannot be listed: {problem.strerror or problem}.")
            continue
        found.manifests.extend([_manifest(f"{folder}{os.sep}{MANIFEST}") for folder in folders])
    return found


def named(name: str) -> list[Manifest]:
    """Return the manifests of runs called ``name`` as they are now, in the order of their folders."""
    there = (_manifest(f"{one}{os.sep}{name}{os.sep}{MANIFEST}") for one in roots())
    return [manifest for manifest in there if manifest[1]]


def _manifest(path: str) -> Manifest:
    try:
        about = os.stat(path)  # noqa: PTH116 - a Path each takes longer than to ask
    except OSError:
        return path, ()
    return path, (about.st_mtime_ns, about.st_ctime_ns, about.st_size)
