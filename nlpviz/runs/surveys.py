"""What is kept of a network's regions over a corpus, written and read: three tables beside its weights.

``regions.parquet`` is the top n-grams, ``filters.parquet`` a summary of each filter, both for every kept epoch;
``document-regions.parquet`` names the n-grams that moved each kept document most at the best epoch. N-grams of up to
the largest region size are the only words of a corpus in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from nlpviz.results.survey import DocumentRegions, FilterNgram, FilterSummary, RankedNgram
from nlpviz.runs.documents import documents_of
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

if TYPE_CHECKING:
    import pyarrow as pa

REGIONS, FILTERS, DOCUMENT_REGIONS = "regions.parquet", "filters.parquet", "document-regions.parquet"
_NGRAMS = {"ngrams": "ngram", "activations": "activation", "supports": "support"}


def write_survey(
    run: Run,
    rankings: Mapping[int, Sequence[RankedNgram]],
    summaries: Iterable[FilterSummary],
    of_documents: Sequence[DocumentRegions],
) -> Run:
    """Write the tables into the run's folder and its manifest; return the run as it is now.

    Args:
        run: whose network was read.
        rankings: the top n-grams of each kept epoch.
        summaries: of all filters at all kept epochs.
        of_documents: the strongest regions of the run's documents, in their order.
    """
    rows = [(epoch, *row) for epoch, ranking in rankings.items() for row in ranking]
    names = ("epoch", *RankedNgram._fields)
    _write(run, REGIONS, {name: [row[position] for row in rows] for position, name in enumerate(names)})
    filters = list(summaries)
    plain = [item.name for item in fields(FilterSummary) if item.name != "ngrams"]
    columns: dict[str, list[Any]] = {name: [getattr(one, name) for one in filters] for name in plain}
    for column, part in _NGRAMS.items():
        columns[column] = [[getattr(said, part) for said in one.ngrams] for one in filters]
    _write(run, FILTERS, columns)
    columns = {"id": list(documents_of(run).ids)}
    for side in DocumentRegions._fields:
        said = [getattr(document, side) for document in of_documents]
        columns[f"{side}.ngrams"] = [[ngram for ngram, _ in regions] for regions in said]
        columns[f"{side}.contributions"] = [[amount for _, amount in regions] for regions in said]
    _write(run, DOCUMENT_REGIONS, columns)
    return run.save()


def top_ngrams(run: Run, epoch: int) -> tuple[RankedNgram, ...]:
    """Return the top n-grams of ``epoch``, the n-gram that speaks most for the last class first.

    Raises:
        RunError: if the run has none, keeps no such epoch, or is damaged.
    """
    columns = _of_epoch(run, REGIONS, epoch, RankedNgram._fields)
    return tuple(RankedNgram(*values) for values in zip(*columns.values(), strict=True))


def filters(run: Run, epoch: int) -> tuple[FilterSummary, ...]:
    """Return the summaries of all filters at ``epoch``, in the order of the document embedding.

    Raises:
        RunError: if the run has none, keeps no such epoch, or is damaged.
    """
    plain = [item.name for item in fields(FilterSummary) if item.name not in ("epoch", "ngrams")]
    columns = _of_epoch(run, FILTERS, epoch, (*plain, *_NGRAMS))
    result = []
    for position in range(len(columns["position"])):
        ngrams = zip(*(columns[column][position] for column in _NGRAMS), strict=True)
        values = {name: columns[name][position] for name in plain}
        result.append(FilterSummary(epoch=epoch, ngrams=tuple(FilterNgram(*said) for said in ngrams), **values))
    return tuple(result)


def document_regions(run: Run) -> dict[str, DocumentRegions]:
    """Return the n-grams that moved each document's score most at the best epoch, by the document's id.

    Raises:
        RunError: if the run has none, or is damaged.
    """
    sides = DocumentRegions._fields
    names = ["id", *(f"{side}.{part}" for side in sides for part in ("ngrams", "contributions"))]
    columns = _table(run, DOCUMENT_REGIONS, names)
    said = {
        side: [
            tuple(zip(ngrams, amounts, strict=True))
            for ngrams, amounts in zip(columns[f"{side}.ngrams"], columns[f"{side}.contributions"], strict=True)
        ]
        for side in sides
    }
    regions = (DocumentRegions(*both) for both in zip(*said.values(), strict=True))
    return dict(zip(columns["id"], regions, strict=True))


def _of_epoch(run: Run, file: str, epoch: int, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return columns of the rows of one epoch."""
    columns = _table(run, file, ["epoch", *names], run.check_epoch(epoch))
    return {name: columns[name] for name in names}


def _table(run: Run, file: str, names: list[str], epoch: int | None = None) -> dict[str, list[Any]]:
    if file not in run.files:
        raise RunError(
            f"The run {run.name!r} was not surveyed: `python -m nlpviz survey {run.name}` reads its test documents."
        )
    table = run.table(file, names)
    if epoch is not None:
        table = table.filter(table["epoch"].to_numpy() == epoch)
    return {name: table[name].to_pylist() for name in names}


def _write(run: Run, file: str, columns: Mapping[str, Sequence[Any]]) -> None:
    write_table(run.folder / file, {name: _array(values) for name, values in columns.items()})


def _array(values: Sequence[Any]) -> pa.Array:
    """Return a column, its numbers in 32 bits."""
    import pyarrow as pa

    array = pa.array(values)
    narrow = {pa.int64(): pa.int32(), pa.float64(): pa.float32()}
    if pa.types.is_list(array.type):
        return array.cast(pa.list_(narrow.get(array.type.value_type, array.type.value_type)))
    return array.cast(narrow.get(array.type, array.type))
