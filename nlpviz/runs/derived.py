"""Files that keep what takes seconds to compute from a run's other files: they name these, and count for no others.

A page asks twenty runs at once for what each works out of its weights or embeddings in a third of a second. What is
kept says which files it was made of, by their hashes; where the run has others by now, it is as if it were not there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run

if TYPE_CHECKING:
    import pyarrow as pa

BEHAVIOURS, NEIGHBOURS = "behaviours.parquet", "neighbours.parquet"
DERIVED = frozenset({BEHAVIOURS, NEIGHBOURS})
"""Files of this sort, of any kind of run; a command of their own writes them."""


def write_derived(run: Run, name: str, columns: Mapping[str, pa.Array], made_of: Iterable[str], asked: str) -> Run:
    """Write ``columns`` into the run's folder and its manifest; return the updated run.

    Args:
        run: that they are made of.
        name: one of :data:`DERIVED`.
        columns: of equal length.
        made_of: the names of the run's files that they depend on.
        asked: what else they depend on, in a word or as a hash.
    """
    write_table(run.folder / name, columns, _source(run, made_of, asked))
    return run.save()


def read_derived(run: Run, name: str, made_of: Iterable[str], asked: str) -> pa.Table | None:
    """Return what :func:`write_derived` wrote; None if nothing was written, or the run's files have changed.

    Raises:
        RunError: if the file is damaged.
    """
    if name not in run.files:
        return None
    table = run.table(name)
    source = (table.schema.metadata or {}).get(b"nlpviz", b"").decode()
    return table if source == _source(run, made_of, asked) else None


def _source(run: Run, made_of: Iterable[str], asked: str) -> str:
    return json.dumps({"asked": asked, "made_of": {name: run.files.get(name, "") for name in sorted(made_of)}})
