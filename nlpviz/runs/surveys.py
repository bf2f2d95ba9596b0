"""The survey of a network's regions over a corpus, written and read: three tables next to its weights.

``regions.parquet`` is the top n-grams, ``filters.parquet`` a summary of each filter, both for every kept epoch;
``document-regions.parquet`` names the n-grams that moved each kept document most at the best epoch. Of two classes they
are those of the last one; of more, a column ``target`` says which class a row is of, and filters have a weight for each
(``weights``). N-grams of up to
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
_PLAIN = tuple(item.name for item in fields(FilterSummary) if item.name not in ("ngrams", "weights"))
_SIDES, _TARGET = ("pro", "contra"), "target"


def write_survey(
    run: Run,
    rankings: Mapping[tuple[int, int], Sequence[RankedNgram]],
    summaries: Iterable[FilterSummary],
    of_documents: Sequence[DocumentRegions],
) -> Run:
    """Write the tables into the run's folder and its manifest; return the updated run.

    Args:
        run: whose network was read.
        rankings: the top n-grams of each kept epoch and class; of two classes, of the last one.
        summaries: of all filters at all kept epochs.
        of_documents: the strongest regions of the run's documents, in their order.
    """
    several = len(run.class_names) > 2
    rows = [(*about, *row) for about, ranking in rankings.items() for row in ranking]
    columns: dict[str, list[Any]] = {
        name: [row[position] for row in rows]
        for position, name in enumerate(("epoch", _TARGET, *RankedNgram._fields))
        if several or name != _TARGET
    }
    _write(run, REGIONS, columns)
    filters = list(summaries)
    plain = [*_PLAIN, *["weights"] * several]
    columns = {name: [getattr(one, name) for one in filters] for name in plain}
    for column, part in _NGRAMS.items():
        columns[column] = [[getattr(said, part) for said in one.ngrams] for one in filters]
    _write(run, FILTERS, columns)
    columns = {"id": list(documents_of(run).ids)}
    if several:
        columns[_TARGET] = [document.target for document in of_documents]
    for side in _SIDES:
        said = [getattr(document, side) for document in of_documents]
        columns[f"{side}.ngrams"] = [[ngram for ngram, _ in regions] for regions in said]
        columns[f"{side}.contributions"] = [[amount for _, amount in regions] for regions in said]
    _write(run, DOCUMENT_REGIONS, columns)
    return run.save()


def top_ngrams(run: Run, epoch: int, target: int = -1) -> tuple[RankedNgram, ...]:
    """Return the n-grams that contribute most for or against a class, over all test documents.

    The contribution of an n-gram to the class score is averaged over the documents in which the n-gram has the maximum
    activation of at least one filter (Johnson and Zhang 2015, section 3.6). With two classes, the score is the log-odds
    of the last class, and the n-grams at the end of the list are evidence for the first class.

    Args:
        run: the run of a convolutional network with max pooling.
        epoch: a stored epoch.
        target: the index of the class; ignored if there are two classes.

    Returns:
        The n-grams in descending order of their contribution, from the strongest evidence for the class to the
        strongest against it.

    Raises:
        RunError: if the run has no such table, does not store this epoch, or is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.surveys import top_ngrams
        >>> ngrams = top_ngrams(open_run("imdb-cnn"), 7)
        >>> ngrams[0].ngram, ngrams[-1].ngram
        ('highly recommended 9/10', 'inconsistent . 3/10')
    """
    names = RankedNgram._fields if len(run.class_names) == 2 else (*RankedNgram._fields, _TARGET)
    columns = _of_epoch(run, REGIONS, epoch, names)
    targets = columns.pop(_TARGET, None)
    if targets is not None:
        wanted = range(len(run.class_names))[target]
        rows = [position for position, own in enumerate(targets) if own == wanted]
        columns = {name: [values[position] for position in rows] for name, values in columns.items()}
    return tuple(RankedNgram(*values) for values in zip(*columns.values(), strict=True))


def filters(run: Run, epoch: int, target: int = -1) -> tuple[FilterSummary, ...]:
    """Return a summary of each convolution filter over all test documents.

    A summary contains the filter's class weight, its mean activation after pooling, the filter with the most similar
    activations, and the n-grams with the largest activations.

    Args:
        run: the run of a convolutional network with max pooling.
        epoch: a stored epoch.
        target: the index of the class whose weights are returned; ignored if there are two classes.

    Returns:
        One summary per filter, in the order of the document embedding.

    Raises:
        RunError: if the run has no such table, does not store this epoch, or is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.surveys import filters
        >>> summaries = filters(open_run("imdb-cnn"), 7)
        >>> len(summaries)
        300
        >>> [ngram.ngram for ngram in summaries[83].ngrams[:3]]
        ['astaire', 'mysteries', 'favourites']
    """
    several = len(run.class_names) > 2
    columns = _of_epoch(run, FILTERS, epoch, (*_PLAIN[1:], *_NGRAMS, *["weights"] * several))
    result = []
    for position in range(len(columns["position"])):
        ngrams = zip(*(columns[column][position] for column in _NGRAMS), strict=True)
        values = {name: columns[name][position] for name in _PLAIN[1:]}
        if several:
            weights = tuple(columns["weights"][position])
            values |= {"weights": weights, "weight": weights[target]}
        result.append(FilterSummary(epoch=epoch, ngrams=tuple(FilterNgram(*said) for said in ngrams), **values))
    return tuple(result)


def document_regions(run: Run) -> dict[str, DocumentRegions]:
    """Return the n-grams that affected each document's score most at the best epoch, by the document's id.

    Of two classes it is the score of the last one, of more that of the predicted one.

    Raises:
        RunError: if the run has none, or is damaged.
    """
    names = ["id", *(f"{side}.{part}" for side in _SIDES for part in ("ngrams", "contributions"))]
    columns = _table(run, DOCUMENT_REGIONS, names if len(run.class_names) == 2 else [*names, _TARGET])
    targets = columns.get(_TARGET, [1] * len(columns["id"]))
    said = {
        side: [
            tuple(zip(ngrams, amounts, strict=True))
            for ngrams, amounts in zip(columns[f"{side}.ngrams"], columns[f"{side}.contributions"], strict=True)
        ]
        for side in _SIDES
    }
    regions = (DocumentRegions(*both) for both in zip(*said.values(), targets, strict=True))
    return dict(zip(columns["id"], regions, strict=True))


def _of_epoch(run: Run, file: str, epoch: int, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return columns of the rows of one epoch."""
    columns = _table(run, file, ["epoch", *names], run.check_surveyed(epoch))
    return {name: columns[name] for name in names}


def _table(run: Run, file: str, names: list[str], epoch: int | None = None) -> dict[str, list[Any]]:
    if file not in run.files:
        raise RunError(f"The run {run.name!r} has not been surveyed. Run `python -m nlpviz survey {run.name}`.")
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
