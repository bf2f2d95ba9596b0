"""Snippets of maps of documents: where each document lies, and how far to trust the maps."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def stored_map(run: str, epochs: Sequence[int], projector: str, dimensions: int, *, alone: bool) -> str:
    """Return code for the coordinates of the documents on the maps that a run keeps."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.projections import title_of
        from nlpviz.figures.documents.maps import MapStyle, document_map
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, projections_of, run_documents

        run, charts = open_run($run), []
        table = pd.DataFrame({"id": documents_of(run).ids})
        for chart in projections_of(run):
            if (chart.projector, chart.dimensions, chart.alone) == $kind and chart.epoch in $epochs:
                charts.append(chart)
                for axis, values in zip("xyz", chart.coordinates.T):
                    table[f"{axis}, epoch {chart.epoch}"] = values
        print(table)
        view = document_map([run_documents(run)], charts, title_of(charts[0].projector), MapStyle())
        print("The figure:", save_figure(view))
        """,
        run=run,
        epochs=list(epochs),
        kind=(projector, dimensions, alone),
    )


def confusion(run: str, epoch: int, document: str) -> str:
    """Return code for how many of the kept documents of each class are predicted as each; one is a ``document``."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.documents.confusion import confusion_matrix
        from nlpviz.figures.page import save_figure
        from nlpviz.results.confusion import Confusion
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, probabilities_of

        run = open_run($run)
        labels, predicted = documents_of(run).labels, probabilities_of(run, $epoch).argmax(axis=1)
        found = Confusion.of(run.class_names, labels, predicted)
        counts = found.counts
        table = pd.DataFrame({"count": counts.ravel()})
        table["share of the row"] = (counts / counts.sum(axis=1, keepdims=True)).ravel()
        print(table)
        view = confusion_matrix(found, run.title, "epoch $epoch", "kept test documents", document=$document)
        print("The figure:", save_figure(view))
        """,
        run=run,
        epoch=epoch,
        document=document,
    )


def drift(run: str, others: Sequence[str], settings: tuple[int, str], chosen: str, document: str) -> str:
    """Return code for how many neighbours of documents are others in ``others``' spaces, and at other epochs.

    Args:
        run: whose documents.
        others: runs on the same ones.
        settings: how many neighbours are compared, and with what each epoch is.
        chosen: the key of the comparison that the figure marks.
        document: what a document is called.
    """
    neighbours, against = settings
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.projections.drift import drift_of
        from nlpviz.figures.documents.drift import drift_dots, in_order
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        others = [open_run(name) for name in $others]
        found = drift_of(open_run($run), others, $neighbours, $against)
        spaces = [space.found for space in in_order(found)]
        table = pd.DataFrame({"compared with": [space.title for space in spaces]})
        table["changed neighbours"] = [space.mean for space in spaces]
        print(table)
        print("The figure:", save_figure(drift_dots(found, $chosen, $document)))
        """,
        run=run,
        others=list(others),
        neighbours=neighbours,
        against=against,
        chosen=chosen,
        document=document,
    )


def disagreement(run: str, measure: str, about: str, *, epochs: bool) -> str:
    """Return code for how often two networks, or two epochs of one, disagree on the test documents.

    Args:
        run: whose epochs, or that networks are compared with.
        measure: of a cell of the figure, one of :data:`nlpviz.figures.documents.churn.MEASURES`.
        about: whose answers the figure compares.
        epochs: whether epochs are compared.
    """
    others = "list(runs.values())"
    asked = "churn_of_epochs(run)" if epochs else f"churn_of_networks(run, {others})"
    names = "churn_of_epochs, seeds_on" if epochs else "churn_of_networks"
    band = f"seeds_on(run, {others}, found.ids)" if epochs else "seeds_churn(found)"
    order = "range(len(found.answering))" if epochs else "by_likeness(found)"
    results = "" if epochs else "from nlpviz.results.churn import by_likeness, seeds_churn\n        "
    return written(
        f"""
        import pandas as pd

        from nlpviz.figures.documents.churn import churn_matrix
        from nlpviz.figures.page import save_figure
        {results}from nlpviz.runs import list_runs
        from nlpviz.runs.churn import {names}

        runs, _ = list_runs()
        run = runs[$run]
        found = {asked}
        title = [one.title for one in found.answering]
        rows = [(title[one], title[other], pair.churn) for (one, other), pair in found.pairs.items()]
        table = pd.DataFrame(rows, columns=["first", "second", "disagree"])
        print(table)
        order, band = {order}, {band}
        print("The figure:", save_figure(churn_matrix(found, order, $measure, band, $about)))
        """,
        run=run,
        measure=measure,
        about=about,
    )


def inferred(source: tuple[str, int], text: str, times: int, projector: str) -> str:
    """Return code for where ``text``, inferred several times, goes on the map of a run's documents."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.inferred import infer_text
        from nlpviz.analysis.projections import title_of
        from nlpviz.analysis.projections.texts import fitted_map, place_vectors
        from nlpviz.figures.documents.inferred import cloud_on_map
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import projections_of, run_documents

        run = open_run($run)
        found = infer_text(run.load($epoch), $text, $times)
        for chart in projections_of(run):
            if (chart.projector, chart.dimensions, chart.epoch, chart.alone) == ($projector, 2, $epoch, False):
                places = place_vectors(chart, found.vectors, fitted_map(run, chart))
                view = cloud_on_map(found, places, chart, run_documents(run), title_of($projector))
        table = pd.DataFrame(places, columns=["x", "y"])
        table["predicted"] = [run.class_names[label] for label in found.probabilities.argmax(axis=1)]
        table["probability"] = found.probabilities.max(axis=1)
        print(table)
        print("The figure:", save_figure(view))
        """,
        run=run,
        epoch=epoch,
        text=text,
        times=times,
        projector=projector,
    )


def sureness(run: str, text: str, times: int) -> str:
    """Return code for how far inferences of ``text`` lie apart at each epoch that a run keeps."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.inferred import infer_text
        from nlpviz.figures.documents.inferred import sureness_by_epoch
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        clouds = [infer_text(run.load(epoch), text, $times) for epoch in run.epochs]
        table = pd.DataFrame({"epoch": run.epochs, "relative distance": [one.spread for one in clouds]})
        table["nearest neighbours in common"] = [one.shared for one in clouds]
        table["same class"] = [one.votes.max() / one.times for one in clouds]
        print(table)
        print("The figure:", save_figure(sureness_by_epoch(clouds)))
        """,
        run=run,
        text=text,
        times=times,
    )


def quality(run: str, projector: str, dimensions: int, *, alone: bool) -> str:
    """Return code for how far to trust the maps that a run keeps, epoch by epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.projections import title_of
        from nlpviz.figures.documents.quality import quality_by_epoch
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import projections_of

        every = projections_of(open_run($run))
        charts = [chart for chart in every if (chart.projector, chart.dimensions, chart.alone) == $kind]
        rows = sorted((chart.epoch, chart.purity, chart.trustworthiness, chart.silhouette) for chart in charts)
        table = pd.DataFrame(rows, columns=["epoch", "label purity", "trustworthiness", "silhouette"])
        print(table)
        print("The figure:", save_figure(quality_by_epoch(charts, title_of(charts[0].projector))))
        """,
        run=run,
        kind=(projector, dimensions, alone),
    )
