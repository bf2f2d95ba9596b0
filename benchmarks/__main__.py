"""``python -m benchmarks [NAME …]``: measure, write ``results.json`` and the table in ``README.md``.

The exit code is 1 if a bar was missed, and 2 if a name is not one of the benchmarks; results are written first.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import perf_counter

from benchmarks import Row, benchmarks
from benchmarks.report import shown, write


def main(names: Sequence[str]) -> int:
    """Run the benchmarks called ``names``, or all of them; return the exit code."""
    known = benchmarks()
    if unknown := [name for name in names if name not in known]:
        print(f"There is no benchmark {', '.join(unknown)}; available: {', '.join(known)}.", file=sys.stderr)
        return 2
    missed: list[Row] = []
    for name in names or known:
        print(f"{name}: {known[name].question}", flush=True)
        started = perf_counter()
        rows = []
        for row in known[name].measure():
            rows.append(row)
            ours, peers = shown(row.value, row.unit), shown(row.peer_value, row.unit)
            print(f"  {row.what}: {ours}; {row.peer}: {peers}", flush=True)
        write(known[name], rows, perf_counter() - started)
        missed += [row for row in rows if not row.met]
    for row in missed:
        print(
            f"Limit exceeded: {row.what} took {shown(row.value, row.unit)}; the limit is "
            f"{shown(row.bar or 0, row.unit)}."
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
