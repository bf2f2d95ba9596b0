"""Snippets of how documents were learnt in a training."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def learnt(run: str, part: str, color: str, chosen: str, document: str) -> str:
    """Return code for how a run learnt the documents of a part.

    Args:
        run: with a log.
        part: ``"TRAINED"``, ``"HELD_OUT"`` or ``"TEST"``.
        color: of the points, one of :data:`nlpviz.figures.documents.cartography.COLORINGS`.
        chosen: the document that the figure marks.
        document: what a document of the corpus is called.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.documents.cartography import training_map
        from nlpviz.figures.page import save_figure
        from nlpviz.results.cartography import Cartography
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        log = training_log(open_run($run)).of(Role[$part])
        found = Cartography.of(log)
        order = found.suspects
        table = pd.DataFrame({"id": [log.ids[position] for position in order]})
        table["mean confidence"] = found.confidence[order]
        table["variability"] = found.variability[order]
        table["forgotten"] = found.forgotten[order]
        print(table)
        print("The figure:", save_figure(training_map(found, $color, $chosen, $document)))
        """,
        run=run,
        part=part,
        color=color,
        chosen=chosen,
        document=document,
    )


def story(run: str, part: str, document: str) -> str:
    """Return code for how probable the label of a document of a part was at each moment of a training."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.documents.cartography import story
        from nlpviz.figures.page import save_figure
        from nlpviz.results.cartography import Cartography
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        log = training_log(open_run($run)).of(Role[$part])
        position = log.ids.index($document)
        table = pd.DataFrame({"epoch": log.moments, "P(label)": log.probabilities[position]})
        print(table)
        print("The figure:", save_figure(story(Cartography.of(log), position)))
        """,
        run=run,
        part=part,
        document=document,
    )


def together(runs: Sequence[str], part: str, measure: str, about: str) -> str:
    """Return code for how alike trainings rank the documents of a part.

    Args:
        runs: with logs.
        part: ``"TRAINED"``, ``"HELD_OUT"`` or ``"TEST"``.
        measure: that the figure is of, one of :data:`nlpviz.results.co_learning.MEASURES`.
        about: what was learnt.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.documents.co_learning import together_matrix
        from nlpviz.figures.page import save_figure
        from nlpviz.results.cartography import Cartography
        from nlpviz.results.co_learning import MEASURES, LearntTogether
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        runs = [open_run(name) for name in $runs]
        maps = [Cartography.of(training_log(run).of(Role[$part])) for run in runs]
        found = LearntTogether.of([run.title for run in runs], maps)
        table = pd.DataFrame({"first": [found.titles[one] for one, _ in found.pairs]})
        table["second"] = [found.titles[other] for _, other in found.pairs]
        for name, title in MEASURES.items():
            table[title] = [found.correlations[name][pair] for pair in found.pairs]
        print(table)
        print("The figure:", save_figure(together_matrix(found, $measure, $about)))
        """,
        runs=list(runs),
        part=part,
        measure=measure,
        about=about,
    )


def some_together(run: str, part: str, chosen: str | Sequence[tuple[float, float]], called: str) -> str:
    """Return code for how a third of the documents of a part, or those in a loop, were learnt, beside all others.

    Args:
        run: with a log.
        part: ``"TRAINED"``, ``"HELD_OUT"`` or ``"TEST"``.
        chosen: ``"easy"``, ``"ambiguous"`` or ``"hard"``; or the corners of a loop, variability and mean confidence.
        called: what the figure calls these documents.
    """
    positions = "found.third($chosen)" if isinstance(chosen, str) else "found.in_loop(np.array($chosen))"
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.figures.documents.selected import selected_stories
        from nlpviz.figures.page import save_figure
        from nlpviz.results.cartography import Cartography
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        log = training_log(open_run($run)).of(Role[$part])
        found = Cartography.of(log)
        chosen = {positions}
        others = np.delete(log.probabilities, chosen, axis=0)
        table = pd.DataFrame({{"epoch": log.moments}})
        for name, given in {{"chosen": log.probabilities[chosen], "all others": others}}.items():
            for share in (0.1, 0.5, 0.9):
                table[f"{{name}}: {{share:.0%}} quantile"] = np.quantile(given, share, axis=0)
        print(table)
        print("The figure:", save_figure(selected_stories(found, chosen, $called)))
        """,
        run=run,
        part=part,
        chosen=chosen if isinstance(chosen, str) else list(chosen),
        called=called,
    )


def planted(run: str) -> str:
    """Return code for how many flipped labels rankings of suspects find, the more of them are read."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.figures.documents.cartography import planted_curve
        from nlpviz.figures.page import save_figure
        from nlpviz.results.planted import RANKINGS
        from nlpviz.runs import open_run
        from nlpviz.runs.planted import planted_flips

        flips = planted_flips(open_run($run))
        read = np.arange(51) / 100
        table = pd.DataFrame({"read": read})
        for name in flips.rankings:
            table[RANKINGS[name]] = flips.curve(name, read)
        print(table)
        print("The figure:", save_figure(planted_curve(flips)))
        """,
        run=run,
    )
