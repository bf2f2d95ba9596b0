"""The survey of a network's units over a corpus, written and read: ``units.parquet``, next to its weights.

A row for each unit, feature and kept epoch with the correlation; of the first units of each search its interval and its
bins too. A row without a feature has where a unit was largest and smallest: at most five words with the document's id;
one more has the weights of the most frequent words in a bag of words.
What was found once a search (the nulls' lines, ablations) is in the schema's metadata. No text of a corpus is in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.units import Ablation, Bins, Largest, Unit, UnitSearch, UnitSurvey
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError
from nlpviz.stats.significance import Interval, PairedDifference
from nlpviz.text.vocabulary import SPECIALS

if TYPE_CHECKING:
    import pyarrow as pa

UNITS = "units.parquet"
_FACTS = ("shifted", "swapped", "p", "words", "documents", "redraws", "mean", "ever")
_WEIGHTS = "weights of words"  # in the column of units
_COLUMNS = ["epoch", "feature", "unit", "r", "low", "high", "bin", "value", "ngram", "document"]


def write_units(
    run: Run,
    epochs: Mapping[int, Mapping[str, UnitSearch]],
    best: UnitSurvey,
    weights: NDArray[np.float32],
) -> Run:
    """Write the results into the run's folder and its manifest; return the updated run.

    Args:
        run: whose network.
        epochs: for each kept epoch the searches by feature.
        best: what is kept of the best epoch besides.
        weights: of the most frequent words of the vocabulary, as :func:`word_weights` returns them.
    """
    import pyarrow as pa

    rows = [row for searches in epochs.values() for one in searches.values() for row in _rows(one)]
    for unit, places in best.largest.items():
        values = np.array([place.value for place in places], dtype=np.float32)
        said = ([place.ngram for place in places], [place.document for place in places])
        rows.append((run.best_epoch, "", unit, None, None, None, None, values, *said))
    rows.append((run.best_epoch, "", _WEIGHTS, None, None, None, None, weights, None, None))
    types = [pa.int32(), pa.string(), pa.string(), pa.float32(), pa.float32(), pa.float32()]
    types += [pa.list_(pa.float32()), pa.list_(pa.float32()), pa.list_(pa.string()), pa.list_(pa.string())]
    columns = {
        name: pa.array([row[position] for row in rows], kind)
        for position, (name, kind) in enumerate(zip(_COLUMNS, types, strict=True))
    }
    first = next(iter(next(iter(epochs.values())).values()))
    about: dict[str, Any] = {
        "units": [list(unit) for unit in first.units],
        "searches": {
            f"{epoch} {name}": {fact: _plain(getattr(one, fact)) for fact in _FACTS}
            for epoch, searches in epochs.items()
            for name, one in searches.items()
        },
        "ablations": [_written(one) for one in best.ablations.values()],
        "accuracy": _plain(best.accuracy),
        "documents": best.documents,
    }
    write_table(run.folder / UNITS, columns, json.dumps(about, separators=(",", ":")))
    return run.save()


def unit_survey(run: Run, epoch: int) -> UnitSurvey:
    """Return the survey of a run's units at ``epoch``.

    Raises:
        RunError: if nobody searched them, the run keeps no such epoch, or is damaged.
    """
    if UNITS not in run.files:
        raise RunError(f"The run {run.name!r} has no stored unit survey. Run `python -m nlpviz survey {run.name}`.")
    run.check_surveyed(epoch)
    table = run.table(UNITS, _COLUMNS)
    try:
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        units = tuple(Unit(*unit) for unit in about["units"])
        searches = _searches(run, epoch, table, units, about["searches"])
        at_best = epoch == run.best_epoch
        ablations = [_read(one) for one in about["ablations"]] if at_best else []
        return UnitSurvey(
            searches=searches,
            largest=_places(table) if at_best else {},
            ablations={one.unit.id: one for one in ablations},
            accuracy=float("nan") if not ablations else _number(about["accuracy"]),
            documents=int(about["documents"]) if ablations else 0,
        )
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{UNITS} of the run {run.name!r} is damaged or incomplete.") from None


def word_weights(run: Run) -> dict[str, float]:
    """Return the weights of words that the survey of a run's units counted; empty where there was none.

    Raises:
        RunError: if the run is damaged.
    """
    if UNITS not in run.files:
        return {}
    table = run.table(UNITS, ["feature", "unit", "value"])
    (values,) = table.filter(np.array(table["unit"].to_pylist()) == _WEIGHTS)["value"].to_pylist() or [[]]
    words = run.vocabulary.words[len(SPECIALS) :]
    return {word: weight for word, weight in zip(words, values, strict=False) if weight}


def _rows(one: UnitSearch) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for unit, r, low, high in zip(one.units, one.r.tolist(), one.low.tolist(), one.high.tolist(), strict=True):
        bins = one.bins.get(unit.id)
        ends = (None, None) if np.isnan(low) else (low, high)
        means = (None, None) if bins is None else (bins.feature, bins.unit)
        rows.append((one.epoch, one.feature, unit.id, r, *ends, *means, None, None))
    return rows


def _searches(
    run: Run, epoch: int, table: pa.Table, units: Sequence[Unit], facts: Mapping[str, Mapping[str, Any]]
) -> dict[str, UnitSearch]:
    """Return the searches of one epoch, in the order in which they were made."""
    here = table.filter(table["epoch"].to_numpy() == epoch)
    features = np.array(here["feature"].to_pylist())
    result = {}
    for name in dict.fromkeys(one for one in features.tolist() if one):
        own = here.filter(features == name)
        ids = own["unit"].to_pylist()
        if ids != [unit.id for unit in units]:
            raise ValueError("the numbers of rows and units differ")
        pairs = zip(ids, own["bin"].to_pylist(), own["value"].to_pylist(), strict=True)
        bins = {
            unit: Bins(np.array(bin_, np.float32), np.array(mean, np.float32))
            for unit, bin_, mean in pairs
            if bin_ is not None
        }
        r, low, high = (own[column].to_numpy().astype(np.float32) for column in ("r", "low", "high"))
        found = dict(facts[f"{epoch} {name}"])
        found |= {fact: _number(found[fact]) for fact in ("shifted", "swapped")}
        result[name] = UnitSearch(run.name, epoch, name, tuple(units), r, low, high, bins=bins, **found)
    return result


def _places(table: pa.Table) -> dict[str, tuple[Largest, ...]]:
    """Return where units are largest and smallest, by their ids."""
    features, units = (np.array(table[name].to_pylist()) for name in ("feature", "unit"))
    own = table.filter((features == "") & (units != _WEIGHTS))
    columns = (own[name].to_pylist() for name in ("unit", "ngram", "document", "value"))
    return {
        unit: tuple(Largest(*place) for place in zip(ngrams, documents, values, strict=True))
        for unit, ngrams, documents, values in zip(*columns, strict=True)
    }


def _written(one: Ablation) -> list[object]:
    change = one.change
    return [
        list(one.unit),
        one.held_at,
        one.accuracy,
        change._asdict() | {"interval": list(change.interval)},
        one.random,
    ]


def _read(written: Sequence[Any]) -> Ablation:
    unit, held_at, accuracy, change, random = written
    paired = PairedDifference(**(change | {"interval": Interval(*change["interval"])}))
    return Ablation(Unit(*unit), float(held_at), float(accuracy), paired, bool(random))


def _plain(value: object) -> object:
    """Return a number as JSON knows it: None for one that is none."""
    return None if isinstance(value, float) and np.isnan(value) else value


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
