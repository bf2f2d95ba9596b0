"""A file that another run stores: named in the manifest, found only next to the run's own folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

_PLAIN = re.compile(r"\w[\w.-]*")  # no separator, and no dot at its beginning: a folder or a file of the runs


class Reference(NamedTuple):
    """Where a file is stored that a run shares.

    Attributes:
        run: that holds it itself, so that no reference leads to another one.
        file: what it is called there.
    """

    run: str
    file: str

    def path(self, runs: Path) -> Path:
        """Return the path of the file under the folder of the runs.

        Raises:
            ValueError: if the names could lead out of that folder.
        """
        if not (_PLAIN.fullmatch(self.run) and _PLAIN.fullmatch(self.file)):
            raise ValueError(f"a reference must name a run and a file in that run, not {self}")
        return runs / self.run / self.file


def read_references(said: Mapping[str, Any]) -> dict[str, Reference]:
    """Return name -> reference from what a manifest says.

    Raises:
        ValueError: if it says no such thing.
    """
    try:
        return {str(name): Reference(str(where["run"]), str(where["file"])) for name, where in said.items()}
    except (AttributeError, KeyError, TypeError):
        raise ValueError("no references") from None
