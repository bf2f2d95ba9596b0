"""What was measured, as ``results.json`` and as the table in ``README.md``."""

from __future__ import annotations

import json
import math
import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks import SEED, Benchmark, Row, benchmarks

FOLDER = Path(__file__).parent
RESULTS, README = FOLDER / "results.json", FOLDER / "README.md"
BEGIN, END = "<!-- results: written by python -m benchmarks -->", "<!-- end of results -->"
LIBRARIES = ("torch", "captum", "gensim", "accelerate", "numpy", "streamlit", "plotly", "playwright")


def write(benchmark: Benchmark, rows: Sequence[Row], seconds: float) -> None:
    """Put what one benchmark measured into both files, which have the order of ``benchmarks()``; the rest stays."""
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results[benchmark.name] = {
        "question": benchmark.question,
        "rows": [_facts(row) for row in rows],
        "measured": {"date": datetime.now(UTC).date().isoformat(), "seed": SEED, "in": round(seconds), **machine()},
    }
    results = {name: results[name] for name in benchmarks() if name in results}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n\n{table(results)}\n\n{END}{after}", encoding="utf-8")


def table(results: dict[str, Any]) -> str:
    """Return all results as Markdown: a row each, and the machines and days that they come from."""
    lines = [
        "| what | result | peer | peer's result | ratio | limit |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    measured: dict[str, list[str]] = {}
    for name, result in results.items():
        lines += [_line(row) for row in result["rows"]]
        measured.setdefault(_machine_in_words(result["measured"]), []).append(name)
    return "\n".join(lines) + "\n\n" + "\n".join(f"{', '.join(names)}: {words}." for words, names in measured.items())


def machine() -> dict[str, Any]:
    """Return what the numbers depend on besides the code."""
    import torch

    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}},
    }


def shown(value: float, unit: str) -> str:
    """Return a time with three significant digits: ``"1.87 ms"``."""
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:,.{digits}f} {unit}"


def _facts(row: Row) -> dict[str, Any]:
    """Return a row as JSON holds it."""
    return {
        "what": row.what,
        "unit": row.unit,
        "percentile": row.percentile,
        "value": round(row.value, 4),
        "samples": [round(sample, 4) for sample in row.samples],
        "peer": row.peer,
        "peer_value": round(row.peer_value, 4),
        "peer_samples": [round(sample, 4) for sample in row.peer_samples],
        "ratio": None if row.ratio is None else round(row.ratio, 4),
        "bar": row.bar,
        "met": row.met,
    }


def _line(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    unit = row["unit"]
    bar = "none" if row["bar"] is None else f"{row['bar']:g} {unit}, {'met' if row['met'] else '**exceeded**'}"
    ratio = "–" if row["ratio"] is None else f"{row['ratio']:.2f}"
    which = "" if row["percentile"] == 50 else f", {row['percentile']}th percentile"
    return (
        f"| {row['what']}{which} | {shown(row['value'], unit)} | {row['peer']} | {shown(row['peer_value'], unit)} "
        f"| {ratio} | {bar} |"
    )


def _machine_in_words(measured: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in measured["versions"].items())
    cores = f"{measured['cores']} cores, {measured['threads']} threads"
    return f"{measured['date']}, {measured['cpu']}, {cores}, {versions}"


def _cpu() -> str:
    """Return the processor's name, as far as the system tells it."""
    try:
        matched = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        matched = None
    return matched[1] if matched else platform.processor() or platform.machine()
