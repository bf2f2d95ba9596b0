"""A report on a run, or on two beside each other: what is drawn of what they keep, as one HTML file.

Nothing is computed by a network: figures are of stored tables, so that a report takes no corpus and no torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nlpviz import __version__
from nlpviz.figures.page import Section, page_html
from nlpviz.figures.tokens import literal
from nlpviz.figures.view import FigureView
from nlpviz.kinds import history, kind_of
from nlpviz.kinds.comparison import comparisons
from nlpviz.kinds.drawn.curves import learning_curves
from nlpviz.kinds.listing import baseline_of
from nlpviz.runs import Run
from nlpviz.runs.documents import DOCUMENTS, projections_of, run_documents
from nlpviz.runs.surveys import REGIONS, top_ngrams

_SUPPORT = 30  # documents, as on the page of top n-grams
_PROJECTOR = "pca"


def report_html(runs: Sequence[Run], others: Sequence[Run]) -> str:
    """Return the report as one HTML file that needs no network; arguments and errors as :func:`report_sections`."""
    return page_html(report_title(runs), report_sections(runs, others), report_source(runs))


def report_title(runs: Sequence[Run]) -> str:
    """Return the title of a report."""
    return " and ".join(run.title for run in runs)


def report_source(runs: Sequence[Run]) -> str:
    """Return where the numbers of a report come from."""
    return f"Made by nlpviz {__version__} of what {', '.join(run.name for run in runs)} keeps: no number was typed."


def report_sections(runs: Sequence[Run], others: Sequence[Run]) -> list[Section]:
    """Return what a report contains.

    Args:
        runs: one, or two that are compared.
        others: all there are: a baseline of a run's corpus may be among them.

    Raises:
        RunError: if a file of a run is damaged.
    """
    parts = [
        Section("How they were made" if len(runs) > 1 else "How it was made", [_facts(run) for run in runs], ()),
        Section("Accuracy on the same test documents", (), list(_compared(runs))),
        Section(
            "Learning curves", (), [learning_curves(one, baseline_of(one, others)) for one in runs if _learnt(one)]
        ),
        Section("Test documents before and after training", (), [_map(one) for one in runs if DOCUMENTS in one.files]),
        Section("N-grams that move predictions most", (), [_ngrams(one) for one in runs if REGIONS in one.files]),
    ]
    return [part for part in parts if part.texts or part.figures]


def _facts(run: Run) -> str:
    """Return where a run comes from, as a table."""
    kind = kind_of(run)
    rows = {
        "run": f"{run.title} ({run.name})",
        "kind": kind.name,
        "result": kind.headline.said(run),
        "corpus": str(run.corpus["name"]),
        "epochs kept": ", ".join(map(str, run.epochs)) or "none: it is not trained by epochs",
        "trainable parameters": f"{run.parameter_count:,}",
        "trained": f"{run.created}, {run.seconds:,.0f} s on {run.device}, seed {run.seed}",
        "with": ", ".join(f"{library} {version}" for library, version in run.versions.items()),
        "fingerprint": run.fingerprint,
    }
    cells = "".join(
        f'<tr><th scope="row">{literal(name)}</th><td>{literal(value)}</td></tr>' for name, value in rows.items()
    )
    return f"<table>{cells}</table>"


def _learnt(run: Run) -> bool:
    return bool(run.epochs) and kind_of(run).record is not None and len(history(run)) > 0


def _compared(runs: Sequence[Run]) -> Iterator[FigureView]:
    """Yield how two classifiers differ, where both keep what they predict for the same documents."""
    from nlpviz.figures.training.comparison import comparison_matrix

    for corpus, found in comparisons(runs).items():
        if len(found.runs) > 1:
            yield comparison_matrix(found, corpus)


def _map(run: Run) -> FigureView:
    """Return the stored map of the first and of the best epoch, on the same axes."""
    from nlpviz.figures.documents.maps import MapStyle, document_map
    from nlpviz.projections import title_of

    epochs = dict.fromkeys((run.epochs[0], run.best_epoch))
    maps = [
        next(
            one
            for one in projections_of(run)
            if _is_of(one.projector, one.dimensions, one.alone) and one.epoch == epoch
        )
        for epoch in epochs
    ]
    known = replace(run_documents(run), document="text")
    return document_map([known], maps, title_of(_PROJECTOR), MapStyle())


def _is_of(projector: str, dimensions: int, alone: bool) -> bool:
    return (projector, dimensions, alone) == (_PROJECTOR, 2, False)


def _ngrams(run: Run) -> FigureView:
    """Return the ranking of the best epoch, of the last class."""
    from nlpviz.figures.numbers import unit_of_score
    from nlpviz.figures.regions.top_ngrams import NgramRanking, ranking_bars, strongest

    target = len(run.class_names) - 1
    rows = tuple(row for row in top_ngrams(run, run.best_epoch, target) if row.support >= _SUPPORT)
    ranking = NgramRanking(run.name, run.best_epoch, rows, "total")
    return ranking_bars(ranking, run.class_names[target], unit_of_score(len(run.class_names)), strongest([ranking]))
