"""``project RUN``: all maps of a run's documents or words, written into its folder; or those asked for, printed.

``project FILE.parquet --out map.parquet``: a map of the embeddings that ``embed`` wrote, however many there are.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from nlpviz.commands import Command, UsageError, add_json, print_json, run_for, say, teller
from nlpviz.commands.as_json import as_json
from nlpviz.commands.large_maps import add_large, asks_large, project_file
from nlpviz.results.projection import Projection, WordMap
from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run
from nlpviz.runs.documents import DOCUMENTS, documents_of

_EVERY = 0.1  # of the computation: how often progress is printed


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", help="name of the run, or a Parquet file of embeddings written by `embed`")
    add_json(parser)
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    options = parser.add_argument_group("a single map, printed without changing the run")
    options.add_argument("--method", help="projection method: pca or tsne (default: tsne)")
    options.add_argument("--dimensions", type=int, help="number of dimensions, 2 or 3 (default: 2)")
    options.add_argument(
        "--epoch", type=int, action="append", help="epoch to show; may be repeated (default: all stored epochs)"
    )
    options.add_argument("--alone", action="store_true", help="fit each epoch separately")
    options.add_argument("--perplexity", type=float, help="t-SNE perplexity (default: 30)")
    options.add_argument("--sample", type=int, help="number of documents fitted (default: all; 5,000 for a file)")
    options.add_argument("--output", type=Path, help="CSV file for the ids and coordinates")
    add_large(parser)


def _run(options: argparse.Namespace) -> None:
    if asks_large(options):
        project_file(options)
        return
    run = run_for("project", options.run)
    choices = (options.method, options.dimensions, options.epoch, options.perplexity, options.sample, options.output)
    if options.alone or any(option is not None for option in choices):
        _print_asked(run, options)
    else:
        _write_all(run, options)


def _write_all(run: Run, options: argparse.Namespace) -> None:
    """Compute every map and write them into the run's folder; one process at a time."""
    from nlpviz.runs.own_corpora import UNFINISHED

    maps = kind_of(run).maps
    if maps is None:
        raise UsageError(f"The run {run.name!r} {kind_of(run).says}, which has no maps.")
    folder = run.folder.parent / UNFINISHED
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / f"{run.name}.maps.lock", timeout=0):
            computed = maps(run, options.seed, teller(options))
    except Timeout:
        raise UsageError(
            f"The maps of {run.name!r} are being computed by another process. Wait for it to finish, or stop it."
        ) from None
    facts = [_facts(one) if isinstance(one, Projection) else _word_facts(one) for one in computed]
    if options.json:
        print_json({"run": run.name, "seed": options.seed, "maps": facts})
        return
    _print_lines(facts)


def _print_asked(run: Run, options: argparse.Namespace) -> None:
    """Compute the maps that were asked for and print their numbers; as JSON, the documents' places too."""
    from nlpviz.analysis.projections import MapSettings, compute

    if DOCUMENTS not in run.files:
        raise UsageError(f"The run {run.name!r} {kind_of(run).says}, so `project {run.name}` accepts only --seed.")
    epochs = tuple(sorted(set(options.epoch or run.surveyed)))
    settings = MapSettings(
        projector="tsne" if options.method is None else options.method,
        dimensions=2 if options.dimensions is None else options.dimensions,
        epochs=epochs,
        alone=options.alone,
        perplexity=options.perplexity,
        seed=options.seed,
        sample=options.sample,
    )
    told = -_EVERY

    def tell(share: float, doing: str) -> None:
        nonlocal told
        if share - told >= _EVERY and not options.json:
            told = share
            say(f"{share:4.0%}  {doing}")

    projections = compute(run, settings, tell)
    ids = _ids(run, projections[0])
    if options.output is not None:
        _write_csv(options.output, ids, projections)
    facts = [_facts(projection) for projection in projections]
    if options.json:
        maps = [fact | {"places": one.coordinates.round(4)} for fact, one in zip(facts, projections, strict=True)]
        print_json({"run": run.name, "seed": options.seed, "documents": ids, "maps": maps})
        return
    _print_lines(facts)


def _ids(run: Run, projection: Projection) -> Sequence[str]:
    ids = documents_of(run).ids
    return list(ids) if projection.members is None else [ids[position] for position in projection.members]


def _write_csv(path: Path, ids: Sequence[str], projections: Sequence[Projection]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["id", "epoch", *"xyz"[: projections[0].dimensions]])
            for projection in projections:
                for identifier, position in zip(ids, projection.coordinates, strict=True):
                    writer.writerow([identifier, projection.epoch, *(f"{value:.6g}" for value in position)])
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({type(error).__name__}).") from None


def _facts(projection: Projection) -> dict[str, Any]:
    return {
        **as_json(projection, "projector", "dimensions", "epoch", "alone", "perplexity"),
        "trustworthiness": round(projection.trustworthiness, 4),
        "purity": round(projection.purity, 4),
        "silhouette": None if isnan(projection.silhouette) else round(projection.silhouette, 4),
    }


def _word_facts(one: WordMap) -> dict[str, Any]:
    return {
        **as_json(one, "projector", "dimensions"),
        "words": len(one.words),
        **as_json(one, "epoch", "perplexity"),
        "trustworthiness": round(one.trustworthiness, 4),
    }


def _print_lines(facts: Sequence[dict[str, Any]]) -> None:
    for fact in facts:
        print("  ".join(f"{key} {value}" for key, value in fact.items() if value is not None))


COMMAND = Command(
    "project", "compute maps of a run’s documents or words, or of a file of embeddings", _add_arguments, _run
)
