"""The test predictions of more seeds of a run's recipe, written and read: ``seeds.parquet`` in its folder.

A row for each test document of the corpus, in the order of ``predictions.parquet``. For each seed the predicted class
(``predicted.02``), the log-odds of that class against all others in 256 levels (``log_odds.02``, those of
:mod:`nlpviz.runs.training_log`), and, of the documents of ``documents.parquet`` alone, the embedding in eight bits
(``embedding.02.levels``, ``.low``, ``.step``); the other rows have none. What was trained is in the schema's metadata.
No weights are kept, and no word of a corpus is in it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.predictions import Predicted
from nlpviz.results.seeds import SeedAnswers
from nlpviz.runs.documents import documents_of
from nlpviz.runs.files import write_table
from nlpviz.runs.predictions import predictions_of
from nlpviz.runs.quantized import Quantized, pack, unpack
from nlpviz.runs.run import Run, RunError
from nlpviz.runs.training_log import levels_of, log_odds_of

if TYPE_CHECKING:
    import pyarrow as pa

SEEDS = "seeds.parquet"
_FACTS = {"seed": int, "epoch": int, "validation_accuracy": float, "seconds": float, "device": str}


def write_seeds(run: Run, seeds: Sequence[SeedAnswers]) -> Run:
    """Write the predictions of more seeds into the run's folder and its manifest; return the updated run.

    Raises:
        RunError: if the run keeps no predictions or no documents, whose order the rows have.
        ValueError: if a seed answered other documents.
    """
    import pyarrow as pa

    ids = predictions_of(run).ids
    place = {name: position for position, name in enumerate(ids)}
    kept = np.array([place[name] for name in documents_of(run).ids])
    columns: dict[str, Any] = {}
    for one in seeds:
        if len(one.predicted.classes) != len(ids) or len(one.embeddings) != len(kept):
            raise ValueError(f"seed {one.seed} has different test documents from the run {run.name!r}")
        packed, name = pack(one.embeddings), f"{one.seed:02d}"
        given = np.clip(one.predicted.probabilities.astype(np.float64), 1e-9, 1 - 1e-9)
        columns |= {
            f"predicted.{name}": pa.array(one.predicted.classes.astype(np.int16)),
            f"log_odds.{name}": pa.array(levels_of(np.log(given / (1 - given)))),
            f"embedding.{name}.levels": _some_vectors(packed.levels, kept, len(ids)),
            f"embedding.{name}.low": _some(packed.low, kept, len(ids)),
            f"embedding.{name}.step": _some(packed.step, kept, len(ids)),
        }
    facts = [{key: getattr(one, key) for key in _FACTS} for one in seeds]
    write_table(run.folder / SEEDS, columns, json.dumps({"seeds": facts}))
    return run.save()


def more_seeds(run: Run) -> tuple[SeedAnswers, ...]:
    """Return the predictions of more seeds of the run's recipe, by seed; empty where no more were trained.

    Raises:
        RunError: if the file is damaged, or is of other documents than the run's.
    """
    return run.kept("more seeds", _read) if SEEDS in run.files else ()


def _read(run: Run) -> tuple[SeedAnswers, ...]:
    table = run.table(SEEDS)
    try:
        said = json.loads((table.schema.metadata or {})[b"nlpviz"])["seeds"]
        facts = [{key: kind(one[key]) for key, kind in _FACTS.items()} for one in said]
    except (KeyError, ValueError, TypeError):
        raise RunError(f"{SEEDS} of the run {run.name!r} is damaged or incomplete.") from None
    found = tuple(_answers(run, table, one) for one in sorted(facts, key=lambda one: one["seed"]))
    documents = len(documents_of(run).ids)
    if len(table) != len(predictions_of(run).ids) or any(len(one.embeddings) != documents for one in found):
        raise RunError(f"{SEEDS} of the run {run.name!r} contains different test documents from the run.")
    return found


def _answers(run: Run, table: pa.Table, facts: dict[str, Any]) -> SeedAnswers:
    name = f"{facts['seed']:02d}"
    parts = {part: f"embedding.{name}.{part}" for part in Quantized._fields}
    run.require_columns(SEEDS, [f"predicted.{name}", f"log_odds.{name}", *parts.values()], table.column_names)
    low, step = (table[parts[part]].drop_null().combine_chunks().to_numpy() for part in ("low", "step"))
    levels = table[parts["levels"]].drop_null().combine_chunks().flatten().to_numpy().reshape(len(low), -1)
    log_odds = log_odds_of(table[f"log_odds.{name}"].combine_chunks().to_numpy())
    classes = table[f"predicted.{name}"].combine_chunks().to_numpy()
    given = (1 / (1 + np.exp(-log_odds))).astype(np.float32)
    return SeedAnswers(embeddings=unpack(Quantized(levels, low, step)), predicted=Predicted(classes, given), **facts)


def _some(values: NDArray[Any], at: NDArray[np.integer], count: int) -> pa.Array:
    """Return a column of ``count`` rows that has ``values`` at the rows ``at`` and nothing elsewhere."""
    import pyarrow as pa

    whole, nothing = np.zeros(count, dtype=values.dtype), np.ones(count, dtype=bool)
    whole[at], nothing[at] = values, False
    return pa.array(whole, mask=nothing)


def _some_vectors(values: NDArray[np.uint8], at: NDArray[np.integer], count: int) -> pa.Array:
    """Return a column of ``count`` rows that has the vectors ``values`` at the rows ``at`` and nothing elsewhere."""
    import pyarrow as pa

    whole, nothing = np.zeros((count, values.shape[1]), dtype=values.dtype), np.ones(count, dtype=bool)
    whole[at], nothing[at] = values, False
    return pa.FixedSizeListArray.from_arrays(pa.array(whole.ravel()), values.shape[1], mask=pa.array(nothing))
